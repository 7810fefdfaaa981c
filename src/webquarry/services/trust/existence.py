"""Whether a cited work exists, from what the registries say."""

import asyncio
from collections.abc import Mapping, Sequence

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.citations.reference_match import (
    Comparison,
    ReferenceParts,
    compare,
    compare_parts,
    title_tokens,
)
from webquarry.content.citations.reference_parser import title_in, without_addresses
from webquarry.content.text.spelling import same_word
from webquarry.errors import WebquarryError
from webquarry.models.reading import RetractionStatus
from webquarry.models.trust import Existence, TitleMatch
from webquarry.models.works import Lookup, Paper, Work
from webquarry.providers.capabilities_works import KnowsNotices
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.lookup import by_doi, by_title, registration
from webquarry.services.scholarship.papers import paper_of

_NEAR = 0.6  # how alike titles are that a reader may have mixed up
_STRANGE = 2  # one odd word may be a slip; two are another paper
_HALF = 3  # words of a title that find it by themselves
_LONGEST = 400  # characters of a reference to look up


Answers = dict[str, tuple[Work, ...] | Lookup]


class ExistenceChecker:
    """Looks works up; a registry that does not answer never counts as one that has nothing."""

    def __init__(self, choices: ProviderDirectory) -> None:
        self._choices = choices

    async def doi(
        self, doi: str, beside: str = "", parts: ReferenceParts | None = None
    ) -> Existence:
        """Look a DOI up, and compare what was written beside it."""
        lookups = await by_doi(self._choices, doi)
        told = [_told(lookup) for lookup in lookups]
        work = next((lookup.work for lookup in lookups if lookup.work), None)
        if work is None:
            said = bool(parts.title) if parts else _has_words(beside)
            found = await self._unrecorded(doi, lookups, told, compared=said)
            return await self._with_neighbour(found, beside, parts)
        title, mismatches = _beside(beside, parts, work)
        return Existence(
            standing="uncertain" if mismatches else "confirmed",
            record=paper_of(work),
            confidence="low" if mismatches else "high",
            mismatches=mismatches,
            title=title,
            retraction=await self._notice(work, told),
            reason=_differs(mismatches),
            provenance=tuple(told),
        )

    async def reference(self, text: str, parts: ReferenceParts | None = None) -> Existence:
        """Look a reference up by its title, and compare all of its parts."""
        whole = without_addresses(text)
        title = (parts.title if parts else title_in(text)) or whole
        answers = await by_title(self._choices, title)
        ranked = _ranked(answers, text, parts)
        if not (ranked and ranked[0][0].title == "match"):
            answers |= await self._second_try(title, whole if not parts else title)
            ranked = _ranked(answers, text, parts)
        told = [
            _told(found) if isinstance(found, Lookup) else f"{name}: {len(found)} candidates"
            for name, found in answers.items()
        ]
        failed = [found for found in answers.values() if isinstance(found, Lookup)]
        if not ranked or ranked[0][0].likeness < _NEAR:
            return _absent(failed, answers, told)
        best, work = ranked[0]
        if best.fits:
            return Existence(
                standing="confirmed",
                record=paper_of(work),
                confidence="high",
                title="match",
                retraction=await self._notice(work, told),
                provenance=tuple(told),
            )
        if best.title == "match":
            return Existence(
                standing="uncertain",
                near=paper_of(work),
                confidence="low",
                mismatches=best.mismatches,
                title="match",
                reason=_differs(best.mismatches),
                provenance=tuple(told),
            )
        absent = _absent(failed, answers, told)
        return absent.model_copy(update={"near": paper_of(work), "title": "mismatch"})

    async def _second_try(self, title: str, whole: str) -> Answers:
        """Ask otherwise: the title may be more, or less, than what was taken for it."""
        words = title.split()
        half = len(words) // 2
        asked = [("openalex", " ".join(part)) for part in (words[:half], words[half:])]
        asked = asked if half >= _HALF else []
        if whole != title:
            asked.append(("crossref", whole[:_LONGEST]))
        found = await asyncio.gather(
            *(by_title(self._choices, text, (name,)) for name, text in asked)
        )
        return {
            f"{name} (try {number})": answer
            for number, answers in enumerate(found, 2)
            for name, answer in answers.items()
        }

    async def _unrecorded(
        self, doi: str, lookups: Sequence[Lookup], told: list[str], *, compared: bool
    ) -> Existence:
        registered = await registration(self._choices, doi)
        told.append(_told(registered))
        asked = [*lookups, registered]
        silent = [lookup.provider for lookup in asked if lookup.status == "unchecked"]
        if registered.status == "found":
            return _registered(silent if compared else [], told)
        # the register of all DOIs decides; without it every agency must have said no
        if registered.status == "not_found" or not silent:
            return Existence(
                standing="not_found",
                reason="No agency has registered this DOI.",
                provenance=tuple(told),
            )
        return Existence(
            standing="unchecked",
            reason=f"Could not check: no answer from {', '.join(silent)}.",
            provenance=tuple(told),
        )

    async def _with_neighbour(
        self, found: Existence, beside: str, parts: ReferenceParts | None
    ) -> Existence:
        """Add the work that the rest of a citation is about, when its DOI is made up."""
        if found.standing != "not_found" or not (parts.title if parts else _has_words(beside)):
            return found
        other = await self.reference(beside, parts)
        near = other.record or other.near
        if near is None:
            return found
        told = (*found.provenance, *other.provenance)
        return found.model_copy(update={"near": near, "provenance": told})

    async def _notice(self, work: Work, told: list[str]) -> RetractionStatus | None:
        """Return the gravest notice about a work; what could not be asked is told."""
        known = work.retraction
        if work.noticesKnown or not work.doi or (known and known.noticeDoi):
            return known
        for name, provider in self._choices.of(KnowsNotices).ready.items():
            try:
                found = await provider.notices((work.doi,))
            except WebquarryError as error:
                told.append(f"{name}: retractions could not be checked ({error})")
                continue
            if doi_key(work.doi) in found:
                return found[doi_key(work.doi)] or known
            told.append(f"{name}: retractions could not be checked")
        return known


