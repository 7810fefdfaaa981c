"""arXiv, preprints (https://info.arxiv.org/help/api/user-manual.html)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from webquarry.content.citations.identifiers import arxiv_id, clean_doi
from webquarry.errors import ProviderError
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.providers.works_wire import (
    DOI_SOURCES,
    WORK_LIMITS,
    parse_xml,
    present_ids,
    text_of,
    year_of,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Node  # pyright: ignore[reportPrivateUsage]

_ATOM = "{http://www.w3.org/2005/Atom}"
_OWN = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_PART = re.compile(r'"([^"]+)"|([^\s"()\[\]:,;]+)')
_FIRST, _LAST = "199001010000", "299912312359"


class Arxiv:
    """Finds preprints, all of them free. Needs no key; allows a request every three seconds."""

    about: ClassVar = ProviderInfo(
        name="arxiv",
        docs="https://info.arxiv.org/help/api/user-manual.html",
        base_url="https://export.arxiv.org",
    )
    work_support: ClassVar = WorkSearchSupport(
        max_results=100,
        filters=frozenset({"years", "open_access", "pdf_only", "newest"}),
        sources=frozenset({"arxiv"}),
        recognised_sources=DOI_SOURCES,
    )

    identifiers: ClassVar = frozenset({"arxiv"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = replace(WORK_LIMITS, per_second=1 / 3, burst=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def search_works(self, query: WorkQuery) -> Works:
        params = {
            "search_query": _terms(query),
            "start": 0,
            "max_results": query.count,
            "sortBy": "submittedDate" if query.newest else "relevance",
            "sortOrder": "descending",
        }
        response = await self._api.get("api/query", params=params)
        feed = parse_xml(response.content, "feed", self.about.name)
        total = text_of(feed.find(_TOTAL))
        items = tuple(self._works(feed))
        return Works(items=items, total=int(total) if total.isdecimal() else None)

    async def work_by_identifier(self, kind: str, value: str) -> Work | None:
        params = {"id_list": value, "max_results": 1}
        response = await self._api.get("api/query", params=params)
        feed = parse_xml(response.content, "feed", self.about.name)
        return next(iter(self._works(feed)), None)

    def _works(self, feed: "Node") -> Iterator[Work]:
        for entry in feed.iterfind(f"{_ATOM}entry"):
            name = text_of(entry.find(f"{_ATOM}id"))
            if "/api/errors" in name:  # errors are reported as entries
                message = text_of(entry.find(f"{_ATOM}summary"))
                raise ProviderError(
                    f"Request refused ({self.about.name}): {message[:200]}.",
                    provider=self.about.name,
                )
            if work := _work(entry, name):
                yield work


def _terms(query: WorkQuery) -> str:
    """Return the query in arXiv's syntax: all words must occur, within the years."""
    parts = [phrase or word for phrase, word in _PART.findall(query.text)]
    words = [part for part in parts if part not in {"AND", "OR", "ANDNOT"}]
    terms = [f'all:"{word}"' if " " in word else f"all:{word}" for word in words]
    if query.year_from or query.year_to:
        first = f"{query.year_from}01010000" if query.year_from else _FIRST
        last = f"{query.year_to}12312359" if query.year_to else _LAST
        terms.append(f"submittedDate:[{first} TO {last}]")
    return " AND ".join(terms)


def _work(entry: "Node", name: str) -> Work | None:
    number, title = arxiv_id(name), text_of(entry.find(f"{_ATOM}title"))
    if not number or not title:
        return None
    published = text_of(entry.find(f"{_ATOM}published"))[:10] or None
    pdfs = (
        link.get("href") for link in entry.iterfind(f"{_ATOM}link") if link.get("title") == "pdf"
    )
    return Work(
        title=title,
        url=f"https://arxiv.org/abs/{number}",
        source="arxiv",
        doi=clean_doi(text_of(entry.find(f"{_OWN}doi"))),
        authors=tuple(filter(None, map(text_of, entry.iterfind(f"{_ATOM}author/{_ATOM}name")))),
        journal=text_of(entry.find(f"{_OWN}journal_ref")) or "arXiv",
        year=year_of(published),
        published=published,
        abstract=text_of(entry.find(f"{_ATOM}summary")),
        openAccess=True,
        pdfUrl=next(pdfs, None) or f"https://arxiv.org/pdf/{number}",
        ids=present_ids(arxiv=number),
        type="preprint",
    )
