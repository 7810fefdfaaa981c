"""Checks in scholarly registries whether a cited work exists."""

import asyncio
from collections.abc import Sequence

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.citations.reference_match import (
    Comparison,
    ReferenceParts,
    compare,
    compare_parts,
)
from webquarry.content.citations.reference_parser import title_in, without_urls
from webquarry.content.text.spelling import normalized_words, same_word
from webquarry.errors import WebquarryError
from webquarry.models.reading import RetractionStatus
from webquarry.models.trust import Existence, Standing, TitleMatch
from webquarry.models.works import Lookup, Paper, Work
from webquarry.providers.capabilities_works import KnowsNotices
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.lookup import lookup_doi, lookup_registration, lookup_title
from webquarry.services.scholarship.papers import paper_of

_SIMILAR_TITLE = 0.6  # similarity of titles that may be confused
_MAX_UNKNOWN_WORDS = 1  # one may be a typo; two are another work
_MIN_HALF_WORDS = 3  # enough words of a title to find it
_MAX_QUERY_CHARS = 400  # characters of a reference to look up
TitleLookups = dict[str, tuple[Work, ...] | Lookup]


class ExistenceChecker:
    """Looks up works; a registry that does not respond never counts as not listing the work."""

    def __init__(self, choices: ProviderDirectory) -> None:
        self._choices = choices

    async def check_doi(
        self, doi: str, other_text: str = "", parts: ReferenceParts | None = None
    ) -> Existence:
        """Look up a DOI, and compare the rest of the citation with its record."""
        lookups = await lookup_doi(self._choices, doi)
        provenance = [_lookup_note(lookup) for lookup in lookups]
        work = next((lookup.work for lookup in lookups if lookup.work), None)
        if work is None:
            has_text = bool(parts.title) if parts else _has_reference_text(other_text)
            found = await self._registration(doi, lookups, provenance, compared=has_text)
            if found.standing != "not_found" or not has_text:
                return found
            return await self._with_similar_work(found, other_text, parts)
        title, mismatches = _compare_other_text(other_text, parts, work)
        return Existence(
            standing="uncertain" if mismatches else "confirmed",
            record=paper_of(work),
            confidence="low" if mismatches else "high",
            mismatches=mismatches,
            title=title,
            retraction=await self._notice(work, provenance),
            reason=_mismatch_reason(mismatches),
            provenance=tuple(provenance),
        )

    async def check_reference(self, text: str, parts: ReferenceParts | None = None) -> Existence:
        """Look up a reference by its title, and compare all of its parts."""
        full_text = without_urls(text)
        title = (parts.title if parts else title_in(text)) or full_text
        lookups = await lookup_title(self._choices, title)
        ranked = _ranked(lookups, text, parts)
        if not (ranked and ranked[0][0].title == "match"):
            lookups |= await self._lookup_variants(title, title if parts else full_text)
            ranked = _ranked(lookups, text, parts)
        provenance = [
            _lookup_note(found) if isinstance(found, Lookup) else f"{name}: {len(found)} candidates"
            for name, found in lookups.items()
        ]
        if not ranked or ranked[0][0].similarity < _SIMILAR_TITLE:
            return _not_found(lookups, provenance)
        best, work = ranked[0]
        if best.title == "match":
            return await self._matching(best, work, provenance)
        not_found = _not_found(lookups, provenance)
        return not_found.model_copy(update={"near": paper_of(work), "title": "mismatch"})

    async def _matching(
        self, comparison: Comparison, work: Work, provenance: list[str]
    ) -> Existence:
        """Return the result for a work with the same title."""
        fits = comparison.fits
        retraction = await self._notice(work, provenance) if fits else None
        return Existence(
            standing="confirmed" if fits else "uncertain",
            record=paper_of(work) if fits else None,
            near=None if fits else paper_of(work),
            confidence="high" if fits else "low",
            mismatches=comparison.mismatches,
            title="match",
            retraction=retraction,
            reason=_mismatch_reason(comparison.mismatches),
            provenance=tuple(provenance),
        )

    async def _lookup_variants(self, title: str, full_text: str) -> TitleLookups:
        """Look up halves of the title and the full text: the title may be cut wrongly."""
        words = title.split()
        half = len(words) // 2
        queries: list[tuple[str, str]] = []
        if half >= _MIN_HALF_WORDS:
            queries += (("openalex", " ".join(part)) for part in (words[:half], words[half:]))
        if full_text != title:
            queries.append(("crossref", full_text[:_MAX_QUERY_CHARS]))
        results = await asyncio.gather(
            *(lookup_title(self._choices, text, (name,)) for name, text in queries)
        )
        return {
            f"{name} (try {number})": found
            for number, lookups in enumerate(results, 2)
            for name, found in lookups.items()
        }

    async def _registration(
        self, doi: str, lookups: Sequence[Lookup], provenance: list[str], *, compared: bool
    ) -> Existence:
        registered = await lookup_registration(self._choices, doi)
        provenance.append(_lookup_note(registered))
        every = [*lookups, registered]
        silent = [lookup.provider for lookup in every if lookup.status == "unchecked"]
        if registered.status == "found":
            return _registered(silent if compared else [], provenance)
        # the DOI registry decides; without its response, every agency must have none
        if registered.status == "not_found" or not silent:
            return _missing("not_found", "No agency has registered this DOI.", provenance)
        reason = f"Could not check: no response from {', '.join(silent)}."
        return _missing("unchecked", reason, provenance)

    async def _with_similar_work(
        self, found: Existence, other_text: str, parts: ReferenceParts | None
    ) -> Existence:
        """Add the work that the rest of a citation describes when its DOI does not exist."""
        other = await self.check_reference(other_text, parts)
        near = other.record or other.near
        provenance = (*found.provenance, *other.provenance)
        return found.model_copy(update={"near": near, "provenance": provenance}) if near else found

    async def _notice(self, work: Work, provenance: list[str]) -> RetractionStatus | None:
        """Return the most serious notice about a work; failed queries go to `provenance`."""
        known = work.retraction
        if work.noticesKnown or not work.doi or (known and known.noticeDoi):
            return known
        for name, provider in self._choices.of(KnowsNotices).ready.items():
            try:
                found = await provider.notices((work.doi,))
            except WebquarryError as error:
                provenance.append(f"{name}: retractions could not be checked ({error})")
                continue
            if doi_key(work.doi) in found:
                return found[doi_key(work.doi)] or known
            provenance.append(f"{name}: retractions could not be checked")
        return known


