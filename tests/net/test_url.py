"""URLs as browsers read them."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.errors import BadInputError
from webquarry.net.url import MAX_URL_LENGTH, Url, in_domains, parse, path_segment

PIECES = st.sampled_from(
    ["http", "https", "ftp", ":", "/", "//", "\\", "@", "#", "?", "[", "]", "%", "%2f", ".", "..",
     "127.0.0.1", "0x7f", "::1", "a", "é", "㉗", "\t", "\n", " ", "80", "99999", "localhost"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://Example.COM", Url("http://example.com/", "http", "example.com", 80)),
        ("https://a.test:443/x#y", Url("https://a.test/x", "https", "a.test", 443)),
        ("https://a.test:8443/?q=é",
         Url("https://a.test:8443/?q=%C3%A9", "https", "a.test", 8443)),
        ("http://user:pass@a.test/", Url("http://a.test/", "http", "a.test", 80)),
        ("http://0x7f.1/", Url("http://127.0.0.1/", "http", "127.0.0.1", 80)),
        ("http://2130706433/", Url("http://127.0.0.1/", "http", "127.0.0.1", 80)),
        ("http://1㉗.0.0.1/", Url("http://127.0.0.1/", "http", "127.0.0.1", 80)),
        ("http://[::FFFF:127.0.0.1]/",
         Url("http://[::ffff:7f00:1]/", "http", "::ffff:7f00:1", 80)),
        ("http://127.0.0.1\\@a.test/", Url("http://127.0.0.1/@a.test/", "http", "127.0.0.1", 80)),
        ("https://bücher.test/", Url("https://xn--bcher-kva.test/", "https",
                                     "xn--bcher-kva.test", 443)),
    ],
)  # fmt: skip
def test_a_url_is_read_as_a_browser_reads_it(text: str, expected: Url) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a complete URL"),
        ("/path", "not a complete URL"),
        ("http://", "not a complete URL"),
        ("http://a.test:99999/", "not a complete URL"),
        ("http://[fe80::1%25eth0]/", "not a complete URL"),
        ("ftp://a.test/", "the scheme 'ftp' is not http or https"),
        ("file:///etc/passwd", "the scheme 'file' is not http or https"),
        ("javascript:alert(1)", "the scheme 'javascript' is not http or https"),
        ("http://a.test/" + "x" * MAX_URL_LENGTH, "longer than 8192 characters"),
        ("http://a.test/" + "é" * 3000, "longer than 8192 characters"),
        ("http://a.test/\ud800", "not a complete URL"),
    ],
)
def test_anything_but_a_web_url_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse(text)

    assert why in str(caught.value)
    assert str(caught.value).endswith("Provide a valid public http(s) URL.")
    assert len(str(caught.value)) < 400


@given(st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=60))
def test_any_text_is_rejected_or_normalised(text: str) -> None:
    for given_text in (text, f"http://{text}", f"http://a.test/{text}"):
        try:
            url = parse(given_text)
        except BadInputError:
            continue
        assert parse(url.href) == url
        assert url.href.isascii()
        assert url.host
        assert url.scheme in {"http", "https"}
        assert 0 <= url.port <= 65535
        assert url.href.startswith(url.origin + "/")
        assert "#" not in url.href


@given(st.text(max_size=30))
def test_a_link_resolves_to_a_web_url_or_is_refused(reference: str) -> None:
    try:
        found = parse("https://a.test/b/c").join(reference)
    except BadInputError:
        return
    assert parse(found.href) == found


@given(st.text(max_size=30))
def test_data_stays_within_its_segment_of_a_path(text: str) -> None:
    try:
        escaped = path_segment(text)
    except (BadInputError, UnicodeEncodeError):
        return
    path = parse(f"https://a.test/works/{escaped}").href.removeprefix("https://a.test/works/")
    assert "/" not in path
    assert "?" not in path
    assert unquote(path) == text


@pytest.mark.parametrize("text", ["", ".", ".."])
def test_a_path_segment_of_dots_is_rejected(text: str) -> None:
    with pytest.raises(BadInputError, match="cannot be looked up"):
        path_segment(text)


def test_a_domain_covers_itself_and_its_subdomains() -> None:
    inside = ("nature.com", "www.nature.com", "WWW.Nature.com.")
    outside = ("notnature.com", "nature.com.evil.test", "com", "")

    assert all(in_domains(host, (".nature.com",)) for host in inside)
    assert not any(in_domains(host, (".nature.com",)) for host in outside)


def test_an_origin_includes_only_a_non_default_port() -> None:
    urls = ("https://a.test/x", "https://a.test:80/", "http://[::1]:8080/y")

    assert [parse(url).origin for url in urls] == [
        "https://a.test",
        "https://a.test:80",
        "http://[::1]:8080",
    ]
