"""Links of exported pages: targets are replaced in links, and nowhere else."""

import posixpath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.export.file_names import file_paths
from webquarry.content.export.markdown_links import relative_link, retarget_links


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[a](https://x.test/a) and [b](https://x.test/b)", "[a](A) and [b](B)"),
        ("[`code`](https://x.test/a) `[a](https://x.test/a)`",
         "[`code`](A) `[a](https://x.test/a)`"),
        ('[a](https://x.test/a "title")', '[a](A "title")'),
        ("[a](<https://x.test/a>)", "[a](<A>)"),
        ("![image](https://x.test/a)", "![image](A)"),
        ("[![image](https://x.test/a)](https://x.test/b)", "[![image](A)](B)"),
        ("[id]: https://x.test/a", "[id]: A"),
        ("[^1]: https://x.test/a", "[^1]: https://x.test/a"),
        (r"[a\](https://x.test/a)", r"[a\](https://x.test/a)"),
        ("```\n[a](https://x.test/a)\n```\n[a](https://x.test/a)",
         "```\n[a](https://x.test/a)\n```\n[a](A)"),
        ("~~~\n```\n[a](https://x.test/a)\n~~~\n[a](https://x.test/a)",
         "~~~\n```\n[a](https://x.test/a)\n~~~\n[a](A)"),
        ("a `` b [a](https://x.test/a)", "a `` b [a](A)"),
        ("https://x.test/a", "https://x.test/a"),
    ],
)  # fmt: skip
def test_targets_are_replaced_outside_of_code(written: str, expected: str) -> None:
    targets = {"https://x.test/a": "A", "https://x.test/b": "B"}

    assert retarget_links(written, lambda target: targets.get(target, target)) == expected


@given(st.text(alphabet='[]()`~<>\\ a\n"!:^', max_size=80))
def test_a_text_whose_targets_stay_is_not_changed(text: str) -> None:
    assert retarget_links(text, lambda target: target) == text


@pytest.mark.parametrize(
    ("source", "target", "fragment", "link"),
    [
        ("index.md", "a/b.md", "", "a/b.md"),
        ("a/b.md", "index.md", "top", "../index.md#top"),
        ("a/b.md", "a/c.md", "", "c.md"),
        ("a/b.md", "a/b.md", "x", "#x"),
        ("a/b.md", "a/b.md", "", "b.md"),
        ("a.md", "ü/ö.md", "", "%C3%BC/%C3%B6.md"),
    ],
)
def test_links_are_relative_to_the_page(source: str, target: str, fragment: str, link: str) -> None:
    assert relative_link(source, target, fragment) == link


@given(st.lists(st.text(max_size=30), min_size=2, max_size=6))
def test_every_relative_link_leads_to_its_file(paths: list[str]) -> None:
    files = list(file_paths([f"https://x.test/{path}" for path in paths]).values())

    for source in files:
        for target in files:
            link = unquote(relative_link(source, target))
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
            assert joined == target
