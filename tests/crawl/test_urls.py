import time

import pytest

from webquarry.crawl.scope import Scope
from webquarry.crawl.urls import is_file, network_url, resolve, start_url
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlRequest
from webquarry.net.url import parse

BASE = "http://a.test:8080/x/y?q=1"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/p", "http://a.test:8080/p"),
        ("z#part", "http://a.test:8080/x/z"),
        ("/A/./b/../C", "http://a.test:8080/A/C"),
        ("/p?utm_source=x&id=2&PHPSESSID=9", "http://a.test:8080/p?id=2"),
        ("/article.pl?sid=03/04/12/1234", "http://a.test:8080/article.pl?sid=03/04/12/1234"),
        ("/article.pl?sid=17", "http://a.test:8080/article.pl?sid=17"),
        ("/talk?session_id=42&day=2", "http://a.test:8080/talk?session_id=42&day=2"),
        ("/t?sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9&t=2", "http://a.test:8080/t?t=2"),
        ("/t?sessionid=ci58kd9ut7q2l1mp0e", "http://a.test:8080/t"),
        ("/p;jsessionid=ABC?id=2", "http://a.test:8080/p?id=2"),
        ("/p?", "http://a.test:8080/p"),
        ("HTTP://A.TEST:8080/p", "http://a.test:8080/p"),
        ("http://user:secret@b.test:80/p", "http://b.test/p"),
        ("//b.test/p q", "http://b.test/p%20q"),
        ("#part", None),
        ("mailto:a@b.test", None),
        ("javascript:void(0)", None),
        ("http://[bad", None),
        ("", None),
    ],
)
def test_links_are_normalised(href: str, expected: str | None) -> None:
    found = resolve(href, BASE)

    assert (found.href if found else None) == expected


@pytest.mark.parametrize(
    "url", ["http://a.test/", "https://a.test:8443/x?y", "http://[::1]/x", "http://[::1]:8080/"]
)
def test_a_normalised_url_is_split_without_a_parser(url: str) -> None:
    assert network_url(parse(url).href) == parse(url)


def test_files_are_recognised_by_their_extension() -> None:
    assert is_file("http://a/x/picture.PNG?v=1")
    assert not is_file("http://a/x.png/page")
    assert not is_file("http://a.com")


def test_the_scope_includes_subdomains_only_on_request() -> None:
    one_host = Scope(CrawlRequest(url="http://www.a.co.uk/"), "www.a.co.uk")
    with_subdomains = Scope(CrawlRequest(url="http://www.a.co.uk/", subdomains=True), "www.a.co.uk")
    any_host = Scope(CrawlRequest(url="http://www.a.co.uk/", same_domain=False), "www.a.co.uk")
    hosts = ("www.a.co.uk", "a.co.uk", "shop.a.co.uk", "b.co.uk")

    assert [one_host.includes_host(host) for host in hosts] == [True, True, False, False]
    assert [with_subdomains.includes_host(host) for host in hosts] == [True, True, True, False]
    assert all(any_host.includes_host(host) for host in hosts)


def test_patterns_run_in_linear_time() -> None:
    started = time.process_time()

    scope = Scope(CrawlRequest(url="http://a/", include=("(a+)+$", "/blog.*")), "a")

    assert scope.exclusion_reason("http://a/" + "a" * 1500 + "!") == "excluded"
    assert scope.exclusion_reason("http://a/blog/1") == ""
    assert time.process_time() - started < 1
    with pytest.raises(BadInputError, match="look-around"):
        Scope(CrawlRequest(url="http://a/", exclude=("(?=x)+y(a+)+",)), "a")


def test_only_http_urls_start_a_crawl() -> None:
    assert start_url("HTTP://A.test/?utm_source=x").href == "http://a.test/"
    with pytest.raises(BadInputError):
        start_url("file:///etc/passwd")
