"""Reads documents in sandboxed worker processes."""

import json
import logging
import shutil
import signal
import sys
from itertools import zip_longest
from typing import Any, cast

import anyio

from webquarry.errors import BadInputError, InternalError, WebquarryError
from webquarry.models.document_content import (
    Document,
    DocumentFigure,
    OutlineEntry,
    PageStart,
    UncertainPart,
)
from webquarry.parsing.worker_process import FunctionFailedError, Worker, WorkerDiedError
from webquarry.reading.documents.document_errors import (
    DocumentError,
    EncryptedDocumentError,
    ReaderCrashError,
)
from webquarry.reading.documents.document_type import Kind, legacy_format, sniff
from webquarry.reading.documents.office_converter import OfficeConverter
from webquarry.reading.documents.page_ranges import parse_page_ranges

_log = logging.getLogger(__name__)
_MIB = 2**20
_IDLE_SECONDS = 60.0
_CONVERTED = "converted from the format of before 2007 by LibreOffice"
_FUNCTION = "webquarry.reading.documents.document_reply:document_reply"


class DocumentReader:
    """Turns PDF, Office, EPUB, data and feed files into Markdown, in sandboxed processes."""

    def __init__(
        self,
        *,
        max_bytes: int = 50 * _MIB,
        timeout: float = 60.0,
        memory_bytes: int = 1024 * _MIB,
        workers: int = 2,
        documents_per_worker: int = 50,
        converter: OfficeConverter | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._timeout = timeout
        self._memory_bytes = memory_bytes
        self._documents_per_worker = documents_per_worker
        self._slots = anyio.CapacityLimiter(workers)
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._converter = converter  # of documents before 2007; None: they are refused
        self._closed = False

    async def read(
        self,
        data: bytes,
        *,
        content_type: str | None,
        url: str,
        pages: str | None = None,
        marked: bool = False,
    ) -> Document:
        """Return the document, or raise `WebquarryError` when it cannot be read.

        `marked`: the text of a PDF says where pages start, which numbers are raised, and what is
        a footnote.
        """
        ranges = parse_page_ranges(pages)
        kind = self._kind(data, content_type, url)
        ending = legacy_format(data) if kind == "legacy_office" else ""
        notes: tuple[str, ...] = ()
        if ending and self._converter:
            data = await self._converter.convert(data, ending, url)
            kind, notes = self._kind(data, None, url), (_CONVERTED,)
        task: dict[str, Any] = {
            "kind": kind,
            "content_type": content_type or "",
            "url": url,
            "pages": ranges,
            "tesseract": shutil.which("tesseract") or "" if kind == "pdf" else "",
            "marked": marked,
            "seconds": self._timeout,
        }
        document = await self._document(task, data, url)
        return document.model_copy(update={"warnings": (*document.warnings, *notes)})

    async def _document(self, task: dict[str, Any], data: bytes, url: str) -> Document:
        header = {"function": _FUNCTION, "arguments": task, "seconds": self._timeout}
        async with self._slots:
            reply = await self._request(header, data, url)
        try:
            if "failure" not in reply:
                return to_document(reply["document"])
        except (KeyError, TypeError, ValueError) as error:  # the worker may be compromised
            raise ReaderCrashError(f"The process reading {url} sent an invalid reply") from error
        raise _error(reply, url)

    async def aclose(self) -> None:
        """End all workers; documents being read fail."""
        self._closed = True
        workers, self._idle = [*self._idle, *self._busy], []
        for worker in workers:
            await worker.end()

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """The ids of the running workers."""
        return tuple(w.pid for w in (*self._idle, *self._busy) if w.is_alive)

    def _kind(self, data: bytes, content_type: str | None, url: str) -> Kind:
        if not data:
            raise DocumentError(f"{url} is empty")
        if len(data) > self._max_bytes:
            raise DocumentError(
                f"{url} has {len(data):,} bytes; documents up to {self._max_bytes:,} are read"
            )
        kind = sniff(data, content_type, url)
        if kind is None:
            raise DocumentError(f"{url} is not a document of a known kind ({content_type or '?'})")
        return kind

    async def _request(self, header: dict[str, Any], data: bytes, url: str) -> dict[str, Any]:
        worker = await self._worker()
        self._busy.add(worker)
        keep = False
        try:
            with anyio.fail_after(self._timeout):
                reply = _decoded(await worker.request(header, data))
            keep = reply.get("failure") not in ("memory", "bug")
        except TimeoutError as error:
            raise ReaderCrashError(
                f"Reading {url} took longer than {self._timeout:g} seconds"
            ) from error
        except (WorkerDiedError, FunctionFailedError) as error:
            raise await self._crash_error(worker, url) from error
        finally:
            self._busy.discard(worker)
            await self._release(worker, keep=keep)
        return reply

    async def _worker(self) -> Worker:
        """Return an idle worker that does not end soon, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive and anyio.current_time() - worker.idle_since < _IDLE_SECONDS:
                return worker
            await worker.end()
        if self._closed:
            raise InternalError("no document can be read: the server is shutting down")
        # the worker's idle limit is longer, so that it never ends while a request is sent
        try:
            return await Worker.start(
                memory_bytes=self._memory_bytes, idle_seconds=_IDLE_SECONDS + 30
            )
        except OSError as error:
            raise ReaderCrashError(
                f"No process to read documents could be started: {error}"
            ) from error

    async def _release(self, worker: Worker, *, keep: bool) -> None:
        is_fresh = worker.requests < self._documents_per_worker
        if keep and is_fresh and not self._closed:
            worker.idle_since = anyio.current_time()
            self._idle.append(worker)
        else:
            await worker.end()

    async def _crash_error(self, worker: Worker, url: str) -> WebquarryError:
        code = await worker.exit_code()
        if self._closed:
            return ReaderCrashError(f"Reading {url} was stopped: the server is shutting down")
        _log.warning("document worker %d died with %d", worker.pid, code)
        if sys.platform != "win32" and code == -signal.SIGXCPU:
            return ReaderCrashError(f"Reading {url} took more CPU time than is allowed")
        return ReaderCrashError(
            f"The process reading {url} died; the document may be damaged or hostile"
        )


def _decoded(reply: bytes) -> dict[str, Any]:
    """Return a reply, empty if it is invalid: the worker may be compromised."""
    try:
        decoded = json.loads(reply)
    except ValueError:
        return {}
    return cast("dict[str, Any]", decoded) if isinstance(decoded, dict) else {}


def to_document(reply: dict[str, Any]) -> Document:
    """Return the reply of a worker as a document."""
    pages = [page or None for page in reply.pop("outline_pages")]
    outline = tuple(
        OutlineEntry(level=level, title=title, page=page)
        for (level, title), page in zip_longest(reply["outline"], pages[: len(reply["outline"])])
    )
    parts = {
        "page_starts": [PageStart(page=page, offset=at) for page, at in reply["page_starts"]],
        "figures": [DocumentFigure(page=page, caption=text) for page, text in reply["figures"]],
        "uncertain": [UncertainPart(page=page, reason=text) for page, text in reply["uncertain"]],
    }
    return Document.model_validate({**reply, **parts, "outline": outline})


def _error(reply: dict[str, Any], url: str) -> WebquarryError:
    reason = f"{url} {reply.get('reason', 'could not be read')}"
    match reply["failure"]:
        case "encrypted":
            return EncryptedDocumentError(reason)
        case "pages":
            return BadInputError(reason)
        case "memory":
            return ReaderCrashError(reason)
        case "bug":
            _log.error("document reader failed on %s: %s", url, reply.get("cause"))
            return ReaderCrashError(f"{reason}: its reader failed")
        case _:
            return DocumentError(reason)
