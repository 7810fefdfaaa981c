"""Synthetic pages for the ranking evaluation: queries, pages and the best page of each query."""

import hashlib
import html
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

NOW = 1794787200.0  # 2026-11-16, the day the pages were written for
_DIRECTORY = Path(__file__).parent
_TEMPLATE = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><title>{title}</title>{metadata}</head>
<body>
<header><nav><a href="/">Home</a> <a href="/about">About</a></nav></header>
<main><article><h1>{title}</h1>
{body}
</article></main>
<footer><p>Imprint · Privacy · Cookies</p></footer>
</body></html>
"""


@dataclass(frozen=True)
class Page:
    """One page."""

    name: str
    url: str
    title: str
    date: str
    html: str


@dataclass(frozen=True)
class Query:
    """A query, the pages that the search returns, and which of them should rank first."""

    text: str
    best: str
    why: str
    pages: tuple[Page, ...]
    topic: str

    @property
    def best_url(self) -> str:
        """The URL of the best page."""
        return next(page.url for page in self.pages if page.name == self.best)


@cache
def queries() -> tuple[Query, ...]:
    """Return all queries, by topic."""
    return tuple(
        _query(entry, path.stem)
        for path in sorted(_DIRECTORY.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["query"]
    )


@cache
def pages() -> dict[str, Page]:
    """Return every page by its URL."""
    return {page.url: page for query in queries() for page in query.pages}


def _query(entry: dict[str, Any], topic: str) -> Query:
    texts = {page["name"]: page.get("text", "") for page in entry["page"]}
    search_order = tuple(
        _page(page, texts) for page in sorted(entry["page"], key=_shuffle_key(entry["text"]))
    )
    query = Query(entry["text"], entry["best"], entry["why"], search_order, topic)
    if query.best not in texts or len(texts) != len(search_order):
        raise ValueError(f"{query.text}: unknown `best` page, or a page name is used twice")
    return query


def _shuffle_key(query: str) -> Callable[[dict[str, Any]], str]:
    """Return a sort key for a pseudo-random order, so that the best page may be anywhere."""
    return lambda page: hashlib.sha256(f"{query}\n{page['url']}".encode()).hexdigest()


def _page(entry: dict[str, Any], texts: dict[str, str]) -> Page:
    text: str = entry.get("text") or _copied(entry, texts)
    title: str = entry["title"]
    source = _TEMPLATE.format(
        language=entry.get("language", "en"),
        title=html.escape(title),
        metadata=_metadata(entry),
        body="\n".join(map(_block, text.strip().split("\n\n"))),
    )
    return Page(entry["name"], entry["url"], title, entry.get("date", ""), source)


def _copied(entry: dict[str, Any], texts: dict[str, str]) -> str:
    paragraphs = texts[entry["copy"]].strip().split("\n\n")
    copied = paragraphs[: len(paragraphs) - entry.get("drop", 0)]
    return "\n\n".join([*([entry["intro"]] if "intro" in entry else []), *copied])


def _metadata(entry: dict[str, Any]) -> str:
    dates = {"datePublished": entry.get("date"), "dateModified": entry.get("modified")}
    known_dates = {name: value for name, value in dates.items() if value}
    links = f'<link rel="canonical" href="{entry["canonical"]}">' if "canonical" in entry else ""
    if not known_dates:
        return links
    about = {"@context": "https://schema.org", "@type": entry.get("kind", "WebPage"), **known_dates}
    return f'<script type="application/ld+json">{json.dumps(about)}</script>{links}'


def _block(text: str) -> str:
    head, _, rest = text.strip().partition("\n")
    if heading := re.fullmatch(r"## (.+)", head):
        below = _block(rest) if rest else ""
        return f"<h2>{html.escape(heading[1])}</h2>{below}"
    if head.startswith("- "):
        items = "".join(f"<li>{html.escape(line[2:])}</li>" for line in text.strip().split("\n"))
        return f"<ul>{items}</ul>"
    return f"<p>{html.escape(text.strip())}</p>"
