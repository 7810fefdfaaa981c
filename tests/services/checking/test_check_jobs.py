"""Checks as durable jobs: they survive a killed process, end in time and can be cancelled."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.services.checking.numbered_text import HEADING, NumberedTextReader
from webquarry.content.citations.bib_entry import BibEntry
from webquarry.content.manuscript.manuscript_model import ManuscriptSource
from webquarry.errors import NotFoundError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.document_check import (
    CheckOptions,
    CheckProgress,
    DocumentCheck,
    SourceRead,
    SourceVerdict,
)
from webquarry.models.trust import Existence
from webquarry.services.checking.check_jobs import CheckJobs
from webquarry.services.checking.check_plan import CheckPlan
from webquarry.services.checking.check_records import (
    CheckRecords,
    ReferenceRecord,
    SourceRecord,
)
from webquarry.services.checking.check_store import CheckStore
from webquarry.services.checking.check_work import CheckWork
from webquarry.services.checking.document_checker import Save
from webquarry.services.trust.bibliography_audit import ReferenceAudit
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
ALICE = Caller(user="alice")
_TEXT = "\n".join(
    (
        "Barn owls eat many field voles [1].",
        "Tawny owls hear very small mice [2].",
        f"Snowy owls hunt during the day [3].\n\n{HEADING}",
        *(f"@article{{k{n}, title={{Owls {n}}}, year={{2020}}}}" for n in (1, 2, 3)),
    )
)


@dataclass
class SteppingChecker:
    """Does the work of a check one record at a time, and stops after so many."""

    stop_after: int | None = None
    done: list[str] = field(default_factory=list[str])
    seconds: list[float] = field(default_factory=list[float])
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(
        self, plan: CheckPlan, records: CheckRecords, caller: Caller, save: Save, seconds: float
    ) -> None:
        self.seconds.append(seconds)
        for name, reference in plan.references.items():
            if name not in records.audits:
                await self._save(f"audit {name}", save, records, _audited(name, reference.entry))
        for name in plan.sources:
            if name not in records.sources:
                await self._save(f"source {name}", save, records, _supported(name, plan))

    async def _save(
        self, what: str, save: Save, records: CheckRecords, record: ReferenceRecord | SourceRecord
    ) -> None:
        if self.stop_after is not None and len(self.done) == self.stop_after:
            self.stopped.set()
            await asyncio.Event().wait()
        self.done.append(what)
        records.add(record)
        await save(record)


def _audited(name: str, entry: BibEntry) -> ReferenceRecord:
    existence = Existence(standing="confirmed")
    audit = ReferenceAudit(entry, existence, None, None, (), None)
    return ReferenceRecord(id=name, audit=audit)


def _supported(name: str, plan: CheckPlan) -> SourceRecord:
    verdict = SourceVerdict(reference=name, claimClass="supported")
    return SourceRecord(
        id=name,
        read=SourceRead(kind="page", url="https://a.test/"),
        verdicts={claim.number: verdict for claim in plan.claims_of[name]},
    )


def _jobs(store: MemoryStore, checker: SteppingChecker, process: str = "one") -> CheckJobs:
    made: Any = checker
    checks = CheckStore(store, process)
    return CheckJobs(checks, NumberedTextReader(), CheckWork(checks, lambda: made))


async def _silent(_: CheckProgress) -> None:
    """Listen to no progress."""


async def _finished(jobs: CheckJobs, job_id: str) -> DocumentCheck:
    job = await jobs.wait(await jobs.get(job_id, ALICE), ALICE, 60, _silent)
    return await jobs.result(job)


async def test_a_check_that_was_stopped_goes_on_and_has_the_same_result() -> None:
    whole = _jobs(MemoryStore(), SteppingChecker())
    expected = await _finished(
        whole, (await whole.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(), ALICE)).id
    )
    store, first = MemoryStore(), SteppingChecker(stop_after=4)
    killed = _jobs(store, first)
    job = await killed.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(), ALICE)
    await first.stopped.wait()
    await killed.close()

    second = SteppingChecker()
    restarted = _jobs(store, second, "two")
    assert await restarted.resume() == 1
    result = await _finished(restarted, job.id)

    assert (first.done, second.done) == (
        ["audit r1", "audit r2", "audit r3", "source r1"],
        ["source r2", "source r3"],
    )
    same = {"checkId": "", "checkedAt": ""}
    assert result.model_copy(update=same) == expected.model_copy(update=same)


async def test_the_same_document_again_goes_on_with_the_unfinished_check() -> None:
    store, first = MemoryStore(), SteppingChecker(stop_after=2)
    jobs = _jobs(store, first)
    source = ManuscriptSource(_TEXT, "a.md")
    job = await jobs.start(source, CheckOptions(), ALICE)
    await first.stopped.wait()
    await jobs.close()

    again = await _jobs(store, SteppingChecker(), "two").start(source, CheckOptions(), ALICE)

    assert again.id == job.id


async def test_a_cancelled_check_keeps_what_it_found() -> None:
    checker = SteppingChecker(stop_after=4)
    jobs = _jobs(MemoryStore(), checker)
    job = await jobs.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(), ALICE)
    await checker.stopped.wait()

    result = await jobs.result(await jobs.cancel(job.id, ALICE))

    assert (result.status, result.complete) == ("cancelled", False)
    assert (result.progress.references, result.progress.claims) == (3, 1)
    assert [claim.claimClass for claim in result.claims] == [
        "supported", "could_not_check", "could_not_check",
    ]  # fmt: skip


async def test_an_owner_may_have_few_unfinished_checks_and_sees_no_other() -> None:
    checker = SteppingChecker(stop_after=0)
    jobs = _jobs(MemoryStore(), checker)
    started = [
        await jobs.start(ManuscriptSource(f"{_TEXT}\n\n{n}", "a.md"), CheckOptions(), ALICE)
        for n in range(4)
    ]

    with pytest.raises(RateLimitError):
        await jobs.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(), ALICE)
    with pytest.raises(NotFoundError):
        await jobs.get(started[0].id, Caller(user="bob"))
    await jobs.close()


async def test_sources_beyond_the_budget_are_not_read() -> None:
    jobs = _jobs(MemoryStore(), SteppingChecker())
    job = await jobs.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(max_sources=1), ALICE)

    result = await _finished(jobs, job.id)

    assert (result.status, result.complete) == ("completed", False)
    assert [claim.claimClass for claim in result.claims] == [
        "supported", "could_not_check", "could_not_check",
    ]  # fmt: skip


async def test_a_restarted_check_gets_only_the_rest_of_its_deadline() -> None:
    store, first, second = MemoryStore(), SteppingChecker(stop_after=2), SteppingChecker()
    options = CheckOptions(deadline=60)
    killed = _jobs(store, first)
    job = await killed.start(ManuscriptSource(_TEXT, "a.md"), options, ALICE)
    await first.stopped.wait()
    await killed.close()
    await killed.store.save_worked(job, 45.0)

    restarted = _jobs(store, second, "two")
    await restarted.resume()
    await _finished(restarted, job.id)

    assert (first.seconds, second.seconds) == ([60.0], [15.0])


async def test_a_cancelled_check_is_taken_up_again_with_its_whole_deadline() -> None:
    store, first, second = MemoryStore(), SteppingChecker(stop_after=4), SteppingChecker()
    jobs = _jobs(store, first)
    job = await jobs.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(deadline=60), ALICE)
    await first.stopped.wait()
    await jobs.store.save_worked(job, 45.0)
    cancelled = await jobs.cancel(job.id, ALICE)

    again = _jobs(store, second, "two")
    result = await _finished(again, (await again.go_on(job.id, ALICE)).id)
    ended = await again.get(job.id, ALICE)

    assert (cancelled.state, cancelled.work_left, cancelled.findings) == ("cancelled", True, 0)
    assert (ended.state, ended.work_left, ended.findings) == ("completed", False, 0)
    assert (second.done, second.seconds) == (["source r2", "source r3"], [60.0])
    assert (result.status, result.complete) == ("completed", True)


async def test_a_check_without_work_left_is_not_run_again_when_it_is_resumed() -> None:
    store, second = MemoryStore(), SteppingChecker()
    jobs = _jobs(store, SteppingChecker())
    job = await jobs.start(ManuscriptSource(_TEXT, "a.md"), CheckOptions(max_sources=1), ALICE)
    await _finished(jobs, job.id)

    again = await _jobs(store, second, "two").go_on(job.id, ALICE)

    assert (again.state, second.done) == ("completed", [])


async def test_the_same_document_goes_on_after_its_deadline_and_starts_anew_when_complete() -> None:
    store, source = MemoryStore(), ManuscriptSource(_TEXT, "a.md")
    jobs = _jobs(store, SteppingChecker(stop_after=2))
    first = await jobs.start(source, CheckOptions(), ALICE)
    await jobs.cancel(first.id, ALICE)

    second = _jobs(store, SteppingChecker(), "two")
    continued = await second.start(source, CheckOptions(), ALICE)
    await _finished(second, continued.id)
    anew = await second.start(source, CheckOptions(), ALICE)
    await _finished(second, anew.id)

    assert (continued.id == first.id, anew.id == first.id) == (True, False)
