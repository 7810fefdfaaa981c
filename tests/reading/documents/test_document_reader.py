import os
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from tests.reading.documents.samples import docx, epub, lines, odt, paragraph, pdf, workbook, zipped
from webquarry.errors import BadInputError
from webquarry.models.document_content import Document, DocumentKind
from webquarry.parsing.worker_process import Worker
from webquarry.reading.documents.document_errors import (
    DocumentError,
    EncryptedDocumentError,
    ReaderCrashError,
)
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_workers import WorkerLimits

pytestmark = pytest.mark.anyio

URL = "https://example.org/x"
WORDS = docx(paragraph("Words."))
PPTX = zipped(
    {
        "ppt/presentation.xml": (
            '<p:p xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:i r:id="a"/></p:sldIdLst></p:p>'
        ),
        "ppt/_rels/presentation.xml.rels": '<R><L Id="a" Target="s.xml" Type="slide"/></R>',
        "ppt/s.xml": (
            "<s><cSld><spTree><sp><txBody><p><r><t>Words.</t></r></p></txBody></sp></spTree>"
            "</cSld></s>"
        ),
    }
)
# big enough that no machine reads it before it can be disturbed
SLOW = b'"a","b"\n' + b"1,2\n" * 10_000_000


async def read(documents: DocumentReader, data: bytes, content_type: str | None = None) -> Document:
    return await documents.read(data, content_type=content_type, url=URL)


async def busy_worker(documents: DocumentReader) -> int:
    """Wait for a busy worker and return its process."""
    while not documents.worker_pids:
        await anyio.lowlevel.checkpoint()
    return documents.worker_pids[0]


