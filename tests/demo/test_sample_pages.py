"""The sample web as its visitors see it."""

import json
import re
from urllib.parse import urljoin, urlsplit

import pytest

from webquarry_demo.sample_pages import SampleResponse, page_url, sample_web

PORT = 4321
WEB = sample_web()
BROKEN = "http://nestlog.localhost:4321/guide/solar"  # on purpose, so that a crawl has an error
NO_BASKET = "http://oak-and-feather.localhost:4321/basket"


def page(site: str, path: str) -> SampleResponse:
    return WEB.respond(site, path, PORT)


def test_a_page_has_its_layout_its_head_and_the_port_in_its_addresses() -> None:
    found = page("field-notes", "/where-to-hang-a-box")

    assert (found.status, found.media_type) == (200, "text/html; charset=utf-8")
    assert "<title>Where to hang a barn owl box</title>" in found.body
    assert '<meta name="author" content="Tobias Renn">' in found.body
    assert '<meta property="article:published_time" content="2026-05-02">' in found.body
    assert 'href="http://nestlog.localhost:4321/"' in found.body
    assert "{{" not in found.body


def test_authors_of_a_paper_have_a_tag_each() -> None:
    body = page("farmland-ornithology", "/articles/2023-0205").body

    assert re.findall(r'name="citation_author" content="([^"]+)"', body) == [
        "Lena Brandt",
        "Chidi Nwosu",
    ]


def test_there_are_redirects_files_copies_and_pages_that_are_missing() -> None:
    assert page("nestlog", "/start") == SampleResponse(
        301, "text/plain", "moved", "http://nestlog.localhost:4321/install"
    )
    assert "Disallow: /private/" in page("nestlog", "/robots.txt").body
    assert "<loc>http://nestlog.localhost:4321/reference/firmware</loc>" in (
        page("nestlog", "/sitemap.xml").body
    )
    assert page("nestlog", "/guide/mounting/print").body == page("nestlog", "/guide/mounting").body
    assert page("nestlog", "/guide/solar").status == 404
    assert page("nobody", "/").status == 404


def test_every_link_leads_somewhere_but_for_the_broken_one() -> None:
    dead: set[str] = set()
    for site, path in WEB.pages:
        here = page_url(site, path, PORT)
        for href in re.findall(r'<a [^>]*href="([^"]+)"', page(site, path).body):
            target = urlsplit(urljoin(here, href))
            name, _, domain = (target.hostname or "").rpartition(".")
            assert domain == "localhost", href
            if page(name, target.path).status == 404:
                dead.add(target.geturl())

    assert dead == {BROKEN, NO_BASKET}


@pytest.mark.parametrize("name", ["a-frame", "pole-box"])
def test_the_json_ld_of_the_shop_is_valid(name: str) -> None:
    body = page("oak-and-feather", f"/products/{name}").body

    [block] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', body, re.DOTALL)
    told = json.loads(block)
    assert "Product" in {node["@type"] for node in told.get("@graph", [told])}


def test_no_site_names_a_place_outside_the_sample_web() -> None:
    allowed = ("https://schema.org", "https://doi.org/10.5555/", "http://www.sitemaps.org")
    texts = [page(*at).body for at in (*WEB.pages, *WEB.files)]
    foreign = {
        url
        for text in texts
        for url in re.findall(r"https?://[^\s\"<>)]+", text)
        if ".localhost:4321/" not in url and not url.startswith(allowed)
    }

    assert foreign == set()
