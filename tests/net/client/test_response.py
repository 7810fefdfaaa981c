"""Headers of a response."""

from webquarry.net.client.response import Headers


def test_header_names_are_in_lower_case() -> None:
    headers = Headers([("Content-Type", "text/html")])

    assert headers["content-type"] == "text/html"
    assert "content-type" in headers
    assert headers.get("etag") is None
    assert list(headers) == ["content-type"]


def test_repeated_headers_are_joined_or_listed() -> None:
    headers = Headers([("Set-Cookie", "a=1"), ("set-cookie", "b=2, c"), ("x", "y")])

    assert headers["set-cookie"] == "a=1, b=2, c"
    assert headers.get_all("set-cookie") == ("a=1", "b=2, c")
    assert headers.get_all("missing") == ()
    assert len(headers) == 2


def test_the_content_type_is_split_into_media_type_and_charset() -> None:
    headers = Headers([("content-type", 'Text/HTML; a=b; Charset="utf-8"')])

    assert headers.media_type == "text/html"
    assert headers.parameter("content-type", "charset") == "utf-8"
    assert headers.parameter("content-type", "missing") == ""
    assert Headers().media_type == ""
