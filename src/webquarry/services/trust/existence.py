"""Checks in scholarly registries whether a cited work exists."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from webquarry.content.citations.identifiers import without_arxiv_version
from webquarry.content.citations.reference_match import ReferenceParts
from webquarry.content.citations.reference_parser import title_in, without_urls
from webquarry.content.text.length_limits import cap_text
from webquarry.models.retraction import RetractionStatus
from webquarry.models.trust import Existence, Standing
from webquarry.models.works import Lookup, Work
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.batch_lookup import BatchLookup
from webquarry.services.scholarship.lookup import DirectLookup, LooksUpReferences, TitleLookups
from webquarry.services.scholarship.papers import paper_of
from webquarry.services.trust.cited_work import (
    CitedWork,
    RecordMatch,
    best_match,
    difference_reason,
    differences,
    is_known_as_preprint_only,
    match_records,
    match_registered,
    without_publication,
)

_SIMILAR_TITLE = 0.6  # similarity of titles that may be confused
_MIN_HALF_WORDS = 3  # enough words of a title to find it
_MAX_QUERY_CHARS = 400  # characters of a reference to look up
_MAX_RECORDS = 2  # two that differ from a reference are enough
_MATCHER = "semanticscholar"  # finds titles with typos, so halves of them need not be looked up


class ExistenceChecker:
    """Looks up works; a registry that does not respond never counts as not listing the work."""

    def __init__(self, choices: ProviderDirectory, lookup: LooksUpReferences | None = None) -> None:
        self.choices = choices
        self._lookup = lookup or DirectLookup(choices)

    @asynccontextmanager
    async def batched(self) -> AsyncGenerator["ExistenceChecker"]:
        """Yield a checker for many references at the same time: their DOIs share requests."""
        async with BatchLookup(self.choices) as lookup:
            yield ExistenceChecker(self.choices, lookup)

    async def check_doi(
        self, doi: str, other_text: str = "", parts: ReferenceParts | None = None
    ) -> Existence:
        """Look up a DOI, and compare the rest of the citation with its record."""
        cited = CitedWork(other_text, parts)
        lookups = await self._records(doi, cited)
        provenance = [_lookup_note(lookup) for lookup in lookups]
        works = [lookup.work for lookup in lookups if lookup.work]
        if works:
            match = match_registered(cited, works)
            match = await self._published(cited, match, lookups, provenance)
            return await self._described(cited, match, works, provenance)
        if (plain := without_arxiv_version(doi)) != doi:  # only the work itself is registered
            return await self.check_doi(plain, other_text, parts)
        found = await self._registration(doi, lookups, provenance, compared=cited.has_text)
        if found.standing != "not_found" or not cited.has_text:
            return found
        return await self._with_similar_work(found, other_text, parts)

    async def _records(self, doi: str, cited: CitedWork) -> list[Lookup]:
        """Ask one registry after the other, until one confirms the reference."""
        lookups: list[Lookup] = []
        for name in self._lookup.doi_registries():
            works = [lookup.work for lookup in lookups if lookup.work]
            if works and cited.is_confirmed_by(match_records(cited, works).comparison):
                break
            if len(works) >= _MAX_RECORDS:
                break
            lookups.append(await self._lookup.doi(name, doi))
        return lookups

    async def _published(
        self, cited: CitedWork, match: RecordMatch, lookups: Sequence[Lookup], provenance: list[str]
    ) -> RecordMatch:
        """Look for the publication of a work that is cited by the DOI of its preprint."""
        if not is_known_as_preprint_only(cited, match):
            return match
        found = await self._candidates(cited)
        provenance += _title_notes(found)
        twin = _best(cited, found)
        if twin and twin.comparison.title == "match":
            match = match_registered(cited, (*match.works, *twin.works))
        silent = _failed(found) or [each for each in lookups if each.status == "unchecked"]
        return match if silent else without_publication(cited, match)

    async def describe(self, cited: CitedWork, work: Work, provenance: list[str]) -> Existence:
        """Compare a citation with the record of the work that it identifies."""
        return await self._described(cited, match_registered(cited, [work]), [work], provenance)

    async def _described(
        self, cited: CitedWork, match: RecordMatch, works: Sequence[Work], provenance: list[str]
    ) -> Existence:
        """Return the result for an identifier that registries describe."""
        found = differences(cited, match)
        return Existence(
            standing="uncertain" if found else "confirmed",
            record=paper_of(works[0]),
            confidence="low" if found else "high",
            differences=found,
            title=match.comparison.title,
            retraction=await self._notice(works, provenance),
            reason=difference_reason(found),
            provenance=tuple(provenance),
        )

    async def check_reference(self, text: str, parts: ReferenceParts | None = None) -> Existence:
        """Look up a reference by its title, and compare all of its parts."""
        cited = CitedWork(text, parts)
        lookups = await self._candidates(cited)
        provenance = _title_notes(lookups)
        match = _best(cited, lookups)
        if match is None or match.comparison.similarity < _SIMILAR_TITLE:
            return _not_found(lookups, provenance)
        if match.comparison.title == "match":
            return await self._matching(cited, match, lookups, provenance)
        return _similar(cited, match, _not_found(lookups, provenance))

    async def _candidates(self, cited: CitedWork) -> TitleLookups:
        """Ask one group of registries after the other, until a record confirms the reference."""
        full_text = without_urls(cited.text)
        title = (cited.parts.title if cited.parts else title_in(cited.text)) or full_text
        lookups: TitleLookups = {}
        for names in self._lookup.title_registries():
            found = await asyncio.gather(*(self._lookup.title(name, title) for name in names))
            lookups |= zip(names, found, strict=True)
            if _is_confirmed(cited, lookups):
                return lookups
        if _MATCHER in lookups and cited.parts:
            return lookups
        match = _best(cited, lookups)
        if match is None or match.comparison.title != "match":
            lookups |= await self._variants(title, title if cited.parts else full_text)
        return lookups

    async def _matching(
        self, cited: CitedWork, match: RecordMatch, lookups: TitleLookups, provenance: list[str]
    ) -> Existence:
        """Return the result for a work with the same title."""
        failed = _failed(lookups)
        match = match if failed else without_publication(cited, match)
        fits = match.comparison.fits
        if match.comparison.authors == "mismatch" and failed:
            # another work of this title may be listed where nobody responded
            found = _unchecked(failed, provenance)
            return found.model_copy(update={"near": paper_of(match.work), "title": "match"})
        found = differences(cited, match)
        return Existence(
            standing="confirmed" if fits else "uncertain",
            record=paper_of(match.work) if fits else None,
            near=None if fits else paper_of(match.work),
            confidence="high" if fits else "low",
            differences=found,
            title="match",
            retraction=await self._notice(match.works, provenance) if fits else None,
            reason=difference_reason(found),
            provenance=tuple(provenance),
        )

    async def _variants(self, title: str, full_text: str) -> TitleLookups:
        """Look up halves of the title and the full text: the title may be cut wrongly."""
        ready = {name for group in self._lookup.title_registries() for name in group}
        words = title.split()
        half = len(words) // 2
        queries: list[tuple[str, str]] = []
        if half >= _MIN_HALF_WORDS:
            queries += (("openalex", " ".join(part)) for part in (words[:half], words[half:]))
        if full_text != title:
            queries.append(("crossref", cap_text(full_text, _MAX_QUERY_CHARS)))
        sent = [(number, *each) for number, each in enumerate(queries, 2) if each[0] in ready]
        found = await asyncio.gather(*(self._lookup.title(name, text) for _, name, text in sent))
        names = [f"{name} (try {number})" for number, name, _ in sent]
        return dict(zip(names, found, strict=True))

    async def _registration(
        self, doi: str, lookups: Sequence[Lookup], provenance: list[str], *, compared: bool
    ) -> Existence:
        registered = await self._lookup.registration(doi)
        provenance.append(_lookup_note(registered))
        every = [*lookups, registered]
        silent = [lookup.provider for lookup in every if lookup.status == "unchecked"]
        if registered.status == "found":
            return _registered(silent if compared else [], provenance)
        # the DOI registry decides; without its response, every agency must have none
        if registered.status == "not_found" or not silent:
            return _missing("not_found", "No agency has registered this DOI.", provenance)
        return _unchecked(silent, provenance)

    async def _with_similar_work(
        self, found: Existence, other_text: str, parts: ReferenceParts | None
    ) -> Existence:
        """Add the work that the rest of a citation describes when its DOI does not exist."""
        other = await self.check_reference(other_text, parts)
        near = other.record or other.near
        provenance = (*found.provenance, *other.provenance)
        return found.model_copy(update={"near": near, "provenance": provenance}) if near else found

    async def _notice(
        self, works: Sequence[Work], provenance: list[str]
    ) -> RetractionStatus | None:
        """Return the most serious notice about a work; failed queries go to `provenance`."""
        known = next((work.retraction for work in works if work.retraction), None)
        doi = next((work.doi for work in works if work.doi), None)
        notices_known = any(work.noticesKnown for work in works)
        if notices_known or not doi or (known and known.noticeDoi):
            return known
        found, notes = await self._lookup.notice(doi)
        provenance += notes
        return found or known


def invalid_doi(text: str) -> Existence:
    """Return the result for text that cannot be a DOI."""
    return Existence(standing="not_found", reason=f"{text.strip()} is not a valid DOI.")


def _best(cited: CitedWork, lookups: TitleLookups) -> RecordMatch | None:
    works = [work for found in lookups.values() if not isinstance(found, Lookup) for work in found]
    return best_match(cited, works)


def _is_confirmed(cited: CitedWork, lookups: TitleLookups) -> bool:
    match = _best(cited, lookups)
    return match is not None and cited.is_confirmed_by(match.comparison)


def _similar(cited: CitedWork, match: RecordMatch, not_found: Existence) -> Existence:
    """Return the result for a similar title; of the same authors, it is the cited work."""
    near = {"near": paper_of(match.work), "title": "mismatch"}
    if not_found.standing == "unchecked" or match.comparison.authors != "match":
        return not_found.model_copy(update=near)
    found = differences(cited, match)
    told = {"standing": "uncertain", "confidence": "low", "differences": found}
    return not_found.model_copy(update=near | told | {"reason": difference_reason(found)})


def _registered(silent: Sequence[str], provenance: list[str]) -> Existence:
    """Return the result for a registered DOI; it may still be that of another work."""
    reason = (
        f"The DOI is registered, but not compared: no response from {', '.join(silent)}."
        if silent
        else "The DOI is registered, but no configured registry describes the work."
    )
    return Existence(
        standing="unchecked" if silent else "confirmed",
        registered=True,
        confidence="medium",
        reason=reason,
        provenance=tuple(provenance),
    )


def _failed(lookups: TitleLookups) -> list[str]:
    return [found.provider for found in lookups.values() if isinstance(found, Lookup)]


def _not_found(lookups: TitleLookups, provenance: list[str]) -> Existence:
    failed = _failed(lookups)
    if failed or not lookups:
        return _unchecked(failed, provenance)
    names = ", ".join(dict.fromkeys(name.partition(" (")[0] for name in lookups))
    return _missing("not_found", f"No work with this title is listed by {names}.", provenance)


def _unchecked(silent: Sequence[str], provenance: Sequence[str]) -> Existence:
    names = ", ".join(dict.fromkeys(silent)) or "any registry"
    return _missing("unchecked", f"Could not check: no response from {names}.", provenance)


def _missing(standing: Standing, reason: str, provenance: Sequence[str]) -> Existence:
    return Existence(standing=standing, reason=reason, provenance=tuple(provenance))


def _title_notes(lookups: TitleLookups) -> list[str]:
    return [
        _lookup_note(found) if isinstance(found, Lookup) else f"{name}: {len(found)} candidates"
        for name, found in lookups.items()
    ]


def _lookup_note(lookup: Lookup) -> str:
    reason = f" ({lookup.reason})" if lookup.reason else ""
    return f"{lookup.provider}: {lookup.status.replace('_', ' ')}{reason}"
