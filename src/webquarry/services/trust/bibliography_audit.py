"""Checks a whole list of references in one bounded pass."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from webquarry.content.citations.bibliography_files import BibEntry
from webquarry.content.citations.export import date_parts
from webquarry.content.citations.identifiers import clean_doi
from webquarry.content.citations.reference_match import ReferenceParts
from webquarry.models.caller import Caller
from webquarry.models.links import LinkCheck
from webquarry.models.trust import ClaimCheck, Existence
from webquarry.services.link_check import LinkChecker
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker, no_doi

MOST = 200
_AT_ONCE = 6
Flag = Literal["retracted", "dead_link", "not_found", "unchecked", "mischaracterized", "mismatch"]
Report = Callable[[int, int], Awaitable[None]]


@dataclass(frozen=True)
class ReferenceAudit:
    """What was found out about one entry."""

    entry: BibEntry
    existence: Existence
    link: LinkCheck | None
    claim: ClaimCheck | None
    flags: tuple[Flag, ...]
    reason: str | None


class BibliographyAudit:
    """Looks every entry up, checks every link once, and reads the sources of claims."""

    def __init__(
        self, existing: ExistenceChecker, links: LinkChecker, claims: ClaimChecker
    ) -> None:
        self._existing = existing
        self._links = links
        self._claims = claims

    async def audit(
        self,
        entries: Sequence[BibEntry],
        claims: Sequence[str | None],
        caller: Caller,
        report: Report,
    ) -> list[ReferenceAudit]:
        """Return the entries in their order; `report` is told after each."""
        links = await self._links.check(entry.url for entry in entries if entry.url)
        gate = asyncio.Semaphore(_AT_ONCE)
        done = 0

        async def one(entry: BibEntry, claim: str | None) -> ReferenceAudit:
            nonlocal done
            async with gate:
                found = await self._one(entry, claim, links.get(entry.url), caller)
            done += 1
            await report(done, len(entries))
            return found

        pairs = zip(entries, claims, strict=True)
        return list(await asyncio.gather(*(one(entry, claim) for entry, claim in pairs)))

    async def _one(
        self, entry: BibEntry, claim: str | None, link: LinkCheck | None, caller: Caller
    ) -> ReferenceAudit:
        existence = await self._exists(entry, link)
        checked: ClaimCheck | None = None
        if claim:
            checked = await self._claims.check(claim, _readable(link, existence), caller)
        flags, reason = flagged(existence, link, checked)
        return ReferenceAudit(entry, existence, link, checked, flags, reason)

    async def _exists(self, entry: BibEntry, link: LinkCheck | None) -> Existence:
        parts = parts_of(entry)
        doi = clean_doi(entry.doi)
        if doi:
            return await self._existing.doi(doi, parts=parts)
        if entry.doi.strip():
            return no_doi(entry.doi)
        if entry.title and (entry.authors or entry.date or not entry.url):
            found = await self._existing.reference(entry.title, parts)
            # a page need not be in a register of papers to be there
            if found.standing == "confirmed" or not (link and link.outcome in ("live", "blocked")):
                return _unproved(found)
        if link and link.outcome in ("live", "blocked"):
            return Existence(standing="confirmed", provenance=(f"link: {link.outcome}",))
        return Existence(standing="unchecked", reason="There is nothing to look it up by.")


def parts_of(entry: BibEntry) -> ReferenceParts:
    """Return the parts of an entry that can be compared."""
    date = date_parts(entry.date)
    return ReferenceParts(
        entry.title, entry.authors, date[0] if date else None, entry.venue, entry.pages
    )


def flagged(
    existence: Existence, link: LinkCheck | None, claim: ClaimCheck | None
) -> tuple[tuple[Flag, ...], str | None]:
    """Return what is wrong with an entry, kept apart from what could not be checked."""
    found: list[tuple[Flag, str]] = []
    notice = existence.retraction
    if notice and notice.retracted:
        found.append(("retracted", f"The work was retracted ({notice.kind})."))
    if link and link.lost:
        copy = f" A copy is at {link.snapshot.url}." if link.snapshot else ""
        found.append(("dead_link", f"The link is dead: {link.reason or link.outcome}.{copy}"))
    if existence.standing == "not_found":
        found.append(("not_found", existence.reason or "No registry knows it."))
    elif existence.mismatches:
        found.append(("mismatch", existence.reason or "The record differs."))
    elif existence.standing in ("unchecked", "uncertain"):
        found.append(("unchecked", existence.reason or "It could not be checked."))
    if claim and claim.support == "not_addressed":
        found.append(("mischaracterized", "The source does not speak about the claim."))
    return tuple(flag for flag, _ in found), " ".join(why for _, why in found) or None


def summed(audited: Sequence[ReferenceAudit]) -> dict[str, int]:
    """Return how many entries have which flag."""
    counts = Counter(flag for each in audited for flag in each.flags)
    return {
        "total": len(audited),
        "retracted": counts["retracted"],
        "deadLink": counts["dead_link"],
        "notFound": counts["not_found"],
        "unchecked": counts["unchecked"],
        "mischaracterized": counts["mischaracterized"],
        "mismatch": counts["mismatch"],
        "ok": sum(not each.flags for each in audited),
    }


def _unproved(found: Existence) -> Existence:
    """Without a DOI, a title nobody knows is not proof that there is no such work."""
    if found.standing != "not_found":
        return found
    return found.model_copy(
        update={
            "standing": "unchecked",
            "reason": f"{found.reason} A book, a report or an old work may well not be there.",
        }
    )


def _readable(link: LinkCheck | None, existence: Existence) -> list[str]:
    if link:
        archived = [link.snapshot.url] if link.snapshot else []
        return archived if link.lost else [link.url, *archived]
    record = existence.record
    return [record.url] if record and record.url.startswith("http") else []