def no_doi(text: str) -> Existence:
    """Tell of something in the place of a DOI that is none."""
    return Existence(
        standing="not_found", reason=f"{text.strip()} is no DOI anybody could register."
    )


def _ranked(
    answers: Answers, text: str, parts: ReferenceParts | None
) -> list[tuple[Comparison, Work]]:
    """Return what the registries offer, the best fit first."""
    works = [work for found in answers.values() if not isinstance(found, Lookup) for work in found]
    return sorted(((_compared(text, parts, work), work) for work in works), key=_rank, reverse=True)


def _rank(pair: tuple[Comparison, Work]) -> tuple[bool, bool, int, float]:
    found, _ = pair
    return found.fits, found.title == "match", -len(found.mismatches), found.likeness


def parts_of(work: Work | Paper) -> ReferenceParts:
    """Return what a record says about itself."""
    pages = work.pages if isinstance(work, Work) else None
    return ReferenceParts(
        work.title, tuple(work.authors or ()), work.year, work.journal or "", pages or ""
    )


def _compared(text: str, parts: ReferenceParts | None, work: Work) -> Comparison:
    return compare_parts(parts, parts_of(work)) if parts else compare(text, parts_of(work))


def _beside(
    beside: str, parts: ReferenceParts | None, work: Work
) -> tuple[TitleMatch, tuple[str, ...]]:
    """Compare what a citation says besides its DOI."""
    if parts:
        found, title = compare_parts(parts, parts_of(work)), parts.title
    elif _has_words(beside):
        found, title = compare(beside, parts_of(work)), title_in(beside)
    else:
        return "not_checked", ()
    if found.title != "mismatch":
        return found.title, found.mismatches
    known = {*title_tokens(f"{work.title} {work.journal or ''} {' '.join(work.authors)}")}
    strange = [word for word in title_tokens(title) if len(word) > 3 and word.isalpha()]
    strange = [word for word in strange if not any(same_word(word, each) for each in known)]
    if len(strange) >= _STRANGE:
        return "mismatch", found.mismatches
    return "not_checked", tuple(name for name in found.mismatches if name != "title")


def _has_words(beside: str) -> bool:
    return len([word for word in title_tokens(without_addresses(beside)) if len(word) > 3]) > 1


def _registered(silent: Sequence[str], told: list[str]) -> Existence:
    """Tell of a DOI that exists; what it stands for may still be somebody else's work."""
    why = (
        f"The DOI is registered, but not compared: no answer from {', '.join(silent)}."
        if silent
        else "The DOI is registered, but no registry that we ask describes the work."
    )
    return Existence(
        standing="unchecked" if silent else "confirmed",
        registered=True,
        confidence="medium",
        reason=why,
        provenance=tuple(told),
    )


def _absent(failed: list[Lookup], answers: Mapping[str, object], told: list[str]) -> Existence:
    if failed or not answers:
        names = ", ".join(dict.fromkeys(lookup.provider for lookup in failed)) or "anybody"
        return Existence(
            standing="unchecked",
            reason=f"Could not check: no answer from {names}.",
            provenance=tuple(told),
        )
    return Existence(
        standing="not_found",
        reason=f"No work of this title is known to {_names(answers)}.",
        provenance=tuple(told),
    )


def _names(answers: Mapping[str, object]) -> str:
    return ", ".join(dict.fromkeys(name.partition(" (")[0] for name in answers))


def _differs(mismatches: tuple[str, ...]) -> str | None:
    return f"The record differs in: {', '.join(mismatches)}." if mismatches else None


def _told(lookup: Lookup) -> str:
    reason = f" ({lookup.reason})" if lookup.reason else ""
    return f"{lookup.provider}: {lookup.status.replace('_', ' ')}{reason}"
