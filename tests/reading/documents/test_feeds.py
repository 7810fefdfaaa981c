import pytest

from tests.reading.documents.reading import read
from webquarry.models.document_content import Document, FeedEntry
from webquarry.reading.documents.draft import UnreadableDocument

RSS = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>News &amp; more</title><link>https://example.org/</link>
<description>All the&nbsp;news</description><language>en-us</language>
<lastBuildDate>Tue, 05 Mar 2024 10:00:00 GMT</lastBuildDate>
<item><title><![CDATA[First <b>bold</b> *star*]]></title><link>https://example.org/1?a=1&amp;b=2</link>
<pubDate>Mon, 04 Mar 2024 09:30:00 +0100</pubDate><dc:creator>Ann</dc:creator>
<description>&lt;p&gt;Some &lt;i&gt;words&lt;/i&gt; here.&lt;/p&gt;</description></item>
<item><title>Second</title><guid>https://example.org/2</guid></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Blätter</title>
<author><name>Bob</name></author><updated>2024-03-05T10:00:00Z</updated>
<entry><title type="html">A &amp;lt; B</title>
<link rel="self" href="https://example.org/self"/><link href="https://example.org/(a)"/>
<published>2024-03-04</published><updated>2024-03-05T00:00:00Z</updated>
<summary>Kurz.</summary></entry>
<entry><title>No link</title><link href="javascript:alert(1)"/></entry></feed>"""


def test_rss_becomes_a_list_of_entries() -> None:
    assert read(RSS, "text/xml") == Document(
        kind="feed",
        title="News & more",
        language="en-us",
        modified="2024-03-05T10:00:00+00:00",
        page_count=2,
        word_count=15,
        markdown=(
            "# News & more\n\nAll the news\n\n"
            "- [First bold \\*star\\*](https://example.org/1?a=1&b=2)"
            " (2024-03-04T09:30:00+01:00, Ann)\n  Some words here.\n"
            "- [Second](https://example.org/2)"
        ),
        entries=(
            FeedEntry(
                key="https://example.org/1?a=1&b=2",
                title="First bold *star*",
                url="https://example.org/1?a=1&b=2",
                published="2024-03-04T09:30:00+01:00",
            ),
            FeedEntry(key="https://example.org/2", title="Second", url="https://example.org/2"),
        ),
    )


def test_atom_becomes_a_list_of_entries() -> None:
    assert read(ATOM.encode()) == Document(
        kind="feed",
        title="Blätter",
        authors=("Bob",),
        language="de",
        modified="2024-03-05T10:00:00Z",
        page_count=2,
        word_count=7,
        markdown=(
            "# Blätter\n\n- [A < B](https://example.org/%28a%29) (2024-03-04)\n  Kurz.\n- No link"
        ),
        entries=(
            FeedEntry(
                key="https://example.org/%28a%29",
                title="A < B",
                url="https://example.org/%28a%29",
                published="2024-03-04",
            ),
            FeedEntry(key="No link", title="No link"),
        ),
    )


def test_rdf_items_outside_the_channel_are_read() -> None:
    source = (
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        b'xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        b"<channel><title>Old</title></channel>"
        b"<item><title>One</title><link>https://example.org/1</link>"
        b"<dc:date>2003-12-13</dc:date></item></rdf:RDF>"
    )

    assert read(source).markdown == "# Old\n\n- [One](https://example.org/1) (2003-12-13)"


def test_a_feed_with_a_stray_ampersand_is_still_read() -> None:
    source = b"<rss><channel><title>R&D</title><item><title>A & B</title></item></channel></rss>"

    assert "(untitled)" not in read(source).markdown


def test_long_summaries_are_shortened_at_a_word() -> None:
    body = b"word " * 500
    source = b"<rss><channel><title>x</title><item><description>" + body + b"</description></item>"

    assert read(source + b"</channel></rss>").markdown.endswith("word …")


def test_many_entries_are_cut_and_counted() -> None:
    items = b"".join(b"<item><title>t</title></item>" for _ in range(600))

    found = read(b"<rss><channel><title>x</title>" + items + b"</channel></rss>")

    assert (found.page_count, found.markdown.count("\n- "), found.truncated) == (600, 500, True)


def test_entity_bombs_are_rejected() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'

    with pytest.raises(UnreadableDocument, match="entities of its own"):
        read(bomb + b"<rss><channel><title>&b;</title></channel></rss>")


def test_an_empty_feed_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="neither a title nor entries"):
        read(b"<rss/>")
