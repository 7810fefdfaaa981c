"""Audits a list of references: existence, retractions, links and claims."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic.alias_generators import to_camel

from webquarry.content.citations.bibliography_files import BibEntry
from webquarry.content.citations.doi_reader import doi_of
from webquarry.content.citations.export import date_parts
from webquarry.content.citations.reference_match import ReferenceParts
from webquarry.models.caller import Caller
from webquarry.models.links import LinkCheck
from webquarry.models.trust import ClaimCheck, Existence
from webquarry.services.link_check import LinkChecker
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker, invalid_doi

MAX_ENTRIES = 200
_MAX_CONCURRENT = 6
Flag = Literal["retracted", "dead_link", "not_found", "unchecked", "mischaracterized", "mismatch"]
Report = Callable[[int, int], Awaitable[None]]


@dataclass(frozen=True)
class ReferenceAudit:
    """The result for one entry."""

    entry: BibEntry
    existence: Existence
    link: LinkCheck | None
    claim: ClaimCheck | None
    flags: tuple[Flag, ...]
    reason: str | None


class BibliographyAudit:
    """Looks up each entry, checks each link once, and reads the sources of claims."""

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
        """Return the results in order; `report` is called after each."""
        links = await self._links.check(entry.url for entry in entries if entry.url)
        slots = asyncio.Semaphore(_MAX_CONCURRENT)
        done = 0

        async def one(entry: BibEntry, claim: str | None) -> ReferenceAudit:
            nonlocal done
            async with slots:
                found = await self._audit_entry(entry, claim, links.get(entry.url), caller)
            done += 1
            await report(done, len(entries))
            return found

        pairs = zip(entries, claims, strict=True)
        return list(await asyncio.gather(*(one(entry, claim) for entry, claim in pairs)))

    async def _audit_entry(
        self, entry: BibEntry, claim: str | None, link: LinkCheck | None, caller: Caller
    ) -> ReferenceAudit:
        existence = await self._existence(entry, link)
        checked: ClaimCheck | None = None
        if claim:
            checked = await self._claims.check(claim, _source_urls(link, existence), caller)
        flags, reason = audit_flags(existence, link, checked)
        return ReferenceAudit(entry, existence, link, checked, flags, reason)

    async def _existence(self, entry: BibEntry, link: LinkCheck | None) -> Existence:
        parts = entry_parts(entry)
        if doi := doi_of(entry.doi):
            return await self._existing.check_doi(doi, parts=parts)
        if entry.doi.strip():
            return invalid_doi(entry.doi)
        page = _existing_page(link)
        if entry.title and (entry.authors or entry.date or not entry.url):
            found = await self._existing.check_reference(entry.title, parts)
            # a web page need not be in a registry of papers
            if found.standing == "confirmed" or page is None:
                return _not_listed(found) if found.standing == "not_found" else found
        reason = "It has no DOI, title or URL to look up."
        return page or Existence(standing="unchecked", reason=reason)


def _not_listed(found: Existence) -> Existence:
    """Return `unchecked` for a title that is not found: registries do not list every work."""
    reason = f"{found.reason} Books, reports and old works are often not listed."
    return found.model_copy(update={"standing": "unchecked", "reason": reason})


def _existing_page(link: LinkCheck | None) -> Existence | None:
    if link is None or link.outcome not in ("live", "blocked"):
        return None
    return Existence(standing="confirmed", provenance=(f"link: {link.outcome}",))


def entry_parts(entry: BibEntry) -> ReferenceParts:
    """Return the parts of an entry that can be compared."""
    date = date_parts(entry.date)
    return ReferenceParts(
        entry.title, entry.authors, date[0] if date else None, entry.venue, entry.pages
    )


def audit_flags(
    existence: Existence, link: LinkCheck | None, claim: ClaimCheck | None
) -> tuple[tuple[Flag, ...], str | None]:
    """Return the flags of an entry and the reasons for them."""
    flags: dict[Flag, str] = {}
    notice = existence.retraction
    if notice and notice.retracted:
        flags["retracted"] = f"The work was retracted ({notice.kind})."
    if link and link.lost:
        copy = f" A copy is at {link.snapshot.url}." if link.snapshot else ""
        flags["dead_link"] = f"The link is dead: {(link.reason or link.outcome).rstrip('.')}.{copy}"
    flags |= _existence_flag(existence)
    if claim and not claim.overlap:
        flags["mischaracterized"] = "The source does not mention the claim."
    return tuple(flags), " ".join(flags.values()) or None


def _existence_flag(existence: Existence) -> dict[Flag, str]:
    if existence.standing == "not_found":
        return {"not_found": existence.reason or "No registry lists it."}
    if existence.mismatches:
        return {"mismatch": existence.reason or "The record differs."}
    if existence.standing in ("unchecked", "uncertain"):
        return {"unchecked": existence.reason or "It could not be checked."}
    return {}


def count_flags(audited: Sequence[ReferenceAudit]) -> dict[str, int]:
    """Return the number of entries with each flag."""
    counts = Counter(flag for each in audited for flag in each.flags)
    by_flag = {to_camel(flag): counts[flag] for flag in get_args(Flag)}
    return {"total": len(audited), **by_flag, "ok": sum(not each.flags for each in audited)}


def _source_urls(link: LinkCheck | None, existence: Existence) -> list[str]:
    if link:
        return link.readable_urls
    record = existence.record
    return [record.url] if record and record.url.startswith("http") else []
