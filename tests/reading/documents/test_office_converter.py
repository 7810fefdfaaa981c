"""Documents before 2007, with a program in the place of LibreOffice."""

import os
import sys
from pathlib import Path

import pytest

from tests.reading.documents.messages.samples import compound_file
from tests.reading.documents.samples import zipped
from webquarry.reading.documents.document_errors import DocumentError, ReaderCrashError
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_workers import WorkerLimits
from webquarry.reading.documents.office_converter import OfficeConverter, find_office

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="the program is a script"),
]
DOC = compound_file({"WordDocument": b"old", "1Table": b"x"})
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DOCX = zipped({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body><w:p><w:r><w:t>Old owls.</w:t>'
    "</w:r></w:p></w:body></w:document>",
})  # fmt: skip


def program(folder: Path, body: str) -> Path:
    """Return a program that runs this body with the arguments of LibreOffice."""
    (folder / "result.docx").write_bytes(DOCX)
    script = folder / "soffice"
    script.write_text(
        f"#!{sys.executable}\nimport os, shutil, sys, time\nfrom pathlib import Path\n"
        "source = Path(sys.argv[-1]); out = Path(sys.argv[sys.argv.index('--outdir') + 1])\n"
        f"result = Path({str(folder / 'result.docx')!r})\n{body}\n"
    )
    script.chmod(0o755)
    return script


CONVERT = (
    "shutil.copy(result, out / (source.stem + '.' + sys.argv[sys.argv.index('--convert-to') + 1]))"
)


async def test_an_old_document_is_converted_and_read(tmp_path: Path) -> None:
    reader = DocumentReader(
        limits=WorkerLimits(count=1), converter=OfficeConverter(program(tmp_path, CONVERT))
    )

    found = await reader.read(DOC, content_type="application/msword", url="https://x.org/a.doc")
    await reader.aclose()

    assert (found.kind, found.markdown, found.warnings) == (
        "docx",
        "Old owls.",
        ("converted from the format of before 2007 by LibreOffice",),
    )


async def test_the_program_gets_a_profile_without_macros_and_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "hidden")
    body = (
        "profile = [a for a in sys.argv if a.startswith('-env:UserInstallation=file://')][0]\n"
        "text = Path(profile.split('file://')[1], 'user/registrymodifications.xcu').read_text()\n"
        "assert 'DisableMacrosExecution' in text and 'BRAVE_API_KEY' not in os.environ\n" + CONVERT
    )
    converter = OfficeConverter(program(tmp_path, body))

    assert await converter.convert(DOC, "doc", "a.doc") == DOCX


async def test_a_document_that_cannot_be_converted_is_an_error(tmp_path: Path) -> None:
    converter = OfficeConverter(program(tmp_path, "sys.exit(77)"))

    with pytest.raises(DocumentError, match=r"could not be converted .*exit code 77"):
        await converter.convert(DOC, "doc", "a.doc")


async def test_a_program_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    # the child keeps the pipe open as long as it lives
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    body = f"os.open({str(pipe)!r}, os.O_WRONLY)\nos.fork()\ntime.sleep(600)"
    converter = OfficeConverter(program(tmp_path, body), seconds=3)

    with pytest.raises(ReaderCrashError, match="took longer than 3 seconds"):
        await converter.convert(DOC, "doc", "a.doc")

    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # ends when nobody can write to the pipe any more
    os.close(reader)


async def test_a_missing_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="LibreOffice could not be started"):
        await OfficeConverter(tmp_path / "none").convert(DOC, "doc", "a.doc")


async def test_without_the_program_the_error_says_what_to_install() -> None:
    reader = DocumentReader(limits=WorkerLimits(count=1))

    with pytest.raises(DocumentError, match="only where LibreOffice is installed; install it"):
        await reader.read(DOC, content_type=None, url="a.doc")
    await reader.aclose()


def test_the_program_is_searched_for_unless_it_is_named_or_disabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = program(tmp_path, CONVERT)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert find_office("") == found
    assert find_office("/opt/office") == Path("/opt/office")
    assert find_office("disabled") is None
    monkeypatch.setenv("PATH", os.devnull)
    assert find_office("") is None