def invalid_doi(text: str) -> Existence:
    """Return the result for text that cannot be a DOI."""
    return Existence(standing="not_found", reason=f"{text.strip()} is not a valid DOI.")


def _ranked(
    lookups: TitleLookups, text: str, parts: ReferenceParts | None
) -> list[tuple[Comparison, Work]]:
    """Return the works that registries found, the best match first."""
    works = [work for found in lookups.values() if not isinstance(found, Lookup) for work in found]
    compared = [(_comparison(text, parts, work), work) for work in works]
    return sorted(compared, key=lambda pair: _rank(pair[0]), reverse=True)


def _rank(found: Comparison) -> tuple[bool, bool, int, float]:
    return found.fits, found.title == "match", -len(found.mismatches), found.similarity


def work_parts(work: Work | Paper) -> ReferenceParts:
    """Return the parts of a work's record."""
    pages = work.pages if isinstance(work, Work) else None
    return ReferenceParts(
        work.title, tuple(work.authors or ()), work.year, work.journal or "", pages or ""
    )


def _comparison(text: str, parts: ReferenceParts | None, work: Work) -> Comparison:
    return compare_parts(parts, work_parts(work)) if parts else compare(text, work_parts(work))


def _compare_other_text(
    other_text: str, parts: ReferenceParts | None, work: Work
) -> tuple[TitleMatch, tuple[str, ...]]:
    """Compare the text of a citation besides its DOI with the record."""
    if not parts and not _has_reference_text(other_text):
        return "not_checked", ()
    found = _comparison(other_text, parts, work)
    title = parts.title if parts else title_in(other_text)
    if found.title != "mismatch" or _unknown_words(title, work) > _MAX_UNKNOWN_WORDS:
        return found.title, found.mismatches
    return "not_checked", tuple(name for name in found.mismatches if name != "title")


def _unknown_words(title: str, work: Work) -> int:
    """Return how many words of a title the record does not have."""
    known = {*normalized_words(f"{work.title} {work.journal or ''} {' '.join(work.authors)}")}
    words = [word for word in normalized_words(title) if len(word) > 3 and word.isalpha()]
    return sum(not any(same_word(word, each) for each in known) for word in words)


def _has_reference_text(other_text: str) -> bool:
    return len([word for word in normalized_words(without_urls(other_text)) if len(word) > 3]) > 1


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


def _not_found(lookups: TitleLookups, provenance: list[str]) -> Existence:
    failed = [found.provider for found in lookups.values() if isinstance(found, Lookup)]
    if failed or not lookups:
        names = ", ".join(dict.fromkeys(failed)) or "any registry"
        reason = f"Could not check: no response from {names}."
        return _missing("unchecked", reason, provenance)
    names = ", ".join(dict.fromkeys(name.partition(" (")[0] for name in lookups))
    return _missing("not_found", f"No work with this title is listed by {names}.", provenance)


def _missing(standing: Standing, reason: str, provenance: Sequence[str]) -> Existence:
    return Existence(standing=standing, reason=reason, provenance=tuple(provenance))


def _mismatch_reason(mismatches: tuple[str, ...]) -> str | None:
    return f"The record differs in: {', '.join(mismatches)}." if mismatches else None


def _lookup_note(lookup: Lookup) -> str:
    reason = f" ({lookup.reason})" if lookup.reason else ""
    return f"{lookup.provider}: {lookup.status.replace('_', ' ')}{reason}"
