"""Streaming responses: the events of a crawl, and its pages as a file."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.responses import StreamingResponse

from webquarry.content.text.token_count import compact_json
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import WebquarryError
from webquarry.models.crawl import CrawlJob
from webquarry.server.problem_details import problem_body, status_of
from webquarry.services.cinder.cinder_crawls import crawl_summary
from webquarry.services.exports.export_streams import ExportStream

KEEP_ALIVE = 15.0  # seconds between comments that keep an idle stream open
EVENTS = "text/event-stream"


def event_stream(jobs: AsyncGenerator[CrawlJob], *, every: float = KEEP_ALIVE) -> StreamingResponse:
    """Return the states of a crawl as server-sent events; the last has the name of its state."""
    headers = {"X-Accel-Buffering": "no"}  # otherwise nginx buffers the events
    return StreamingResponse(_events(jobs, every), media_type=EVENTS, headers=headers)


def file_stream(export: ExportStream) -> StreamingResponse:
    """Return an export as a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{export.name}"'}
    chunks = _closing(export.chunks)
    return StreamingResponse(chunks, media_type=export.media_type, headers=headers)


async def _events(jobs: AsyncGenerator[CrawlJob], every: float) -> AsyncGenerator[bytes]:
    number = 0
    async with aclosing(jobs):
        next_job = asyncio.ensure_future(anext(jobs))
        try:
            while True:
                done, _ = await asyncio.wait({next_job}, timeout=every)
                if not done:
                    yield b": still here\n\n"
                    continue
                number += 1
                job = next_job.result()
                yield _event(job.state if job.ended else "progress", _state(job), number)
                if job.ended:
                    return
                next_job = asyncio.ensure_future(anext(jobs))
        except StopAsyncIteration:
            return
        except WebquarryError as error:  # the status line has been sent already
            block = error.block()
            data = compact_json(problem_body(str(error), block, status_of(block)))
            yield _event("error", data, number + 1)
        finally:
            next_job.cancel()
            with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration, WebquarryError):
                await next_job


def _state(job: CrawlJob) -> str:
    return compact_json(crawl_summary(job).model_dump(mode="json", exclude_none=True))


def _event(name: str, data: str, number: int) -> bytes:
    event = f"id: {number}\nevent: {name}\ndata: {without_invisible(data)}\n\n"
    return event.encode("utf-8", "replace")


async def _closing(chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the chunks, and close their source also when the client hangs up."""
    async with aclosing(chunks):
        async for chunk in chunks:
            yield chunk
