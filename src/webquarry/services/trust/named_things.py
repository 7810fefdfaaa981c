"""Checks what is not identified by a DOI: arXiv works, PubMed articles, books, court cases."""

import re

from webquarry.content.citations.identifiers import arxiv_doi
from webquarry.content.citations.reference_kind import NamedThing, is_isbn
from webquarry.content.citations.reference_parser import title_in, without_urls
from webquarry.content.citations.title_match import title_similarity
from webquarry.models.records import Case, CaseQuery, RecordsFound
from webquarry.models.trust import Existence
from webquarry.models.works import Lookup, Paper, Work
from webquarry.providers.capabilities_records import SearchesCases
from webquarry.providers.capabilities_works import FindsBooks, LooksUpIdentifiers
from webquarry.services.scholarship.lookup import query
from webquarry.services.scholarship.papers import paper_of
from webquarry.services.trust.cited_work import CitedWork, best_match
from webquarry.services.trust.existence import ExistenceChecker

# catalogues that do not list everything
_INCOMPLETE = {
    "isbn": (
        "openlibrary",
        "Open Library lists no book with this ISBN, but it does not list every book.",
    ),
    "pmcid": (
        "europepmc",
        "Europe PMC lists no article with this number, but it does not list every one.",
    ),
}
_SAME_NAME = 0.5  # common words of two names of a case
_CASES = 10


class NamedThingChecker:
    """Asks those who know a kind of thing; without them it is `unchecked`."""

    def __init__(self, existing: ExistenceChecker) -> None:
        self._existing = existing
        self._choices = existing.choices

    async def check(self, thing: NamedThing, cited: CitedWork) -> Existence:
        """Look up what a citation identifies, and compare the rest of it with the record."""
        if thing.kind == "case":
            return await self._check_case(thing)
        if thing.kind == "arxiv":
            return await self._check_arxiv(thing, cited)
        return await self._check_number(thing, cited)

    async def _check_number(self, thing: NamedThing, cited: CitedWork) -> Existence:
        if thing.kind == "isbn" and not is_isbn(thing.value):
            return Existence(standing="not_found", reason=f"{thing.value} is not a valid ISBN.")
        found = await self._identified(thing)
        if isinstance(found, Lookup):
            return _unchecked(found)
        if found is not None:
            return await self._existing.describe(cited, found, [f"{found.source}: found"])
        if thing.kind == "pmid":
            reason = "PubMed lists no article with this number."
            return Existence(standing="not_found", reason=reason, provenance=("pubmed: not found",))
        provider, reason = _INCOMPLETE[thing.kind]
        return Existence(
            standing="unchecked", reason=reason, provenance=(f"{provider}: not found",)
        )

    async def check_book(self, cited: CitedWork) -> Existence | None:
        """Look for a book with the title of a reference; None if none was found."""
        title = cited.parts.title if cited.parts else title_in(cited.text)
        for name, provider in self._choices.of(FindsBooks).ready.items():
            found = await query(name, lambda finder=provider: finder.books_by_title(title))
            if isinstance(found, Lookup):
                return _unchecked(found)
            books = [_without_edition(book) for book in found]
            match = best_match(_without_year(cited), books)
            if match and match.comparison.fits and match.comparison.authors != "not_checked":
                record = next(book for book in found if book.url == match.work.url)
                return Existence(
                    standing="confirmed",
                    record=paper_of(record),
                    confidence="high",
                    title="match",
                    provenance=(f"{name}: {len(found)} candidates",),
                )
        return None

    async def _check_arxiv(self, thing: NamedThing, cited: CitedWork) -> Existence:
        doi = arxiv_doi(thing.value)
        registered = await self._existing.check_doi(doi, cited.text, cited.parts)
        if registered.standing not in ("not_found", "unchecked"):
            return registered
        found = await self._identified(thing)
        if isinstance(found, Lookup):
            return _unchecked(found)
        if found is not None:
            return await self._existing.describe(cited, found, ["arxiv: found"])
        return registered.model_copy(
            update={
                "standing": "not_found",
                "reason": "arXiv lists no work with this number.",
                "provenance": (*registered.provenance, "arxiv: not found"),
            }
        )

    async def _identified(self, thing: NamedThing) -> Work | Lookup | None:
        for name, provider in self._choices.of(LooksUpIdentifiers).ready.items():
            if thing.kind in provider.identifiers:
                return await query(
                    name, lambda p=provider: p.work_by_identifier(thing.kind, thing.value)
                )
        reason = "no provider is configured"
        return Lookup(provider=thing.kind, status="unchecked", reason=reason)

    async def _check_case(self, thing: NamedThing) -> Existence:
        """Look for a case by its name, then by the report that printed it."""
        near: Case | None = None
        for text in (thing.value, f'"{thing.report}"'):
            found = await self._cases(text)
            if isinstance(found, Lookup):
                return _unchecked(found)
            exact = [case for case in found.items if _is_case(case, thing)]
            if exact:
                return Existence(
                    standing="confirmed",
                    record=_paper(exact[0]),
                    confidence="high",
                    provenance=("courtlistener: found",),
                )
            near = near or next(iter(found.items), None)
        reason = f"CourtListener lists no case {thing.value}, {thing.report}."
        return Existence(
            standing="not_found",
            near=_paper(near) if near else None,
            reason=reason,
            provenance=("courtlistener: not found",),
        )

    async def _cases(self, text: str) -> RecordsFound[Case] | Lookup:
        wanted = CaseQuery(text=text, count=_CASES)
        for name, provider in self._choices.of(SearchesCases).ready.items():
            return await query(name, lambda p=provider: p.search_cases(wanted))
        reason = "no provider is configured"
        return Lookup(provider="courtlistener", status="unchecked", reason=reason)


def _unchecked(lookup: Lookup) -> Existence:
    return Existence(
        standing="unchecked",
        reason=f"Could not check: no response from {lookup.provider}.",
        provenance=(f"{lookup.provider}: unchecked ({lookup.reason})",),
    )


def _is_case(case: Case, thing: NamedThing) -> bool:
    """Tell whether a case has the cited report, or the same name and year."""
    if _plain(thing.report) in _plain(case.citation or ""):
        return True
    named = title_similarity(case.caseName, thing.value) >= _SAME_NAME
    return named and thing.year is not None and (case.dateFiled or "").startswith(str(thing.year))


def _plain(citation: str) -> str:
    return re.sub(r"[\s.]+", "", citation).lower()


def _paper(case: Case) -> Paper:
    year = (case.dateFiled or "")[:4]
    return Paper(
        title=case.caseName,
        url=case.url or "",
        source=case.source,
        journal=case.citation or case.court,
        year=int(year) if year.isdecimal() else None,
    )


def _without_edition(book: Work) -> Work:
    """Return a book without its year: a reference is often to another edition."""
    return book.model_copy(update={"year": None, "publisher": None})


def _without_year(cited: CitedWork) -> CitedWork:
    if cited.parts:
        return CitedWork(cited.text, cited.parts._replace(year=None, venue=""))
    return CitedWork(without_urls(cited.text))
