"""Runs a check: audits the references, then compares the claims with the sources."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webquarry.models.caller import Caller
from webquarry.models.links import LinkCheck
from webquarry.services.checking.check_plan import CheckPlan, PlannedReference
from webquarry.services.checking.check_records import (
    CheckRecords,
    ReferenceRecord,
    SourceRecord,
)
from webquarry.services.checking.source_check import SourceChecker, SourceClaims
from webquarry.services.time_limit import run_within
from webquarry.services.trust.bibliography_audit import BibliographyAudit, ReferenceAudit

_BATCH = 40  # references that are audited together
_MAX_CONCURRENT = 4  # sources that are read at the same time

Save = Callable[[ReferenceRecord | SourceRecord], Awaitable[None]]


@dataclass(frozen=True)
class DocumentChecker:
    """Does the work of a check that is not done yet."""

    audit: BibliographyAudit
    sources: SourceChecker

    async def run(
        self, plan: CheckPlan, records: CheckRecords, caller: Caller, save: Save, seconds: float
    ) -> None:
        """Add what is missing to the records; `save` stores each. Ends after so many seconds."""
        ends_at = time.monotonic() + seconds
        await self._audit_references(plan, records, caller, save, ends_at)
        slots = asyncio.Semaphore(_MAX_CONCURRENT)

        async def one(name: str, audit: ReferenceAudit) -> None:
            async with slots:
                use = records.model_use
                tokens = plan.options.max_model_tokens - (use.tokens if use else 0)
                claims = SourceClaims(name, plan.claims_of[name], ask_model=tokens > 0)
                record = await self.sources.check(claims, audit, caller)
                records.add(record)
                await save(record)

        jobs = {
            name: one(name, records.audits[name])
            for name in plan.sources
            if name in records.audits and name not in records.sources
        }
        await run_within(max(0.0, ends_at - time.monotonic()), jobs)

    async def _audit_references(
        self, plan: CheckPlan, records: CheckRecords, caller: Caller, save: Save, ends_at: float
    ) -> None:
        """Audit the references in batches, those that claims cite first."""
        order = [*plan.claims_of, *(each for each in plan.references if each not in plan.claims_of)]
        missing = [plan.references[name] for name in order if name not in records.audits]
        for at in range(0, len(missing), _BATCH):
            left = ends_at - time.monotonic()
            if left <= 0:
                return
            batch = missing[at : at + _BATCH]
            for record in await self._audit_batch(batch, caller, left, frozenset(plan.sources)):
                records.add(record)
                await save(record)

    async def _audit_batch(
        self,
        references: list[PlannedReference],
        caller: Caller,
        seconds: float,
        sources: frozenset[str],
    ) -> list[ReferenceRecord]:
        """Return the audits of some references; those without time are left out.

        `sources` are read later: their pages are requested once for this and for their links.
        """

        async def report(_: int, __: int) -> None:
            """Progress is what was saved."""

        async def read_first(url: str) -> LinkCheck | None:
            return await self.sources.texts.link(url, caller) if url in read else None

        read = {each.entry.url for each in references if each.id in sources}
        entries = [each.entry for each in references]
        work = self.audit.audit(
            entries, [None] * len(entries), caller, report, read_first=read_first
        )
        audited = (await run_within(seconds, {0: work}))[0] or []
        pairs = zip(references, audited, strict=False)
        return [ReferenceRecord(id=each.id, audit=audit) for each, audit in pairs if audit.done]
