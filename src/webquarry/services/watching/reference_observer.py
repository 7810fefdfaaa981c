"""Watches references: retractions, and links that die."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from webquarry.content.citations.bib_entry import BibEntry
from webquarry.content.citations.bibliography_files import read_bibliography_file
from webquarry.content.citations.doi_reader import doi_in_url, doi_of
from webquarry.content.ranking.result_urls import is_http_url
from webquarry.errors import BadInputError, ProviderError
from webquarry.models.changes import EntriesVersion, WatchedEntry
from webquarry.models.monitor import Monitor
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.services.trust.bibliography_audit import (
    MAX_ENTRIES,
    BibliographyAudit,
    ReferenceAudit,
)
from webquarry.services.watching.observing import EarlierVersion, Observation, owner_of

_RETRACTION, _LINK = "Notice:", "Dead link:"
_NO_ANSWER = (": unchecked", "could not be checked")  # in notes about registries
_NO_PROBLEM = "No notice and no dead link is known."
_NO_REFERENCE = (
    "target: no reference found; give DOIs or URLs one a line, or BibTeX, RIS or CSL-JSON"
)
_NOTICES = {
    "retraction": "retracted",
    "expression_of_concern": "expression of concern",
    "correction": "corrected",
}


@dataclass(frozen=True, kw_only=True)
class ReferenceObserver:
    """Checks references as `audit_bibliography` does."""

    audit: Callable[[], BibliographyAudit]
    parsers: Parsers
    clock: Callable[[], float] = time.time

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        """Return the state of each reference; what could not be checked is as it was."""
        text = monitor.definition.target.target
        entries = await watched_references(text, self.parsers)
        claims: list[str | None] = [None] * len(entries)
        audited = await self.audit().audit(entries, claims, owner_of(monitor), _report)
        if all(_is_unchecked(each) for each in audited):
            raise ProviderError("None of these references could be checked.")
        known = await earlier.entries()
        watched = tuple(_watched(number, each, known) for number, each in enumerate(audited, 1))
        return Observation(version=EntriesVersion(entries=watched, at=self.clock()))


async def watched_references(text: str, parsers: Parsers) -> tuple[BibEntry, ...]:
    """Return the references of a text: DOIs or URLs one a line, BibTeX, RIS or CSL-JSON."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and all(doi_of(line) or is_http_url(line) for line in lines):
        entries = [_identified(number, line) for number, line in enumerate(lines, 1)]
    else:
        task = ParseTask(read_bibliography_file, subject="target:", error=BadInputError)
        try:
            file = await parsers.run(task, text.encode("utf-8", "replace"), form="auto")
        except BadInputError as error:
            raise BadInputError(_NO_REFERENCE) from error
        entries = list(file.entries)
    if not entries:
        raise BadInputError(_NO_REFERENCE)
    if len(entries) > MAX_ENTRIES:
        raise BadInputError(f"target: at most {MAX_ENTRIES} references, got {len(entries)}")
    return tuple(entries)


def _identified(number: int, line: str) -> BibEntry:
    if is_http_url(line):
        return BibEntry(line=number, url=line, doi=doi_in_url(line) or "")
    return BibEntry(line=number, doi=doi_of(line) or "")


def _is_unchecked(audit: ReferenceAudit) -> bool:
    link_known = audit.link is not None and audit.link.outcome != "unchecked"
    return not audit.done or (
        audit.existence.record is None and not _knows_notices(audit) and not link_known
    )


def _knows_notices(audit: ReferenceAudit) -> bool:
    """Tell whether everybody who knows notices has answered.

    A DOI that is registered is confirmed, also if no registry of works has answered.
    """
    found = audit.existence
    return (
        audit.done
        and found.standing != "unchecked"
        and not any(sign in note for note in found.provenance for sign in _NO_ANSWER)
    )


def _watched(number: int, audit: ReferenceAudit, known: Mapping[str, WatchedEntry]) -> WatchedEntry:
    entry = audit.entry
    name = entry.doi or entry.url or entry.title
    key = f"{number} {name}"
    before = known[key].text.splitlines() if key in known else []
    problems = [*_notices(audit, before), *_dead_links(audit, before)]
    return WatchedEntry(
        key=key,
        title=_title(audit) or name,
        url=entry.url or (f"https://doi.org/{entry.doi}" if entry.doi else ""),
        text="\n".join(problems) or _NO_PROBLEM,
    )


def _title(audit: ReferenceAudit) -> str:
    record = audit.existence.record
    return audit.entry.title or (record.title if record else "")


def _notices(audit: ReferenceAudit, before: Sequence[str]) -> list[str]:
    """Return the notice about a work; if it could not be looked up, the one known before."""
    if notice := _notice(audit):
        return [notice]
    if _knows_notices(audit):
        return []
    return [line for line in before if line.startswith(_RETRACTION)]


def _dead_links(audit: ReferenceAudit, before: Sequence[str]) -> list[str]:
    """Return the dead link of a reference; if it could not be checked, the one known before."""
    link = audit.link
    if not audit.done or link is None or link.outcome in ("unchecked", "blocked"):
        return [line for line in before if line.startswith(_LINK)]
    if not link.lost:
        return []
    return [f"{_LINK} {link.url} ({link.reason or link.outcome.replace('_', ' ')})."]


def _notice(audit: ReferenceAudit) -> str:
    notice = audit.existence.retraction
    if notice is None:
        return ""
    details = ", ".join(filter(None, (notice.date, notice.noticeDoi)))
    return f"{_RETRACTION} {_NOTICES[notice.kind]}{f' ({details})' if details else ''}."


async def _report(done: int, total: int) -> None:
    """Nobody waits for the progress of a check."""
