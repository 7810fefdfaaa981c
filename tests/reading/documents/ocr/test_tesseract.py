"""Scans read by tesseract: here a script that prints what it would."""

import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from tests.reading.documents.reading import read
from tests.reading.documents.samples import lines, pdf
from webquarry.reading.documents.draft import DocumentTask, UnreadableDocument
from webquarry.reading.documents.formats import read_document

_HEAD = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
)


def scan(canvas: Any) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (40, 40), 200)), 0, 0, 590, 840)


def row(line: int, left: int, text: str, *, confidence: float = 96.0) -> str:
    width = 20 * len(text)
    return f"5\t1\t1\t1\t{line}\t1\t{left}\t{100 + 45 * line}\t{width}\t30\t{confidence}\t{text}"


def program(folder: Path, *rows: str, languages: str = "eng") -> str:
    path = folder / "tesseract"
    table = "\n".join((_HEAD, "1\t1\t0\t0\t0\t0\t0\t0\t1654\t2339\t-1\t", *rows))
    path.write_text(
        f"#!{sys.executable}\nimport sys\n"
        f"if '--list-langs' in sys.argv:\n    print({languages!r})\n    sys.exit()\n"
        "head = sys.stdin.buffer.read(3)\n"
        "assert head == b'P5 ' and sys.argv[1:3] == ['stdin', 'stdout'], sys.argv\n"
        "assert sys.argv[-1] == 'tsv'\n"
        f"print({table!r})\n"
    )
    path.chmod(0o755)
    return str(path)


def test_a_scan_is_read_with_its_confidence(tmp_path: Path) -> None:
    tesseract = program(tmp_path, row(1, 200, "First"), row(1, 320, "words."))

    found = read(pdf(lines("Words of a page with text."), scan), recognizer=tesseract)

    assert found.markdown == "Words of a page with text.\n\nFirst words."
    assert found.warnings == (
        "1 scanned page read by text recognition (tesseract, eng, confidence 96%): expect errors",
    )
    assert [(part.page, part.reason) for part in found.uncertain] == [
        (2, "text recognition read this page, confidence 96%")
    ]


def test_what_is_recognized_without_confidence_is_left_out(tmp_path: Path) -> None:
    tesseract = program(tmp_path, row(1, 200, "Real"), row(2, 200, "~/=", confidence=20))

    assert read(pdf(scan), recognizer=tesseract).markdown == "Real"


def test_words_in_columns_are_a_table(tmp_path: Path) -> None:
    cells = [
        ("Year", "Owls", "Foxes"),
        ("2019", "12", "7"),
        ("2020", "15", "9"),
        ("2021", "11", "4"),
    ]
    rows = [
        row(line, 200 + 400 * column, text)
        for line, texts in enumerate(cells, 1)
        for column, text in enumerate(texts)
    ]

    assert read(pdf(scan), recognizer=program(tmp_path, *rows)).markdown == (
        "| Year | Owls | Foxes |\n| --- | --- | --- |\n"
        "| 2019 | 12 | 7 |\n| 2020 | 15 | 9 |\n| 2021 | 11 | 4 |"
    )


@pytest.mark.parametrize(
    ("installed", "used"), [("eng\ndeu\n", "deu"), ("eng\n", "eng")], ids=["installed", "not"]
)
def test_the_language_of_the_caller_is_used_if_it_is_installed(
    tmp_path: Path, installed: str, used: str
) -> None:
    tesseract = program(tmp_path, row(1, 200, "Wort"), languages=installed)
    task = DocumentTask("pdf", pdf(scan), recognizer=tesseract, language="de-AT")

    assert f"(tesseract, {used}, " in read_document(task).warnings[0]


def test_a_program_that_fails_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "tesseract"
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)

    found = read(pdf(lines("Words."), scan), recognizer=str(path))

    assert (found.markdown, found.truncated) == ("Words.", True)
    assert found.warnings == ("text recognition failed on page 2: CalledProcessError",)


def test_an_image_is_read_like_a_page(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    Image.new("L", (800, 600), 255).save(path)
    tesseract = program(tmp_path, row(1, 200, "Seen."))

    found = read_document(DocumentTask("image", path.read_bytes(), recognizer=tesseract))

    assert (found.kind, found.markdown, found.page_count) == ("image", "Seen.", 1)


def test_an_image_without_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.jpg"
    Image.new("L", (800, 600), 255).save(path)

    with pytest.raises(UnreadableDocument, match="is an image without text"):
        read_document(DocumentTask("image", path.read_bytes(), recognizer=program(tmp_path)))


def test_a_damaged_image_is_refused(tmp_path: Path) -> None:
    task = DocumentTask("image", b"\x89PNG\r\n\x1a\n" + b"x" * 40, recognizer=program(tmp_path))

    with pytest.raises(UnreadableDocument, match="is a damaged or too large image"):
        read_document(task)
