"""File names of exported pages: safe, unique and stable for any URLs."""

import posixpath
import random
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webquarry.content.export.file_names import file_paths, is_safe_path

HOME = "site.test"
RESERVED = {"con", "prn", "aux", "nul", "com1", "lpt9"}
segments = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["..", ".", "%2e%2e%2f", "CON", "aux.txt", "a", "A", "ﬁ", "fi", "index", "README", "a.md",
         "a.html", "straße", "STRASSE", "x" * 300, "語" * 120, "a\\b", "c:", "templates", "nul."]
    ),
)  # fmt: skip


def joined(host: str, parts: list[str], slash: str, query: str) -> str:
    return f"https://{host}/{'/'.join(parts)}{slash}{'?' + query if query else ''}"


urls = st.builds(
    joined,
    st.sampled_from([HOME, "other.test", "[::1]:8080"]),
    st.lists(segments, max_size=12),
    st.sampled_from(["", "/"]),
    st.one_of(st.just(""), st.text(max_size=60)),
)


def key(path: str) -> str:
    """Return the name under which a case-insensitive file system knows a path."""
    return unicodedata.normalize("NFC", path).casefold()


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://site.test/", "index.md"),
        ("https://site.test/guide/intro.html", "guide/intro.md"),
        ("https://site.test/guide/", "guide/index.md"),
        ("https://site.test/list?page=2&sort=up", "list-page-2-sort-up.md"),
        ("https://site.test/a%20b/%C3%BCber", "a-b/über.md"),
        ("https://site.test/%2e%2e%2fetc/passwd", "etc/passwd.md"),
        ("https://site.test/con/NUL.html", "_con/_NUL.md"),
        ("https://site.test/.git/config", "git/config.md"),
        ("https://site.test/paper.pdf", "paper.pdf.md"),
        ("https://site.test/templates/page", "_templates/page.md"),
        ("https://site.test/a.md/b", "a-md/b.md"),
        ("https://docs.site.test:8080/x", "docs.site.test-8080/x.md"),
        ("http://[broken", "page-cfbc95a5.md"),
    ],
)
def test_a_file_is_named_like_its_url(url: str, path: str) -> None:
    assert file_paths([url], home=HOME) == {url: path}


def test_pages_that_would_share_a_file_get_different_names() -> None:
    same = ["https://site.test/a", "https://site.test/a/", "https://site.test/a.html",
            "https://site.test/A", "https://site.test/readme", "https://site.test/"]  # fmt: skip

    assert file_paths(same, home=HOME) == {
        "https://site.test/a": "a-aaa15320.md",
        "https://site.test/A": "A.md",
        "https://site.test/a.html": "a-d1061450.md",
        "https://site.test/a/": "a/index-81e9086a.md",
        "https://site.test/": "index.md",
        "https://site.test/readme": "readme-b772311d.md",
    }


def test_the_names_of_an_earlier_export_are_kept() -> None:
    known = {"https://site.test/b": "a.md", "https://site.test/gone": "c.md"}

    paths = file_paths(["https://site.test/a", "https://site.test/b", "https://site.test/c"],
                       home=HOME, known=known)  # fmt: skip

    assert paths["https://site.test/b"] == "a.md"
    assert paths["https://site.test/a"] != "a.md"
    assert paths["https://site.test/c"] != "c.md"  # the file of another page


@pytest.mark.parametrize(
    "path",
    ["../x.md", "/etc/x.md", "a/../x.md", "x.txt", "", ".md", "a//b.md", "CON.md", "a\\b.md"],
)
def test_unsafe_names_of_an_earlier_export_are_not_kept(path: str) -> None:
    assert not is_safe_path(path)
    assert file_paths(["https://site.test/a"], home=HOME, known={"https://site.test/a": path}) == {
        "https://site.test/a": "a.md"
    }


@given(st.lists(urls, max_size=20))
@example([f"https://{HOME}/{'a/' * 200}{'b' * 400}", f"https://{HOME}/{'a/' * 200}{'b' * 401}"])
def test_every_path_is_safe_on_every_file_system(found: list[str]) -> None:
    paths = file_paths(found, home=HOME)

    assert set(paths) == set(found)
    for path in paths.values():
        assert is_safe_path(path)
        assert posixpath.normpath(path) == path
        assert len(path.encode()) <= 180
        for name in path.split("/"):
            assert len(name.encode()) <= 104
            assert name[0] not in ".-/"
            assert name[-1] not in ". "
            assert name.partition(".")[0].casefold() not in RESERVED
            assert not set(name) & set('<>:"/\\|?*[]#^')
            assert name.isprintable()


@given(st.lists(urls, max_size=20))
@example(["https://site.test/", "https://site.test/README/"])
def test_no_two_pages_share_a_file_or_a_rendered_page(found: list[str]) -> None:
    paths = list(file_paths(found, home=HOME).values())
    rendered = [f"/{key(path)[:-3]}" for path in paths]
    rendered = [re.sub("/(?:index|readme)$", "", path) for path in rendered]
    folders = {key(path[:place]) for path in paths for place, c in enumerate(path) if c == "/"}

    assert len({key(path) for path in paths}) == len(paths)
    assert len(set(rendered)) == len(paths)
    assert not folders & {key(path) for path in paths}


@given(st.lists(urls, max_size=12), st.randoms())
def test_names_do_not_depend_on_the_order_of_the_crawl(
    found: list[str], shuffler: random.Random
) -> None:
    shuffled = found.copy()
    shuffler.shuffle(shuffled)

    assert file_paths(shuffled, home=HOME) == file_paths(found, home=HOME)


@given(st.lists(urls, max_size=8), st.lists(urls, max_size=8))
def test_a_page_keeps_its_name_in_a_later_export(first: list[str], more: list[str]) -> None:
    before = file_paths(first, home=HOME)

    after = file_paths([*first, *more], home=HOME, known=before)

    assert {url: after[url] for url in before} == before
