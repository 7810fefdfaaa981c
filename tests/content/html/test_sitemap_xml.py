import gzip

from webquarry.content.html.sitemap_xml import Sitemap, SitemapEntry, read_sitemap

XML = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://a/1 </loc><lastmod>2026-01-02</lastmod></url><url><loc>http://a/2</loc></url>"""
ENTRIES = (SitemapEntry("http://a/1", "2026-01-02"), SitemapEntry("http://a/2"))


def test_pages_are_listed_with_their_dates() -> None:
    assert read_sitemap(XML + b"</urlset>") == Sitemap(pages=ENTRIES)


def test_an_index_names_further_sitemaps() -> None:
    index = b"<sitemapindex><sitemap><loc>http://a/s.xml</loc></sitemap></sitemapindex>"

    assert read_sitemap(index) == Sitemap(sitemaps=("http://a/s.xml",))


def test_compressed_plain_and_damaged_ones_are_read() -> None:
    assert read_sitemap(gzip.compress(XML + b"</urlset>")).pages == ENTRIES
    assert read_sitemap(b"http://a/1\nhttp://a/2\nftp://no\n").pages == (
        SitemapEntry("http://a/1"),
        SitemapEntry("http://a/2"),
    )
    assert read_sitemap(XML + b"<url><loc>http").pages == ENTRIES
    assert read_sitemap(XML + b"</urlset>", max_entries=1).pages == ENTRIES[:1]


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><urlset><url><loc>&a;</loc></url></urlset>'

    assert read_sitemap(bomb) == Sitemap()
