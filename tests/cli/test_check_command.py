"""`check FILE`: what cannot be checked or written is refused in one line, before the check."""

import io
import sys
from pathlib import Path

import pytest

from tests.cli.typing_in import Typist

_DRAFT = "# Owls\n\nThey sleep [1].\n\n## References\n\n[1] Stone, A. (2020). Owls. Owl, 4, 1-2.\n"


@pytest.fixture
def folder(home: Path) -> Path:
    (home / "draft.md").write_text(_DRAFT)
    (home / "empty.md").write_text("\n")
    (home / "image.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 8)
    (home / "half.docx").write_bytes(b"PK\x03\x04" + bytes(range(32)) * 8)
    (home / "large.md").write_bytes(b"word " * (6 * 2**20))
    return home


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no.md",), "Cannot read no.md: No such file or directory."),
        ((".",), "Cannot read .: Is a directory."),
        (("empty.md",), "empty.md is empty."),
        (("large.md",), "large.md is larger than MAX_UPLOAD_BYTES=26214400."),
        (("ftp://a.example/x",), "URL rejected for ftp://a.example/x: the scheme 'ftp'"),
        (("-",), "-: stdin is empty. Pipe a document into this command."),
        (("image.pdf",), "image.pdf is damaged or of another kind: image/png. Give a PDF, Word,"),
        (("half.docx",), "half.docx is damaged or of another kind: archive. Give a PDF, Word,"),
        (("draft.md", "-o", "no/x.html"), "--output no/x.html: there is no folder no."),
        (("draft.md", "-f", "md", "-o", "."), "--output . is a folder: name a file in it."),
        (("draft.md", "-o", "x.foo"), "x.foo: name a form with --format, or a file like"),
        (
            ("draft.md", "-f", "noted", "-o", "x.pdf"),
            "--output x.pdf: the copy of this document is a .md file.",
        ),
        (("draft.md", "-f", "pdf"), "A PDF copy with notes needs a PDF document; this one is mark"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(
    typist: Typist,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    before = sorted(path.name for path in folder.iterdir() if path.is_file())

    done = typist.type("check", *arguments)

    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"webquarry: {message}")
    assert done.err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == before


def test_a_text_without_citations_says_that_nothing_was_checked(
    typist: Typist, folder: Path
) -> None:
    (folder / "plain.txt").write_text("Owls sleep by day. They hunt by night.\n")

    done = typist.type("check", "plain.txt")

    assert done.status == 0
    assert "neither citations nor a reference list: nothing was checked." in done.out + done.err
