"""The link filter returns every new URL once, whatever the spelling of the link."""

import itertools

import pytest

from webquarry.crawl import link_filter as module
from webquarry.crawl.link_filter import LinkFilter
from webquarry.crawl.scope import Scope
from webquarry.crawl.urls import BasePage, resolve_with_parser, simple_path
from webquarry.models.crawl import CrawlRequest

SITE = "http://a.test:8080"
BASES = (
    f"{SITE}/",
    f"{SITE}/x/y",
    f"{SITE}/x/y/?q=/1/2",
    f"{SITE}/x//y",
    f"{SITE}/x/é%20/y.html".replace("é", "%C3%A9"),
    "https://a.test/p;v=1/q",
    "http://[::1]/x",
)
STARTS = (
    "", "/", "//", "./", "../", "../../", "x/", "/x/./", "/x/../", ".x/", "..x/", "/...", "?", "#",
    f"{SITE}/", f"{SITE}", "HTTP://A.test:8080/", "http://a.test/", "https://a.test/",
    "http://a.test:8080@b.test/", "http://a.test:80801/", "http:", "http:/", "http:x", "https:y",
    "h", "ht:", "mailto:", " /", "\t", "\\", "%2e%2e/", "é/", "//b.test/",
)  # fmt: skip
ENDS = (
    "", "p", "p.html", "p/", ".", "..", "p?a=1", "?a=1", "?", "p?utm_source=x&b=2", "#f", "p#f g",
    "p?a=/b", "p q", "p?sid=1", "p;jsessionid=1", "(s(x))/p", "p:1", "a//b", "~p", "p%41", "?a=ü",
)  # fmt: skip


def new_filter(*, same_domain: bool = True) -> LinkFilter:
    return LinkFilter(Scope(CrawlRequest(url=f"{SITE}/", same_domain=same_domain), "a.test"))


def hrefs(
    link_filter: LinkFilter, *links: str, base: str = f"{SITE}/x/y", deep: bool = False
) -> list[str]:
    return [url.href for url in link_filter.new_urls(links, base, deep=deep)]


@pytest.mark.parametrize("base", BASES)
def test_links_resolved_without_a_parser_match_the_parser(base: str) -> None:
    page = BasePage(base)
    compared = 0

    for start, end in itertools.product(STARTS, ENDS):
        href = start + end
        path = simple_path(page.path_on_site(href)) if href else ""
        if path:
            url = resolve_with_parser(href, base)
            assert url is not None, href
            assert (url.href, url.host, url.authority) == (
                page.origin + path, page.host, page.authority,
            ), href  # fmt: skip
            compared += 1

    assert compared > 50


@pytest.mark.parametrize("base", BASES)
def test_links_with_the_same_key_resolve_to_the_same_url(base: str) -> None:
    """A link key is shared by the pages of a folder, so it must not depend on the page."""
    other = base.partition("?")[0] + "z?other"
    for start, end in itertools.product(STARTS, ENDS):
        href = start + end
        if href and BasePage(base).link_key(href) == BasePage(other).link_key(href):
            assert resolve_with_parser(href, base) == resolve_with_parser(href, other), href


def test_each_url_is_returned_once_whatever_its_spelling() -> None:
    link_filter = new_filter()

    first = hrefs(
        link_filter, "/p", "/p#top", "HTTP://A.TEST:8080/p", "/q/../p?utm_source=x", "../p"
    )
    again = hrefs(link_filter, "/p", f"{SITE}/p", "p", base=f"{SITE}/")

    assert (first, again) == ([f"{SITE}/p"], [])


def test_a_query_link_is_resolved_against_its_page() -> None:
    link_filter = new_filter()

    assert hrefs(link_filter, "?page=2", base=f"{SITE}/x/y") == [f"{SITE}/x/y?page=2"]
    assert hrefs(link_filter, "?page=2", base=f"{SITE}/x/z?page=1") == [f"{SITE}/x/z?page=2"]
    assert hrefs(link_filter, "?a b", base=f"{SITE}/x/y") == [f"{SITE}/x/y?a%20b"]
    assert hrefs(link_filter, "?a b", base=f"{SITE}/x/z") == [f"{SITE}/x/z?a%20b"]


def test_links_to_other_sites_are_left_out() -> None:
    assert hrefs(new_filter(), "https://b.test/p", "http://a.test/p") == ["http://a.test/p"]
    assert hrefs(new_filter(same_domain=False), "https://b.test/p") == ["https://b.test/p"]


def test_a_url_that_was_too_deep_is_returned_again_from_a_shallower_page() -> None:
    link_filter = new_filter()

    assert hrefs(link_filter, "/p", deep=True) == [f"{SITE}/p"]
    assert hrefs(link_filter, "/p", deep=True) == []
    assert hrefs(link_filter, "/p") == [f"{SITE}/p"]
    assert hrefs(link_filter, "/p", deep=True) == []


def test_memory_is_bounded_by_forgetting_old_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_BYTES", 5_000)
    link_filter = new_filter()

    for number in range(200):
        assert hrefs(link_filter, f"/{number}", "/p q")[0] == f"{SITE}/{number}"

    assert hrefs(link_filter, "/0") == [f"{SITE}/0"]
    assert hrefs(link_filter, "/199") == []
