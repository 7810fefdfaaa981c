"""Audits a list of references: existence, retractions, links and claims."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from pydantic.alias_generators import to_camel

from webquarry.content.citations.bib_entry import BibEntry
from webquarry.content.citations.doi_reader import doi_in_url, doi_of
from webquarry.content.citations.export import date_parts
from webquarry.content.citations.identifiers import arxiv_doi
from webquarry.content.citations.known_venues import known_venues
from webquarry.content.citations.reference_kind import NamedThing, named_thing
from webquarry.content.citations.reference_match import ReferenceParts
from webquarry.models.caller import Caller
from webquarry.models.links import LinkCheck
from webquarry.models.trust import ClaimCheck, Existence
from webquarry.services.link_check import LinkChecker, ReadFirst
from webquarry.services.time_limit import run_within
from webquarry.services.trust.cited_work import CitedWork
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker, invalid_doi
from webquarry.services.trust.named_things import NamedThingChecker
from webquarry.services.trust.notice_text import notice_sentence

MAX_ENTRIES = 200
DEADLINE = 100.0  # seconds for a list; below the deadline of the tool (120)
_MAX_CONCURRENT = 6
_LISTED_KINDS = frozenset({"article", "proceedings", "preprint"})
_LISTED_SINCE = 1980  # older works are often not listed
_NOTHING = "It has no DOI, title or URL to look up."
_OUT_OF_TIME = "Not checked: out of time."
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
    done: bool = True  # false: there was no time
    reasons: Mapping[Flag, str] = field(default_factory=dict[Flag, str])


class BibliographyAudit:
    """Looks up each entry, checks each link once, and reads the sources of claims."""

    def __init__(
        self, existing: ExistenceChecker, links: LinkChecker, claims: ClaimChecker, *,
        deadline: float = DEADLINE,
    ) -> None:  # fmt: skip
        self._existing = existing
        self._links = links
        self._claims = claims
        self._deadline = deadline

    async def audit(
        self,
        entries: Sequence[BibEntry],
        claims: Sequence[str | None],
        caller: Caller,
        report: Report,
        *,
        read_first: ReadFirst | None = None,
    ) -> list[ReferenceAudit]:
        """Return the results in order; `report` is called after each.

        What is not done in time is `unchecked`. `read_first` is called for each link.
        """
        done = 0
        urls = list(dict.fromkeys(entry.url for entry in entries if entry.url))
        async with self._existing.batched() as existing:
            links = asyncio.ensure_future(self._links.check(urls, read_first))
            run = _Run(existing, self._claims, links, caller)

            async def one(entry: BibEntry, claim: str | None) -> ReferenceAudit:
                nonlocal done
                found = await run.audit(entry, claim)
                done += 1
                await report(done, len(entries))
                return found

            pairs = enumerate(zip(entries, claims, strict=True))
            jobs = {number: one(*pair) for number, pair in pairs}
            try:
                audited = await run_within(self._deadline, jobs)
            finally:
                links.cancel()
                await asyncio.gather(links, return_exceptions=True)
        return [audited[number] or _late(entry) for number, entry in enumerate(entries)]


class _Run:
    """The checks of one list of references."""

    def __init__(
        self,
        existing: ExistenceChecker,
        claims: ClaimChecker,
        links: "asyncio.Future[dict[str, LinkCheck]]",
        caller: Caller,
    ) -> None:
        self._existing = existing
        self._things = NamedThingChecker(existing)
        self._claims = claims
        self._links = links
        self._caller = caller
        self._slots = asyncio.Semaphore(_MAX_CONCURRENT)

    async def audit(self, entry: BibEntry, claim: str | None) -> ReferenceAudit:
        """Return the result for one entry."""
        existence = await self._listed(entry)
        link = (await asyncio.shield(self._links)).get(entry.url) if entry.url else None
        existence = _with_page(entry, existence, link)
        checked: ClaimCheck | None = None
        if claim:
            async with self._slots:
                sources = _source_urls(link, existence)
                checked = await self._claims.check(claim, sources, self._caller)
        reasons = flag_reasons(existence, link, checked)
        reason = " ".join(filter(None, reasons.values())) or None
        return ReferenceAudit(
            entry, existence, link, checked, tuple(reasons), reason, reasons=reasons
        )

    async def _listed(self, entry: BibEntry) -> Existence:
        """Look up an entry in the registries."""
        parts = entry_parts(entry)
        if doi := entry_doi(entry):
            return await self._existing.check_doi(doi, parts=parts)
        if entry.doi.strip():
            return invalid_doi(entry.doi)
        if thing := _entry_thing(entry):
            return await self._things.check(thing, CitedWork(parts=parts))
        if entry.title and (entry.authors or entry.date or not entry.url):
            found = await self._existing.check_reference(entry.title, parts)
            if found.standing != "not_found" or is_listed_kind(entry):
                return found
            book = await self._things.check_book(CitedWork(parts=parts))
            return book if book and book.standing == "confirmed" else _not_listed(found)
        return Existence(standing="unchecked", reason=_NOTHING)


def _entry_thing(entry: BibEntry) -> NamedThing | None:
    """Return what identifies an entry without a DOI."""
    if entry.pmid:
        return named_thing(f"PMID: {entry.pmid}")
    case = named_thing(entry.title) if not entry.authors else None
    if case and case.kind == "case":
        return case
    thing = named_thing(f"ISBN {entry.isbn}") if entry.isbn else None
    # of proceedings and collections, the ISBN is that of the whole book
    return thing if thing and entry.kind == "book" and not entry.venue else None


def entry_doi(entry: BibEntry) -> str | None:
    """Return the DOI of an entry: given as such, in its URL, or of its arXiv number."""
    if entry.doi.strip():
        return doi_of(entry.doi)
    if doi := doi_in_url(entry.url):
        return doi
    return arxiv_doi(entry.arxiv) if entry.arxiv else None


def is_listed_kind(entry: BibEntry) -> bool:
    """Tell whether registries would list a work of this kind: a recent article or paper."""
    date = date_parts(entry.date)
    if date and date[0] < _LISTED_SINCE:
        return False
    return entry.kind in _LISTED_KINDS or bool(known_venues(entry.venue))


def _with_page(entry: BibEntry, existence: Existence, link: LinkCheck | None) -> Existence:
    """Return the result for an entry whose page exists: a web page need not be registered."""
    if existence.standing == "confirmed" or existence.exists or entry_doi(entry):
        return existence
    page = _existing_page(link)
    if page is not None and not existence.differences:
        return page
    if link is None or existence.reason != _NOTHING:
        return existence
    return existence.model_copy(update={"reason": _only_link(link)})


def _only_link(link: LinkCheck) -> str:
    return f"There is only its link: {(link.reason or link.outcome).rstrip('.')}."


def _late(entry: BibEntry) -> ReferenceAudit:
    existence = Existence(standing="unchecked", reason=_OUT_OF_TIME)
    return ReferenceAudit(entry, existence, None, None, ("unchecked",), _OUT_OF_TIME, done=False)


def _not_listed(found: Existence) -> Existence:
    """Return `unchecked` for a title that is not found: registries do not list every work."""
    if found.standing != "not_found":
        return found
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
        title=entry.title,
        authors=entry.authors,
        year=date[0] if date else None,
        venue=entry.venue,
        pages=entry.pages,
        volume=entry.volume,
        doi=entry.doi,
    )


def flag_reasons(
    existence: Existence, link: LinkCheck | None, claim: ClaimCheck | None
) -> dict[Flag, str]:
    """Return the flags of an entry, each with its reason."""
    flags: dict[Flag, str] = {}
    notice = existence.retraction
    if notice and notice.retracted:
        flags["retracted"] = notice_sentence(notice)
    if link and link.lost:
        copy = f" A copy is at {link.snapshot.url}." if link.snapshot else ""
        flags["dead_link"] = f"The link is dead: {(link.reason or link.outcome).rstrip('.')}.{copy}"
    flags |= _existence_flag(existence, link)
    if claim and not claim.overlap:
        flags["mischaracterized"] = "The source does not mention the claim."
    return flags


def _existence_flag(existence: Existence, link: LinkCheck | None) -> dict[Flag, str]:
    if link and link.lost and existence.reason == _only_link(link):
        return {"unchecked": ""}  # the flag of the dead link says it
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
