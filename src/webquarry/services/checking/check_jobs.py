"""Checks of documents as durable jobs: start, watch, cancel, and go on after a restart."""

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

from webquarry.content.manuscript.manuscript_model import Manuscript, ManuscriptSource
from webquarry.content.ranking.result_urls import is_http_url
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.errors import InternalError, RateLimitError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.document_check import (
    CheckOptions,
    CheckProgress,
    CheckState,
    DocumentCheck,
)
from webquarry.observe import call_context
from webquarry.observe.active_recorder import CapturesJob, active_recorder, not_captured
from webquarry.parsing.parsers import Parsers
from webquarry.services.checking.check_plan import CheckPlan
from webquarry.services.checking.check_report import CheckReport
from webquarry.services.checking.check_store import CheckJob, CheckStore, new_job
from webquarry.services.checking.check_work import CheckWork
from webquarry.services.checking.reports.check_files import CheckFile, CheckForm, check_file

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.1
_MAX_UNFINISHED = 4  # checks of one owner
_MAX_PLANS = 8

Report = Callable[[CheckProgress], Awaitable[None]]


class ReadsManuscripts(Protocol):
    """Reads the structure of a document."""

    async def read_manuscript(self, source: ManuscriptSource) -> Manuscript:
        """Return the manuscript; `BadInputError` when its format is not supported."""
        ...


