"""Who receives the headers and cookies of a caller."""

import pytest

from webquarry.crawl.visit_options import OwnSite, VisitOptions
from webquarry.models.page_options import PageOptions
from webquarry.net.url import parse

_OPTIONS = PageOptions(headers={"Authorization": "Bearer x"}, locale="de-DE")


@pytest.mark.parametrize(
    ("start", "subdomains", "url", "receives"),
    [
        ("https://a.example/", False, "https://a.example/x", True),
        ("https://a.example/", False, "https://www.a.example/x", True),
        ("https://a.example/", False, "https://b.a.example/", False),
        ("https://a.example.com/", True, "https://b.example.com/", True),
        ("https://a.example.com/", True, "https://example.org/", False),
        ("https://a.example/", False, "http://a.example/", False),
        ("http://a.example/", False, "https://a.example/", True),
        ("http://127.0.0.1:8000/", False, "http://127.0.0.1:8001/", False),
        ("http://127.0.0.1:8000/", True, "http://127.0.0.2:8000/", False),
    ],
)
def test_only_the_requested_site_receives_the_headers(
    start: str, *, subdomains: bool, url: str, receives: bool
) -> None:
    options = VisitOptions(page=_OPTIONS, site=OwnSite(parse(start), subdomains))

    headers = options.headers_for(parse(url))

    assert ("Authorization" in headers) is receives
    assert headers["Accept-Language"] == "de-DE, de;q=0.9, en;q=0.8"


def test_a_phone_still_names_the_program() -> None:
    headers = VisitOptions(page=PageOptions(mobile=True)).headers_for(parse("https://a.example/"))

    assert "Mobile" in headers["User-Agent"]
    assert "webquarry/" in headers["User-Agent"]
    assert headers["Sec-CH-UA-Mobile"] == "?1"
