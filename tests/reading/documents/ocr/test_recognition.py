"""Scans and images through the worker processes: what is recognized, and their limits."""

import io
import os
import signal
from importlib.util import find_spec
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.reading.documents.ocr.test_tesseract import program, scan
from tests.reading.documents.samples import lines, pdf, zipped
from webquarry.errors import BadInputError
from webquarry.models.document_content import Document
from webquarry.reading.documents.document_errors import DocumentError
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.draft import NEEDS_RECOGNITION
from webquarry.reading.documents.ocr.recognizer_choice import RecognizerChoice

pytestmark = pytest.mark.anyio

URL = "https://example.org/scan"
TEXT = ("Owls hunt at night and", "hear very well, up to 300 m.")


def image(*texts: str, kind: str = "PNG") -> bytes:
    page = Image.new("L", (900, 120 + 60 * len(texts)), 255)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(36)
    for number, text in enumerate(texts):
        draw.text((60, 60 + 60 * number), text, fill=0, font=font)
    target = io.BytesIO()
    page.save(target, kind)
    return target.getvalue()


def with_tesseract(folder: Path, *rows: str) -> DocumentReader:
    """Return a reader whose workers start a script from a folder that they may read."""
    return DocumentReader(recognizers=RecognizerChoice(tesseract=program(folder, *rows)))


async def read(documents: DocumentReader, data: bytes, language: str = "") -> str:
    try:
        found = await documents.read(
            data, content_type=None, url=URL, options=DocumentOptions(language=language)
        )
    finally:
        await documents.aclose()
    return found.markdown


@pytest.mark.skipif(not find_spec("rapidocr"), reason="RapidOCR is not installed")
async def test_rapidocr_reads_an_image_in_the_sandbox() -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(rapidocr=True))

    assert (
        await read(documents, image(*TEXT)) == "Owls hunt at night and hear very well, up to 300 m."
    )


@pytest.mark.skipif(not find_spec("rapidocr"), reason="RapidOCR is not installed")
async def test_rapidocr_reads_only_pages_without_text() -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(rapidocr=True))
    target = io.BytesIO()
    Image.open(io.BytesIO(image("Seen in a scan."))).save(target, "PDF")
    data = zipped({"a.pdf": target.getvalue(), "b.pdf": pdf(lines("Printed."))})

    assert await read(documents, data) == "# a.pdf\n\nSeen in a scan.\n\n# b.pdf\n\nPrinted."


async def test_a_scan_without_a_recognizer_says_what_to_install() -> None:
    documents = DocumentReader()

    with pytest.raises(DocumentError, match="scanned PDF without text") as caught:
        await read(documents, pdf(scan))

    assert NEEDS_RECOGNITION in str(caught.value)


async def test_a_worker_that_recognizes_nothing_leaves_the_printed_pages() -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(tesseract="/nonexistent/tesseract"))

    found = await documents.read(pdf(lines("Printed words."), scan), content_type=None, url=URL)
    await documents.aclose()

    assert (found.markdown, found.truncated) == ("Printed words.", True)
    assert "text recognition failed on page 2" in found.warnings[0]


async def test_a_killed_recognition_leaves_the_printed_pages_and_the_server() -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(tesseract="/nonexistent/tesseract"))

    found: list[Document] = []

    async def kill() -> None:
        before = set[int]()
        while len(before) < 2:  # the first process reads, the second one recognizes
            before |= set(documents.worker_pids)
            await anyio.lowlevel.checkpoint()
        os.kill(max(before), signal.SIGKILL)

    async with anyio.create_task_group() as group:
        group.start_soon(kill)
        found.append(
            await documents.read(
                pdf(lines("Printed words."), *[scan] * 25), content_type=None, url=URL
            )
        )
    after = await documents.read(b"Owls.", content_type="text/plain", url=URL)
    await documents.aclose()

    assert found[0].markdown == "Printed words."
    assert any("text recognition failed: " in warning for warning in found[0].warnings)
    assert after.markdown == "Owls."


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP"])
async def test_images_of_every_kind_reach_the_recognizer(kind: str) -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(tesseract="/nonexistent/tesseract"))

    with pytest.raises(DocumentError, match="is an image without text: text recognition failed"):
        await read(documents, image("Owls", kind=kind))


async def test_an_image_of_too_many_pixels_is_refused() -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(tesseract="/nonexistent/tesseract"))
    target = io.BytesIO()
    Image.new("1", (30_000, 30_000), 1).save(target, "PNG")

    with pytest.raises(DocumentError, match="is a damaged or too large image"):
        await read(documents, target.getvalue())


async def test_a_language_that_cannot_be_read_is_refused_by_name() -> None:
    documents = DocumentReader(recognizers=RecognizerChoice(rapidocr=True))

    with pytest.raises(BadInputError, match="ocr_language: RapidOCR does not read 'ru'"):
        await read(documents, image("Owls"), language="ru")
