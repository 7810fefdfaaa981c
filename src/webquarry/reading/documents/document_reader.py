"""Reads documents in sandboxed worker processes."""

import logging
from itertools import zip_longest
from typing import Any

import anyio

from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.document_content import (
    Document,
    DocumentFigure,
    OutlineEntry,
    PageStart,
    UncertainPart,
)
from webquarry.reading.documents.document_errors import (
    DocumentError,
    EncryptedDocumentError,
    ReaderCrashError,
)
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.documents.document_type import Kind, legacy_format, sniff
from webquarry.reading.documents.document_workers import DocumentWorkers, WorkerLimits
from webquarry.reading.documents.image_types import is_readable_image
from webquarry.reading.documents.ocr.recognizer_choice import RecognizerChoice
from webquarry.reading.documents.office_converter import OfficeConverter
from webquarry.reading.documents.page_ranges import parse_page_ranges

_log = logging.getLogger(__name__)
_MIB = 2**20
_RECOGNITION_BYTES = 3072 * _MIB
_CONVERTED = "converted from the format of before 2007 by LibreOffice"


_DEFAULT = DocumentOptions()


class DocumentReader:
    """Turns PDF, Office, EPUB, data and feed files into Markdown, in sandboxed processes.

    A document whose pages are images is read a second time, with text recognition, by processes
    with limits of their own.
    """

    def __init__(
        self,
        *,
        max_bytes: int = 50 * _MIB,
        timeout: float = 60.0,
        limits: WorkerLimits | None = None,
        converter: OfficeConverter | None = None,
        recognizers: RecognizerChoice | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._timeout = timeout
        self._workers = DocumentWorkers(limits or WorkerLimits())
        self._recognizers = recognizers or RecognizerChoice()
        self._recognition = DocumentWorkers(
            WorkerLimits(_RECOGNITION_BYTES, count=1, program=self._recognizers.tesseract)
        )
        self._converter = converter  # of documents before 2007; None: they are refused

    @property
    def reads_images(self) -> bool:
        """Whether text in images can be recognized."""
        return bool(self._recognizers)

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """The ids of the running workers."""
        return (*self._workers.pids, *self._recognition.pids)

    async def read(
        self,
        data: bytes,
        *,
        content_type: str | None,
        url: str,
        options: DocumentOptions = _DEFAULT,
    ) -> Document:
        """Return the document, or raise `WebquarryError` when it cannot be read."""
        ranges = parse_page_ranges(options.pages)
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
            "marked": options.marked,
            "seconds": self._timeout,
        }
        document = await self._document(task, data, options.language)
        return document.model_copy(update={"warnings": (*document.warnings, *notes)})

    async def aclose(self) -> None:
        """End all workers; documents being read fail."""
        await self._workers.aclose()
        await self._recognition.aclose()

    async def _document(self, task: dict[str, Any], data: bytes, language: str) -> Document:
        if task["kind"] == "image":
            return _result(await self._recognize(task, data, language), task["url"])
        started = anyio.current_time()
        reply = await self._workers.read(task, data)
        found = reply if "failure" in reply else reply.get("document", {})
        is_scanned = reply.get("failure") == "scanned" or bool(found.get("scans"))
        if not is_scanned or not self.reads_images:
            return _result(reply, task["url"])
        left = max(1.0, task["seconds"] - (anyio.current_time() - started))
        declared = str(found.get("language") or "")
        try:
            again = await self._recognize(task | {"seconds": left}, data, language, declared)
            return _result(again, task["url"])
        except DocumentError as error:
            if "failure" in reply:
                raise
            document = _result(reply, task["url"])
            note = f"text recognition failed: {error}"
            return document.model_copy(update={"warnings": (*document.warnings, note)})

    async def _recognize(
        self, task: dict[str, Any], data: bytes, language: str, declared: str = ""
    ) -> dict[str, Any]:
        """Return the reply of a process that recognizes text."""
        chosen = self._recognizers.choose(language or declared, is_wanted=bool(language))
        known = language or declared or self._recognizers.language
        return await self._recognition.read(task | {"recognizer": chosen, "language": known}, data)

    def _kind(self, data: bytes, content_type: str | None, url: str) -> Kind:
        if not data:
            raise DocumentError(f"{url} is empty")
        if len(data) > self._max_bytes:
            raise DocumentError(
                f"{url} has {len(data):,} bytes; documents up to {self._max_bytes:,} are read"
            )
        kind = sniff(data, content_type, url)
        if kind is None and self.reads_images and is_readable_image(data):
            return "image"
        if kind is None:
            raise DocumentError(f"{url} is not a document of a known kind ({content_type or '?'})")
        return kind


def _result(reply: dict[str, Any], url: str) -> Document:
    """Return the document of a reply, or raise the error that it tells."""
    try:
        if "failure" not in reply:
            return to_document(reply["document"])
    except (KeyError, TypeError, ValueError) as error:  # the worker may be compromised
        raise ReaderCrashError(f"The process reading {url} sent an invalid reply") from error
    raise _error(reply, url)


def to_document(reply: dict[str, Any]) -> Document:
    """Return the reply of a worker as a document."""
    pages = [page or None for page in reply.pop("outline_pages")]
    reply.pop("scans")
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
