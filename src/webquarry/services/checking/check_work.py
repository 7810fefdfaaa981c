"""Does the work of one check in this process, within the rest of its deadline."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from webquarry.services.checking.check_plan import CheckPlan
from webquarry.services.checking.check_records import CheckRecords, ReferenceRecord, SourceRecord
from webquarry.services.checking.check_store import LEASE_SECONDS, CheckJob, CheckStore
from webquarry.services.checking.document_checker import DocumentChecker


@dataclass(frozen=True)
class CheckWork:
    """The work of checks: one process at a time works on each."""

    store: CheckStore
    checker: Callable[[], DocumentChecker]
    _records: dict[str, CheckRecords] = field(default_factory=dict[str, CheckRecords])

    async def run(self, job: CheckJob, plan: CheckPlan) -> CheckRecords:
        """Do what is left of a check, and return what was found."""
        await self._take_lease(job)
        worked = await self.store.worked(job)
        renewal = asyncio.create_task(self._renew(job, worked, time.monotonic()))
        records = self._records[job.id] = await self.store.records(job)

        async def save(record: ReferenceRecord | SourceRecord) -> None:
            await self.store.append(job, record)

        try:
            left = max(0.0, job.options.deadline - worked)
            await self.checker().run(plan, records, job.caller, save, left)
        finally:
            renewal.cancel()
            with suppress(asyncio.CancelledError):
                await renewal
            self._records.pop(job.id, None)
            await self.store.release(job)
        return records

    async def records(self, job: CheckJob) -> CheckRecords:
        """Return what was found so far: in this process, or as it is stored."""
        return self._records.get(job.id) or await self.store.records(job)

    async def _take_lease(self, job: CheckJob) -> None:
        """Wait until no other process works on a check: one that was killed is given up soon."""
        is_taken = await self.store.lease(job)
        while not is_taken:
            await asyncio.sleep(LEASE_SECONDS / 4)
            is_taken = await self.store.lease(job)

    async def _renew(self, job: CheckJob, worked: float, began: float) -> None:
        """Keep the lease, and store how long the work has taken."""
        try:
            while True:
                await asyncio.sleep(LEASE_SECONDS / 3)
                await self.store.lease(job)
                await self.store.save_worked(job, worked + time.monotonic() - began)
        finally:
            await self.store.save_worked(job, worked + time.monotonic() - began)
