"""What pages state about themselves: JSON-LD, OpenGraph, citation tags, microdata, bylines."""

import json
from typing import Any

from tests.content.traps.base import Trap, article


def _ld(value: Any) -> str:
    return f"<script type='application/ld+json'>{json.dumps(value)}</script>"


def _says(name: str, head: str, facts: dict[str, Any], inside: str = "") -> Trap:
    return Trap(name, article(inside, head=head), facts=facts)


_GRAPH = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "WebSite", "name": "Quarry Notes"},
        {"@type": "Person", "@id": "#ann", "name": "Ann Stone"},
        {"@type": "WebPage", "datePublished": "2020-01-01"},
        {
            "@type": ["Article"],
            "author": {"@id": "#ann"},
            "datePublished": "2024-05-06T07:08:09+02:00",
        },
    ],
}

TRAPS = (
    _says(
        "JSON-LD in a graph with references",
        _ld(_GRAPH),
        {
            "metadata.authors": ("Ann Stone",),
            "metadata.published": "2024-05-06T07:08:09+02:00",
            "metadata.site": "Quarry Notes",
        },
    ),
    _says(
        "JSON-LD as an array with several authors",
        _ld(
            [
                {
                    "@type": "BlogPosting",
                    "author": [{"name": "Ann Stone"}, "Bob Slate"],
                    "dateModified": "2023-02",
                }
            ]
        ),
        {
            "metadata.authors": ("Ann Stone", "Bob Slate"),
            "metadata.modified": "2023-02",
            "classification.sourceType": "blog",
        },
    ),
    _says(
        "JSON-LD with a trailing comma and a raw line break",
        "<script type='application/ld+json'>"
        '{"@type":"NewsArticle","author":"Ann\n Stone",}</script>',
        {"metadata.authors": ("Ann Stone",), "classification.sourceType": "news_publication"},
    ),
    _says(
        "JSON-LD that is beyond repair",
        "<script type='application/ld+json'>{\"@type\": oops</script>"
        "<meta name='author' content='Ann Stone'>",
        {"metadata.authors": ("Ann Stone",), "structured.jsonLd": ()},
    ),
    _says(
        "JSON-LD that is too big to pass on",
        _ld({"@type": "Article", "author": "Ann Stone", "articleBody": "x" * 40_000}),
        {"metadata.authors": ("Ann Stone",), "structured.jsonLd": ()},
    ),
    _says(
        "OpenGraph",
        "<meta property='og:site_name' content='Notes'><meta property='og:type' content='article'>"
        "<meta property='article:published_time' content='2021-03-04'>",
        {
            "metadata.site": "Notes",
            "metadata.published": "2021-03-04",
            "structured.openGraph": {
                "og:site_name": "Notes",
                "og:type": "article",
                "article:published_time": "2021-03-04",
            },
        },
    ),
    _says(
        "Highwire citation tags",
        "<meta name='citation_title' content='On Stone'>"
        "<meta name='citation_author' content='Stone, Ann'>"
        "<meta name='citation_author' content='Slate, Bob'>"
        "<meta name='citation_doi' content='doi:10.1234/abc.5'>"
        "<meta name='citation_publication_date' content='2019/11'>",
        {
            "metadata.title": "On Stone",
            "metadata.authors": ("Stone, Ann", "Slate, Bob"),
            "metadata.doi": "10.1234/abc.5",
            "metadata.published": "2019-11",
            "classification.sourceType": "peer_reviewed",
        },
    ),
    _says(
        "Dublin Core",
        "<meta name='DC.Title' content='On Slate'>"
        "<meta name='DC.Creator' content='Bob Slate'><meta name='DC.Date' content='1999'>",
        {
            "metadata.title": "On Slate",
            "metadata.authors": ("Bob Slate",),
            "metadata.published": "1999",
        },
    ),
    _says(
        "microdata",
        "",
        {"metadata.authors": ("Ann Stone",), "metadata.published": "2018-07-06"},
        "<p itemprop='author' itemscope><span itemprop='name'>Ann Stone</span></p>"
        "<time itemprop='datePublished' datetime='2018-07-06'>last week</time>",
    ),
    _says(
        "a visible byline and date",
        "",
        {"metadata.authors": ("Ann Stone",), "metadata.published": "2017-04-05"},
        "<p class='byline'>By Ann Stone</p><time>5 April 2017</time>",
    ),
    _says(
        "several dates of teasers are not the page's",
        "",
        {"metadata.published": ""},
        "<time datetime='2017-04-05'>then</time><time datetime='2018-04-05'>later</time>",
    ),
    _says(
        "an author that is an address",
        "<meta property='article:author' content='https://social.example/ann'>",
        {"metadata.authors": ()},
    ),
    _says(
        "a date that no calendar has",
        "<meta name='date' content='2021-02-30'>",
        {"metadata.published": ""},
    ),
    _says(
        "canonical address and language with region",
        "<link rel='canonical' href='/notes/quarry'>"
        "<meta name='description' content=' About  a pit. '>",
        {
            "metadata.canonical": "https://quarry.example/notes/quarry",
            "metadata.description": "About a pit.",
            "metadata.language": "en",
        },
    ),
    Trap(
        "title with the site's name behind it",
        "<head><title>On pits | Quarry Notes</title>"
        "<meta property='og:site_name' content='Quarry Notes'></head><p>Words.</p>",
        facts={"metadata.title": "On pits"},
    ),
    Trap(
        "DOI in the address of the page",
        "<title>t</title><p>Words.</p>",
        url="https://journal.example/doi/full/10.5678/xyz.9/abstract",
        facts={"metadata.doi": "10.5678/xyz.9"},
    ),
    Trap(
        "hidden words in the title's characters",
        "<head><title>On\u200b pits\u202e</title></head><p>Words.</p>",
        facts={"metadata.title": "On pits"},
    ),
)