def runs(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def told(pid: int, name: str) -> bytes:
    return Path(f"/proc/{pid}/{name}").read_bytes()


def network_of(process: str) -> Path:
    return Path(f"/proc/{process}/ns/net").readlink()


def may_leave_network() -> bool:
    program = shutil.which("unshare")
    return (
        bool(program)
        and not subprocess.run(
            [str(program), "-rn", "true"], capture_output=True, check=False
        ).returncode
    )


@pytest.mark.parametrize(
    ("kind", "data", "content_type", "markdown"),
    [
        ("pdf", pdf(lines("Words.")), None, "Words."),
        ("docx", WORDS, None, "Words."),
        ("pptx", PPTX, None, "## Slide 1\n\nWords."),
        ("xlsx", workbook({"S": [["Words."]]}), None, "## S\n\n| Words. |\n| --- |"),
        ("epub", epub({"a": "<p>Words.</p>"}), None, "Words."),
        ("odt", odt("<text:p>Words.</text:p>"), None, "Words."),
        ("rtf", rb"{\rtf1 Words.}", None, "Words."),
        ("csv", b"Words.,x", "text/csv", "| Words. | x |\n| --- | --- |"),
        ("text", b"Words.", "text/plain", "Words."),
        ("markdown", b"*Words.*", "text/markdown", "*Words.*"),
        ("json", b'["Words."]', "application/json", '```json\n[\n  "Words."\n]\n```'),
        ("xml", b"<?xml version='1.0'?><a/>", "text/xml", "```xml\n<?xml version='1.0'?><a/>\n```"),
        ("feed", b"<rss><channel><title>Words.</title></channel></rss>", None, "# Words."),
    ],
)
async def test_every_kind_is_read_by_the_worker(
    documents: DocumentReader,
    kind: DocumentKind,
    data: bytes,
    content_type: str | None,
    markdown: str,
) -> None:
    found = await read(documents, data, content_type)

    assert (found.kind, found.markdown) == (kind, markdown)


async def test_a_worker_is_reused_and_replaced_after_some_documents() -> None:
    documents = DocumentReader(limits=WorkerLimits(count=1, documents=2))
    pids: list[tuple[int, ...]] = []
    for _ in range(4):
        await read(documents, WORDS)
        pids.append(documents.worker_pids)
    await documents.aclose()

    assert [len(running) for running in pids] == [1, 0, 1, 0]
    assert pids[0] != pids[2]


async def test_two_documents_are_read_concurrently() -> None:
    documents = DocumentReader(limits=WorkerLimits(count=2))
    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(read, documents, WORDS)
    running = documents.worker_pids
    await documents.aclose()

    assert len(running) == 2


async def test_a_worker_is_started_by_the_first_document_and_ends_on_close() -> None:
    documents = DocumentReader()
    before = documents.worker_pids
    await read(documents, WORDS)
    (pid,) = documents.worker_pids
    await documents.aclose()

    assert (before, documents.worker_pids, runs(pid)) == ((), (), False)


async def test_a_killed_worker_fails_only_its_document(
    documents: DocumentReader,
) -> None:
    async def kill() -> None:
        os.kill(await busy_worker(documents), signal.SIGKILL)

    message = f"The process reading {URL} died; the document may be damaged or hostile"
    async with anyio.create_task_group() as group:
        group.start_soon(kill)
        with pytest.raises(ReaderCrashError, match=re.escape(message)):
            await read(documents, SLOW, "text/csv")

    assert (await read(documents, WORDS)).markdown == "Words."


async def test_a_worker_that_died_while_idle_is_replaced(documents: DocumentReader) -> None:
    await read(documents, WORDS)
    (pid,) = documents.worker_pids
    os.kill(pid, signal.SIGKILL)
    while documents.worker_pids:
        await anyio.lowlevel.checkpoint()

    assert (await read(documents, WORDS)).markdown == "Words."


async def test_a_slow_document_times_out() -> None:
    documents = DocumentReader(timeout=0.01)

    with pytest.raises(ReaderCrashError, match=r"took longer than 0\.01 seconds"):
        await read(documents, SLOW, "text/csv")

    assert documents.worker_pids == ()
    await documents.aclose()


async def test_cancelling_stops_the_worker(documents: DocumentReader) -> None:
    pids: list[int] = []
    async with anyio.create_task_group() as group:
        group.start_soon(read, documents, SLOW, "text/csv")
        pids.append(await busy_worker(documents))
        group.cancel_scope.cancel()

    assert (runs(pids[0]), documents.worker_pids) == (False, ())
    assert (await read(documents, WORDS)).markdown == "Words."


async def test_closing_stops_the_worker() -> None:
    documents = DocumentReader()
    async with anyio.create_task_group() as group:

        async def close() -> None:
            await busy_worker(documents)
            await documents.aclose()

        group.start_soon(close)
        with pytest.raises(ReaderCrashError, match="shutting down"):
            await read(documents, SLOW, "text/csv")

    assert documents.worker_pids == ()


async def test_a_document_that_exceeds_the_memory_limit_fails_alone() -> None:
    documents = DocumentReader(limits=WorkerLimits(300 * 2**20, count=1))
    grown = docx("".join(paragraph(f"Words {n}.") for n in range(500_000)))

    with pytest.raises(ReaderCrashError):
        await read(documents, grown)

    assert (await read(documents, WORDS)).markdown == "Words."
    await documents.aclose()


def test_a_worker_ends_when_the_server_is_killed() -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert server.stdout is not None
    assert server.stdin is not None
    worker = os.pidfd_open(int(server.stdout.readline()))
    server.kill()
    server.wait()
    left, _, _ = select.select([worker], [], [], 30)
    os.close(worker)
    server.stdout.close()
    server.stdin.close()

    assert left == [worker]


_SERVER = f"""
import asyncio
from webquarry.parsing.worker_process import Worker
from webquarry.reading.documents.document_reader import DocumentReader
async def main():
    documents = DocumentReader()
    await documents.read(b"x", content_type="text/plain", url="u")
    print(*documents.worker_pids, flush=True)
    await documents.read({SLOW[:100]!r} * 500_000, content_type="text/csv", url="u")
asyncio.run(main())
"""


def test_the_server_does_not_import_document_libraries() -> None:
    script = (
        "import sys\n"
        "from webquarry.reading.documents import document_reader, document_type\n"
        "print(sorted({'lxml', 'pypdfium2', 'zipfile', 'csv'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    assert ran.stdout.strip() == b"[]"


async def test_environment_variables_are_not_passed_to_the_worker(
    documents: DocumentReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "a-secret")
    await read(documents, WORDS)
    (pid,) = documents.worker_pids

    assert b"a-secret" not in told(pid, "environ")


async def test_the_worker_has_resource_limits(documents: DocumentReader) -> None:
    await read(documents, WORDS)
    (pid,) = documents.worker_pids
    limits = {
        line[:26].strip().decode(): line[26:].split()[0].decode()
        for line in told(pid, "limits").splitlines()
    }

    wanted = ("Max address space", "Max file size", "Max core file size")
    assert [limits[name] for name in wanted] == [str(1024 * 2**20), "0", "0"]
    assert limits["Max cpu time"] != "unlimited"


async def test_the_worker_has_no_network(documents: DocumentReader) -> None:
    if not may_leave_network():
        pytest.skip("this system does not let processes leave the network")
    await read(documents, WORDS)
    (pid,) = documents.worker_pids

    assert network_of(str(pid)) != network_of("self")


async def test_unreadable_documents_are_typed_errors_with_a_reason(
    documents: DocumentReader,
) -> None:
    with pytest.raises(DocumentError) as broken:
        await read(documents, b"%PDF-1.7\n")
    with pytest.raises(EncryptedDocumentError) as locked:
        # the sample's own
        await read(documents, pdf(lines("x"), password="secret"))  # noqa: S106

    assert (str(broken.value), broken.value.block()) == (
        f"{URL} is broken: it cannot be opened as a PDF",
        {"kind": "content_empty", "retryable": False, "suggestedAction": "inform_user"},
    )
    assert (str(locked.value), locked.value.block()) == (
        f"{URL} is an encrypted PDF: it opens only with a password",
        {"kind": "auth_required", "retryable": False, "suggestedAction": "inform_user"},
    )


async def test_page_numbers_out_of_range_are_a_validation_error(documents: DocumentReader) -> None:
    with pytest.raises(BadInputError, match="has 1 page; none of the requested ones"):
        await documents.read(
            pdf(lines("x")), content_type=None, url=URL, options=DocumentOptions("7")
        )


@pytest.mark.parametrize("pages", ["x", "3-1", "0", "1,,2", "1-2-3", ",".join(["1"] * 101)])
async def test_invalid_page_ranges_are_rejected(documents: DocumentReader, pages: str) -> None:
    with pytest.raises(BadInputError, match="pages"):
        await documents.read(WORDS, content_type=None, url=URL, options=DocumentOptions(pages))

    assert documents.worker_pids == ()


@pytest.mark.parametrize(
    ("data", "content_type", "message"),
    [
        (b"", "text/plain", f"{URL} is empty"),
        (b"x" * 101, "text/plain", f"{URL} has 101 bytes; documents up to 100 are read"),
        (b"\x89PNG", "image/png", f"{URL} is not a document of a known kind (image/png)"),
        (b"<html>", None, f"{URL} is not a document of a known kind (?)"),
    ],
)
async def test_content_that_is_no_document_starts_no_worker(
    data: bytes, content_type: str | None, message: str
) -> None:
    documents = DocumentReader(max_bytes=100)

    with pytest.raises(DocumentError) as caught:
        await read(documents, data, content_type)

    assert (str(caught.value), documents.worker_pids) == (message, ())


async def test_a_worker_that_cannot_be_started_is_a_typed_error(
    documents: DocumentReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    with pytest.raises(ReaderCrashError, match="No process to read documents could be started"):
        await read(documents, WORDS)


@pytest.mark.parametrize(
    "reply", [b'{"document": {"outline": [], "markdown": 7}}', b"[]", b"{}", b"not JSON"]
)
async def test_an_invalid_worker_response_is_a_typed_error(
    documents: DocumentReader, monkeypatch: pytest.MonkeyPatch, reply: bytes
) -> None:
    async def nonsense(*_: object) -> bytes:
        return reply

    monkeypatch.setattr(Worker, "request", nonsense)

    with pytest.raises(ReaderCrashError, match="sent an invalid reply"):
        await read(documents, WORDS)
