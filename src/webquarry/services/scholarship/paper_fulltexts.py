"""Finds the best text of a paper that is openly available, and reads it by section."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from webquarry.content.citations.identifiers import doi_url
from webquarry.content.papers.jats import read_jats
from webquarry.content.papers.latexml import read_latexml
from webquarry.errors import PageError, ProviderError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.paper_text import (
    FullTextFile,
    OpenPlace,
    PaperFullText,
    PaperIds,
    PaperText,
)
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.providers.capabilities_works import HoldsFullTexts
from webquarry.reading.page_cache import PageCache, cache_key
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.lookup import DirectLookup
from webquarry.services.scholarship.open_files import OpenFile
from webquarry.services.scholarship.paper_identity import identify
from webquarry.services.scholarship.paper_records import PaperRecords

# the published text by section before the preprint
_ORDER = ("europepmc", "pubmed", "biorxiv", "arxiv_html", "ar5iv")
_MAX_PLACES = 5
_SECONDS_PER_PLACE = 50.0
_PARSE_SECONDS = 10.0  # of CPU time
_READERS = {"jats": read_jats, "latexml": read_latexml}


class ReadsOpenFiles(Protocol):
    """Reads a paper at a URL."""

    async def read(self, url: str, caller: Caller, *, is_pdf: bool) -> OpenFile:
        """Return the paper; its `complete` tells whether that is an article."""
        ...


class _Place(NamedTuple):
    """A URL where the text may be open, and what is said about that copy."""

    url: str
    is_pdf: bool
    licence: str = ""
    version: str = ""
    is_open: bool = True  # a registry says so


@dataclass
class _Search:
    """The search for the text of one work."""

    records: PaperRecords
    caller: Caller
    tried: set[tuple[str, PaperIds]] = field(default_factory=set[tuple[str, PaperIds]])
    unreadable: list[str] = field(default_factory=list[str])  # open copies, with the reasons


@dataclass(frozen=True)
class PaperFullTexts:
    """Reads papers for callers."""

    choices: ProviderDirectory
    files: ReadsOpenFiles
    parsers: Parsers
    cache: PageCache
    isolate: bool = False  # each tenant has its own cache

    async def read(self, paper: str, caller: Caller) -> PaperFullText:
        """Return the text of a paper, or where it is if it is not openly available."""
        ids = identify(paper)
        scope = caller.tenant if self.isolate else ""
        key = cache_key(scope, "fulltext", ids.model_dump_json())
        if cached := await self.cache.get(key, PaperFullText):
            return cached[0]
        found = await self._find(_Search(PaperRecords(self.choices, ids), caller))
        self.cache.put(key, found, owner=caller)
        return found

    async def _find(self, search: _Search) -> PaperFullText:
        records = search.records
        page = await self._given_page(search)
        if page and page.complete:
            return await self._with_notice(_of_file(records, page, _Place(page.url, is_pdf=False)))
        await records.resolve()
        found = await self._from_sources(search)
        if found is None:
            await records.look_up()
            found = await self._from_sources(search) or await self._from_places(search)
        if found is None:
            found = _unavailable(search, page)
        return await self._with_notice(found)

    async def _given_page(self, search: _Search) -> OpenFile | None:
        """Read a URL that is none of a registry: a file, an article, or a page with a DOI."""
        records = search.records
        url = records.ids.url
        if not url or records.ids.doi:
            return None
        page = await self.files.read(url, search.caller, is_pdf=url.lower().endswith(".pdf"))
        if page.paper.doi:
            records.ids = records.ids.model_copy(update={"doi": page.paper.doi})
        return page

    async def _from_sources(self, search: _Search) -> PaperFullText | None:
        """Ask the sources of texts by section that know one of the identifiers."""
        ready = self.choices.of(HoldsFullTexts).ready
        for name in _order(search.records.ids, ready):
            source = ready[name]
            ids = search.records.ids
            known = ids.model_dump(include=set(source.full_text_ids), exclude_none=True)
            asked = (name, PaperIds(**known))
            if not known or asked in search.tried:
                continue
            search.tried.add(asked)
            try:
                file = await source.full_text(ids)
                paper = await self._parsed(file, name) if file else None
            except WebquarryError as error:
                search.records.fail(name, error)
                continue
            if file and paper:
                return _of_source(search.records, name, file, paper)
        return None

    async def _parsed(self, file: FullTextFile, name: str) -> PaperText | None:
        reader = _READERS[file.format]
        task = ParseTask(
            reader, f"The text from {name}", seconds=_PARSE_SECONDS, error=ProviderError
        )
        return await self.parsers.run(task, file.content)

    async def _from_places(self, search: _Search) -> PaperFullText | None:
        """Read the open copies that registries list."""
        for place in _places(search.records)[:_MAX_PLACES]:
            try:
                async with asyncio.timeout(_SECONDS_PER_PLACE):
                    file = await self.files.read(place.url, search.caller, is_pdf=place.is_pdf)
            except TimeoutError:
                search.unreadable.append(f"{place.url} took too long")
                continue
            except WebquarryError as error:
                if place.is_open:
                    search.unreadable.append(str(error).rstrip("."))
                continue
            if file.complete:
                return _of_file(search.records, file, place)
            if place.is_open:
                search.unreadable.append(f"{place.url} shows no full text")
        return None

    async def _with_notice(self, found: PaperFullText) -> PaperFullText:
        doi = found.ids.doi or found.paper.doi
        if not doi:
            return found
        status, notes = await DirectLookup(self.choices).notice(doi)
        paper = found.paper.model_copy(update={"notes": (*found.paper.notes, *notes)})
        return found.model_copy(update={"retraction": status, "paper": paper})


def _order(ids: PaperIds, names: Iterable[str]) -> list[str]:
    """Return the sources to ask: a paper that is named by its arXiv number is read there."""
    known = [name for name in _ORDER if name in names]
    if not ids.arxiv or ids.doi:
        return known
    return sorted(known, key=lambda name: name not in ("arxiv_html", "ar5iv"))


def _places(records: PaperRecords) -> list[_Place]:
    """Return where the text may be open, the best first; each URL once."""
    places = [*_listed_places(records), *_recorded_places(records)]
    by_url = {place.url: place for place in reversed(places) if place.url.startswith("http")}
    return list(reversed(by_url.values()))


def _listed_places(records: PaperRecords) -> Iterable[_Place]:
    """Yield the places that Unpaywall lists."""
    for copy in records.copies:
        for location in copy.locations:
            for url, is_pdf in ((location.page, False), (location.pdf, True)):
                licence, version = location.licence or "", location.version or ""
                yield _Place(url or "", is_pdf, licence, version)


def _recorded_places(records: PaperRecords) -> Iterable[_Place]:
    """Yield the PDF files and pages of the records."""
    works = [work for work in records.works if work.openAccess is not False]
    yield from (_Place(work.pdfUrl, is_pdf=True) for work in works if work.pdfUrl)
    if number := records.ids.arxiv:
        url = f"https://arxiv.org/pdf/{number}{records.ids.arxiv_version or ''}"
        yield _Place(url, is_pdf=True, version="submittedVersion")
    yield from (_Place(work.url, is_pdf=False) for work in works if work.openAccess)


def _of_source(
    records: PaperRecords, name: str, file: FullTextFile, paper: PaperText
) -> PaperFullText:
    said = {
        "licence": file.licence or paper.licence,
        "version": file.version or paper.version,
    }
    return PaperFullText(
        paper=_described(paper.model_copy(update=said), records),
        ids=_ids(records, paper),
        available=True,
        source=name,
        format=file.format,
        url=file.url,
        abstract=_abstract(records),
    )


def _of_file(records: PaperRecords, file: OpenFile, place: _Place) -> PaperFullText:
    said = {"licence": place.licence, "version": place.version}
    return PaperFullText(
        paper=_described(file.paper.model_copy(update=said), records),
        ids=_ids(records, file.paper),
        available=True,
        source="open_copy",
        format=file.format,
        url=file.url,
        abstract=_abstract(records),
    )


def _unavailable(search: _Search, page: OpenFile | None) -> PaperFullText:
    """Return where the paper is; raise if the reason is only that something did not respond."""
    records, where = search.records, _where(search.records)
    told = f" It is at {where[0].url}." if where else ""
    if search.unreadable:
        reasons = "; ".join(dict.fromkeys(search.unreadable))
        raise PageError(
            f"The paper is openly available but could not be read here: {reasons}.{told}",
            details={"where": [place.url for place in where]},
        )
    if records.failures:
        raise ProviderError(
            "No open copy was found, but not all sources could be checked, so there may be one: "
            f"{'; '.join(dict.fromkeys(records.failures))}.{told} Retry later.",
            details={"where": [place.url for place in where]},
        )
    paper = page.paper.model_copy(update={"sections": (), "notes": ()}) if page else PaperText()
    return PaperFullText(
        paper=_described(paper, records),
        ids=_ids(records, paper),
        available=False,
        abstract=_abstract(records),
        where=where,
    )


def _where(records: PaperRecords) -> tuple[OpenPlace, ...]:
    ids = records.ids
    known = [
        (doi_url(ids.doi) if ids.doi else "", "the publisher's page"),
        (f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/" if ids.pmid else "", "PubMed: abstract"),
        (ids.url or "", "the given page"),
        *((work.url, f"record of {work.source}") for work in records.works),
    ]
    found = {url: what for url, what in reversed(known) if url}
    return tuple(OpenPlace(url=url, what=what) for url, what in reversed(found.items()))


def _described(paper: PaperText, records: PaperRecords) -> PaperText:
    """Fill what the text does not say from the records of registries."""
    work = next(iter(records.works), None)
    values = {
        "title": work.title if work else records.ids.title,
        "authors": work.authors if work else (),
        "journal": work.journal if work else "",
        "published": (work.published or str(work.year or "")) if work else "",
        "doi": records.ids.doi,
    }
    missing = {name: value for name, value in values.items() if value and not getattr(paper, name)}
    return paper.model_copy(update=missing)


def _ids(records: PaperRecords, paper: PaperText) -> PaperIds:
    doi = records.ids.doi or paper.doi or None
    return records.ids.model_copy(update={"doi": doi})


def _abstract(records: PaperRecords) -> str:
    return next((work.abstract for work in records.works if work.abstract), "")