@dataclass
class CheckJobs:
    """The checks of all callers; each sees only their own."""

    store: CheckStore
    reader: ReadsManuscripts
    work: CheckWork
    capture: CapturesJob = not_captured
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, asyncio.Task[None]])
    _plans: dict[str, CheckPlan] = field(default_factory=dict[str, CheckPlan])

    async def start(
        self, source: ManuscriptSource, options: CheckOptions, caller: Caller
    ) -> CheckJob:
        """Start a check, or go on with an unfinished one of the same document."""
        data = source.data.encode() if isinstance(source.data, str) else source.data
        digest = hashlib.sha256(data).hexdigest()
        known = await self.store.jobs(caller)
        wanted = (digest, options, source.name)
        for job in known:
            if job.work_left and (job.digest, job.options, job.name) == wanted:
                return await self.go_on(job.id, caller)
        running = [job for job in known if job.state == "running"]
        if len(running) >= _MAX_UNFINISHED:
            raise RateLimitError(
                f"You have {len(running)} checks that are not finished; wait, or cancel one."
            )
        job = new_job(caller, source.name, digest, options, source.media_type)
        capture = active_recorder.get() is not None  # as the call that starts it
        job = job.model_copy(update={"bibliography": source.bibliography, "capture": capture})
        await self.reader.read_manuscript(source)  # a document that cannot be read is no job
        await self.store.create(job, data)
        self._run_in_background(job)
        return job

    async def get(self, job_id: str, caller: Caller) -> CheckJob:
        """Return a check of the caller; one that nobody works on is taken up again."""
        job = await self.store.get(job_id, caller)
        if job.state == "running":
            self._run_in_background(job)
        return job

    async def go_on(self, job_id: str, caller: Caller) -> CheckJob:
        """Go on with a check that was cancelled or ran out of time; it gets its deadline again."""
        job = await self.store.get(job_id, caller)
        if job.state != "running" and job.work_left:
            fresh = {"state": "running", "ended": None, "error": None, "findings": None}
            job = job.model_copy(update=fresh)
            await self.store.save_worked(job, 0.0)
            await self.store.save(job)
        if job.state == "running":
            self._run_in_background(job)
        return job

    async def jobs(self, caller: Caller) -> list[CheckJob]:
        """Return the checks of the caller, the newest first."""
        return await self.store.jobs(caller)

    async def cancel(self, job_id: str, caller: Caller) -> CheckJob:
        """End a check; what it has found is kept."""
        job = await self.store.get(job_id, caller)
        if job.state != "running":
            return job
        job = await self._end(job, "cancelled")
        if task := self._tasks.get(job.id):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return job

    async def result(self, job: CheckJob) -> DocumentCheck:
        """Return what a check has found, so far or at all."""
        if job.state == "failed":
            return _failed(job)
        plan = await self.plan(job)
        records = await self.work.records(job)
        report = CheckReport(plan, records)
        return DocumentCheck(
            checkId=job.id,
            status=job.state,
            document=job.name or "document",
            title=plan.manuscript.title,
            format=plan.manuscript.format,
            complete=report.is_complete,
            summary=report.summary,
            findings=report.findings,
            claims=report.claims,
            references=report.references,
            progress=report.progress,
            modelUse=records.model_use,
            notes=report.notes,
            checkedAt=_timestamp(job),
        )

    async def file(self, job: CheckJob, form: CheckForm, parsers: Parsers) -> CheckFile:
        """Return the result as a file, or a copy of the document with notes."""
        check, plan = await self.result(job), await self.plan(job)
        data = await self.store.document(job)
        return await check_file(check, form, plan.manuscript, data, parsers)

    async def wait(self, job: CheckJob, caller: Caller, seconds: float, report: Report) -> CheckJob:
        """Return the check when it has ended, or after this time; report each change."""
        ends_at, known, last = time.monotonic() + seconds, None, job
        async with aclosing(self.changes(job.id, caller)) as changes:
            async for current, progress in changes:
                last = current
                if progress != known:
                    known = progress
                    await report(progress)
                if time.monotonic() >= ends_at:
                    break
        return last

    async def changes(
        self, job_id: str, caller: Caller
    ) -> AsyncGenerator[tuple[CheckJob, CheckProgress]]:
        """Yield the state of a check now and after every poll, until it has ended."""
        while True:
            job = await self.get(job_id, caller)
            yield job, await self.progress(job)
            if job.state != "running":
                return
            task = self._tasks.get(job.id)
            if task:
                await asyncio.wait({task}, timeout=_POLL_SECONDS)
            else:
                await asyncio.sleep(_POLL_SECONDS)

    async def progress(self, job: CheckJob) -> CheckProgress:
        """Return how much of a check is done."""
        if job.state == "failed":
            return CheckProgress()
        return CheckReport(await self.plan(job), await self.work.records(job)).progress

    async def plan(self, job: CheckJob) -> CheckPlan:
        """Return what a check has to do; the document is read again after a restart."""
        if job.id not in self._plans:
            source = ManuscriptSource(
                await self.store.document(job), job.name, job.media_type, job.bibliography
            )
            manuscript = await self.reader.read_manuscript(source)
            while len(self._plans) >= _MAX_PLANS:
                self._plans.pop(next(iter(self._plans)))
            self._plans[job.id] = CheckPlan(
                manuscript, job.options, job.name if is_http_url(job.name) else ""
            )
        return self._plans[job.id]

    async def resume(self) -> int:
        """Go on with the checks that an earlier process left unfinished; return how many."""
        unfinished = [job for job in await self.store.jobs() if job.state == "running"]
        for job in unfinished:
            self._run_in_background(job)
        return len(unfinished)

    async def close(self) -> None:
        """Stop working; the next start goes on."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run_in_background(self, job: CheckJob) -> None:
        if job.id in self._tasks:
            return
        task = asyncio.create_task(self._do(job))
        self._tasks[job.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(job.id, None))

    async def _do(self, job: CheckJob) -> None:
        """Do the work of a check, and store how it ended."""
        call_context.caller.set(job.caller)
        try:
            plan, group = await self.plan(job), f"check.{job.id}"
            with self.capture(job.tenant, job.user, group, wanted=job.capture):
                await self.work.run(job, plan)
            await self._end(job, "completed")
        except WebquarryError as error:
            await self._end(job, "failed", str(error))
        except Exception:
            logger.exception("the check %s failed", job.id)
            await self._end(job, "failed", str(InternalError("The check failed.")))

    async def _end(self, job: CheckJob, state: CheckState, error: str | None = None) -> CheckJob:
        current = await self.store.get(job.id, job.caller)
        if current.state != "running":
            return current  # it was cancelled meanwhile
        found = {"state": state, "ended": time.time(), "error": error}
        if state != "failed":
            report = CheckReport(await self.plan(job), await self.work.records(job))
            found |= {"findings": len(report.findings), "work_left": report.has_work_left}
        ended = current.model_copy(update=found)
        await self.store.save(ended)
        return ended


def _timestamp(job: CheckJob) -> str:
    """Return when a check ended, or now."""
    now = time.time()
    return to_rfc3339(job.ended or now, now) or ""


def _failed(job: CheckJob) -> DocumentCheck:
    return DocumentCheck(
        checkId=job.id,
        status=job.state,
        document=job.name or "document",
        format="",
        complete=False,
        summary={},
        progress=CheckProgress(),
        checkedAt=_timestamp(job),
        error=job.error,
    )
