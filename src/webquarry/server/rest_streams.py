"""Streaming responses: the events of a crawl or a check, and the pages of a crawl as a file."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import StreamingResponse

from webquarry.content.text.token_count import compact_json
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.document_check import CheckStatus
from webquarry.models.model import Model
from webquarry.server.problem_details import problem_body, status_of
from webquarry.services.cinder.cinder_crawls import crawl_summary, job_changes
from webquarry.services.exports.export_streams import ExportStream

if TYPE_CHECKING:
    from webquarry.crawl.service import CrawlService
    from webquarry.services.checking.check_jobs import CheckJobs

KEEP_ALIVE = 15.0  # seconds between comments that keep an idle stream open
EVENTS = "text/event-stream"
_PROGRESS = "progress"


class JobEvent(NamedTuple):
    """The state of a job after a change."""

    name: str  # progress, or how it ended
    data: Model

    @property
    def is_last(self) -> bool:
        """Whether the job has ended."""
        return self.name != _PROGRESS


def event_stream(
    changes: AsyncGenerator[JobEvent], *, every: float = KEEP_ALIVE
) -> StreamingResponse:
    """Return the states of a job as server-sent events; the last has the name of its state."""
    headers = {"X-Accel-Buffering": "no"}  # otherwise nginx buffers the events
    return StreamingResponse(_events(changes, every), media_type=EVENTS, headers=headers)


async def crawl_events(
    crawling: "CrawlService", job_id: str, caller: Caller
) -> AsyncGenerator[JobEvent]:
    """Yield the state of a crawl now and after every change."""
    async with aclosing(job_changes(crawling, job_id, caller)) as jobs:
        async for job in jobs:
            yield JobEvent(job.state if job.ended else _PROGRESS, crawl_summary(job))


async def check_events(
    checks: "CheckJobs", job_id: str, caller: Caller
) -> AsyncGenerator[JobEvent]:
    """Yield the state of a check now and after every change."""
    last: CheckStatus | None = None
    async with aclosing(checks.changes(job_id, caller)) as changes:
        async for job, progress in changes:
            status = job.status(progress)
            if status != last:
                yield JobEvent(_PROGRESS if job.state == "running" else job.state, status)
            last = status


def file_stream(export: ExportStream) -> StreamingResponse:
    """Return an export as a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{export.name}"'}
    chunks = _closing(export.chunks)
    return StreamingResponse(chunks, media_type=export.media_type, headers=headers)


async def _events(changes: AsyncGenerator[JobEvent], every: float) -> AsyncGenerator[bytes]:
    number = 0
    async with aclosing(changes):
        next_event = asyncio.ensure_future(anext(changes))
        try:
            while True:
                done, _ = await asyncio.wait({next_event}, timeout=every)
                if not done:
                    yield b": still here\n\n"
                    continue
                number += 1
                event = next_event.result()
                data = event.data.model_dump(mode="json", exclude_none=True)
                yield _event(event.name, compact_json(data), number)
                if event.is_last:
                    return
                next_event = asyncio.ensure_future(anext(changes))
        except StopAsyncIteration:
            return
        except WebquarryError as error:  # the status line has been sent already
            block = error.block()
            data = compact_json(problem_body(str(error), block, status_of(block)))
            yield _event("error", data, number + 1)
        finally:
            next_event.cancel()
            with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration, WebquarryError):
                await next_event


def _event(name: str, data: str, number: int) -> bytes:
    event = f"id: {number}\nevent: {name}\ndata: {without_invisible(data)}\n\n"
    return event.encode("utf-8", "replace")


async def _closing(chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the chunks, and close their source also when the client hangs up."""
    async with aclosing(chunks):
        async for chunk in chunks:
            yield chunk
