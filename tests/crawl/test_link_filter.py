"""Links that were met need no second look; whatever is new is found, however it is written."""

import itertools

import pytest

from webquarry.crawl import link_filter as module
from webquarry.crawl.link_filter import LinkFilter
from webquarry.crawl.scope import Scope
from webquarry.crawl.urls import BasePage, parsed, plain_path
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


def links(*, same_domain: bool = True) -> LinkFilter:
    return LinkFilter(Scope(CrawlRequest(url=f"{SITE}/", same_domain=same_domain), "a.test"))


def hrefs(
    found: LinkFilter, *written: str, base: str = f"{SITE}/x/y", deep: bool = False
) -> list[str]:
    return [address.href for address in found.unmet(written, base, deep=deep)]


@pytest.mark.parametrize("base", BASES)
def test_a_link_without_a_parser_leads_where_a_parser_says(base: str) -> None:
    page = BasePage(base)
    spelled = 0

    for start, end in itertools.product(STARTS, ENDS):
        href = start + end
        path = plain_path(page.rooted(href)) if href else ""
        if path:
            address = parsed(href, base)
            assert address is not None, href
            assert (address.href, address.host, address.place) == (
                page.site + path, page.host, page.place,
            ), href  # fmt: skip
            spelled += 1

    assert spelled > 50


@pytest.mark.parametrize("base", BASES)
def test_links_of_one_name_lead_to_one_address(base: str) -> None:
    """A name is shared by pages of a folder, so it must not depend on the page."""
    other = base.partition("?")[0] + "z?other"
    for start, end in itertools.product(STARTS, ENDS):
        href = start + end
        if href and BasePage(base).name(href) == BasePage(other).name(href):
            assert parsed(href, base) == parsed(href, other), href


def test_each_address_is_found_once_however_it_is_written() -> None:
    found = links()

    first = hrefs(found, "/p", "/p#top", "HTTP://A.TEST:8080/p", "/q/../p?utm_source=x", "../p")
    again = hrefs(found, "/p", f"{SITE}/p", "p", base=f"{SITE}/")

    assert (first, again) == ([f"{SITE}/p"], [])


def test_a_query_belongs_to_the_page_that_has_the_link() -> None:
    found = links()

    assert hrefs(found, "?page=2", base=f"{SITE}/x/y") == [f"{SITE}/x/y?page=2"]
    assert hrefs(found, "?page=2", base=f"{SITE}/x/z?page=1") == [f"{SITE}/x/z?page=2"]
    assert hrefs(found, "?a b", base=f"{SITE}/x/y") == [f"{SITE}/x/y?a%20b"]
    assert hrefs(found, "?a b", base=f"{SITE}/x/z") == [f"{SITE}/x/z?a%20b"]


def test_links_that_leave_the_site_are_left_out() -> None:
    assert hrefs(links(), "https://b.test/p", "http://a.test/p") == ["http://a.test/p"]
    assert hrefs(links(same_domain=False), "https://b.test/p") == ["https://b.test/p"]


def test_what_was_too_deep_is_found_again_from_higher_up() -> None:
    found = links()

    assert hrefs(found, "/p", deep=True) == [f"{SITE}/p"]
    assert hrefs(found, "/p", deep=True) == []
    assert hrefs(found, "/p") == [f"{SITE}/p"]
    assert hrefs(found, "/p", deep=True) == []


def test_it_forgets_rather_than_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_MET", 5_000)
    found = links()

    for number in range(200):
        assert hrefs(found, f"/{number}", "/p q")[0] == f"{SITE}/{number}"

    assert hrefs(found, "/0") == [f"{SITE}/0"]
    assert hrefs(found, "/199") == []
