"""Files of this machine: only those below the allowed folders, however they are named."""

import base64
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from webquarry.errors import BadInputError, ForbiddenError, NotFoundError, WebquarryError
from webquarry.models.reading import RawResponse
from webquarry.parsing.parsers import Parsers
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_workers import WorkerLimits
from webquarry.reading.html_workers import HtmlExtractor
from webquarry.reading.local_files import LocalFiles
from webquarry.reading.response_reader import ResponseReader

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX systems"),
]
SECRET = "the secret outside"  # noqa: S105 - the content of a file that must not be read


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an allowed folder beside one that is not allowed."""
    allowed, outside = tmp_path / "allowed", tmp_path / "outside"
    (allowed / "sub").mkdir(parents=True)
    outside.mkdir()
    (tmp_path / "allowed-too").mkdir()
    for file in (outside / "secret.txt", tmp_path / "secret.txt", tmp_path / "allowed-too/s.txt"):
        file.write_text(SECRET)
    (allowed / "owls.txt").write_text("Owls hunt at night.")
    (allowed / "sub" / "a b#1.md").write_text("# Nine\n\n- owls\n")
    (allowed / "page.html").write_text("<h1>Owls</h1><p>They hunt at night, mostly.</p>")
    (allowed / "empty.txt").write_text("")
    (allowed / "link.txt").symlink_to(outside / "secret.txt")
    (allowed / "inner-link.txt").symlink_to(allowed / "owls.txt")
    (allowed / "linked").symlink_to(outside)
    (allowed / "sub" / "up").symlink_to("../..")
    (allowed / "self").symlink_to("self")
    (allowed / "hop").symlink_to("linked")
    os.mkfifo(allowed / "pipe")
    return allowed


def local_files(*roots: Path, max_bytes: int = 10_000) -> LocalFiles:
    documents = DocumentReader(limits=WorkerLimits(count=1))
    reader = ResponseReader(documents, extractor=HtmlExtractor(Parsers()))
    return LocalFiles(reader, roots, max_bytes, max_upload=1_000)


@pytest.fixture
async def files(root: Path) -> AsyncIterator[LocalFiles]:
    documents = DocumentReader(limits=WorkerLimits(count=1))
    reader = ResponseReader(documents, extractor=HtmlExtractor(Parsers()))
    yield LocalFiles(reader, (root,), 10_000, max_upload=1_000)
    await documents.aclose()


async def test_files_below_an_allowed_folder_are_read(files: LocalFiles, root: Path) -> None:
    text = await files.read(f"file://{root}/owls.txt")
    markdown = await files.read(f"file://localhost{root}/sub/a%20b%231.md")
    page = await files.read(f"FILE:{root}/page.html#top")

    assert (text.kind, text.markdown) == ("text", "Owls hunt at night.")
    assert (markdown.kind, markdown.markdown) == ("markdown", "# Nine\n\n- owls")
    assert (page.kind, page.markdown) == ("html", "# Owls\n\nThey hunt at night, mostly.")


def test_without_allowed_folders_no_file_is_read(root: Path) -> None:
    with pytest.raises(ForbiddenError, match="ALLOWED_FILE_ROOTS is not set"):
        local_files().content(f"file://{root}/owls.txt")


# {root} is the allowed folder, {top} the folder above it
ESCAPES = (
    "file://{top}/secret.txt",
    "file://{top}/outside/secret.txt",
    "file://{top}/allowed-too/s.txt",
    "file://{root}-too/s.txt",
    "file://{root}",
    "file://{root}/",
    "file://{top}",
    "file:///",
    "file:///etc/passwd",
    "file:/etc/passwd",
    "file://localhost/etc/passwd",
    "FILE:///etc/passwd",
    "file:////etc/passwd",
    "file://///etc/passwd",
    "file:///proc/self/environ",
    "file:///proc/self/root/etc/passwd",
    "file:///dev/zero",
    "file:///dev/stdin",
    "file://{root}/../secret.txt",
    "file://{root}/../outside/secret.txt",
    "file://{root}/sub/../../secret.txt",
    "file://{root}/./../secret.txt",
    "file://{root}/..",
    "file://{root}/sub/..",
    "file://{root}//../secret.txt",
    "file://{root}/%2e%2e/secret.txt",
    "file://{root}/%2E%2E/secret.txt",
    "file://{root}/.%2e/secret.txt",
    "file://{root}/%2e./secret.txt",
    "file://{root}/..%2fsecret.txt",
    "file://{root}/..%2Foutside%2Fsecret.txt",
    "file://{root}/%2e%2e%2fsecret.txt",
    "file://{root}/sub%2f..%2f..%2fsecret.txt",
    "file://{root}/..\\secret.txt",
    "file://{root}/..%5csecret.txt",
    "file://{root}/sub/..%5c..%5csecret.txt",
    "file://{root}/%252e%252e/secret.txt",
    "file://{root}/..;/secret.txt",
    "file://{root}/....//secret.txt",
    "file://{root}/\uff0e\uff0e/secret.txt",
    "file://{root}/%c0%ae%c0%ae/secret.txt",
    "file://{root}/owls.txt%00/../../secret.txt",
    "file://{root}/..%00/secret.txt",
    "file://{root}/%00",
    "file://{root}/link.txt",
    "file://{root}/inner-link.txt",
    "file://{root}/linked/secret.txt",
    "file://{root}/linked",
    "file://{root}/linked/",
    "file://{root}/linked/.",
    "file://{root}/hop/secret.txt",
    "file://{root}/sub/up/secret.txt",
    "file://{root}/sub/up/outside/secret.txt",
    "file://{root}/sub/up/allowed/owls.txt",
    "file://{root}/self",
    "file://{root}/self/x",
    "file://{root}/pipe",
    "file://{root}/sub",
    "file://{root}/sub/",
    "file://{root}/owls.txt/x",
    "file://{root}/~/secret.txt",
    "file://{root}/$HOME/secret.txt",
    "file://example.com{root}/owls.txt",
    "file://127.0.0.1/etc/passwd",
    "file://example.com/etc/passwd",
    "file://user@localhost{root}/owls.txt",
    "file:etc/passwd",
    "file:",
    "file://",
    "file:../secret.txt",
    "file://{root}/?x=../secret.txt",
    "file://{root}/owls.txt/../../secret.txt",
)


@pytest.mark.parametrize("url", ESCAPES)
def test_no_name_leads_out_of_an_allowed_folder(url: str, root: Path) -> None:
    address = url.replace("{root}", str(root)).replace("{top}", str(root.parent))

    with pytest.raises(WebquarryError) as caught:
        local_files(root).content(address)

    assert isinstance(caught.value, ForbiddenError | BadInputError | NotFoundError)
    assert SECRET not in str(caught.value)


def test_there_are_60_tries() -> None:
    assert len(set(ESCAPES)) >= 60


def test_a_file_outside_is_refused_whether_it_exists_or_not(root: Path) -> None:
    messages: list[str] = []
    for name in ("secret.txt", "no-such-file.txt"):
        with pytest.raises(ForbiddenError) as caught:
            local_files(root).content(f"file://{root.parent}/{name}")
        messages.append(str(caught.value).replace(name, "NAME"))

    assert messages[0] == messages[1]


def test_a_folder_that_is_named_by_a_link_is_allowed_by_both_names(root: Path) -> None:
    link = root.parent / "by-link"
    link.symlink_to(root)

    for folder in (link, root):
        assert local_files(link).content(f"file://{folder}/owls.txt") == b"Owls hunt at night."


def test_a_link_that_replaces_a_folder_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that becomes a link after its name was checked leads nowhere."""
    opened = os.open

    def swap(path: object, *flags: int, **options: int) -> int:
        if path == "sub" and (root / "sub").is_dir() and not (root / "sub").is_symlink():
            (root / "sub").rename(root / "old")
            (root / "sub").symlink_to(root.parent / "outside")
        return opened(path, *flags, **options)  # type: ignore[arg-type]  # pyright: ignore

    (root / "sub" / "secret.txt").write_text("inside")
    monkeypatch.setattr("webquarry.reading.local_files.os.open", swap)
    monkeypatch.setattr(os, "supports_dir_fd", {swap})

    with pytest.raises(ForbiddenError, match="symbolic links are not followed"):
        local_files(root).content(f"file://{root}/sub/secret.txt")


def test_a_missing_and_a_large_file_are_told_apart(root: Path) -> None:
    with pytest.raises(NotFoundError, match=r"There is no file sub/x\.txt in "):
        local_files(root).content(f"file://{root}/sub/x.txt")
    with pytest.raises(BadInputError, match="larger than MAX_DOCUMENT_BYTES=5"):
        local_files(root, max_bytes=5).content(f"file://{root}/owls.txt")


async def test_an_empty_file_is_said_to_be_empty(files: LocalFiles, root: Path) -> None:
    with pytest.raises(BadInputError, match=r"empty\.txt is empty"):
        await files.read(f"file://{root}/empty.txt")


def test_a_sent_file_is_base64_of_limited_size(root: Path) -> None:
    files = local_files(root)

    assert files.decoded(base64.b64encode(b"x" * 1000).decode()) == b"x" * 1000
    with pytest.raises(BadInputError, match="data: must be base64"):
        files.decoded("!!!")
    with pytest.raises(BadInputError, match="larger than MAX_UPLOAD_BYTES=1000"):
        files.decoded(base64.b64encode(b"x" * 1003).decode())


def test_a_file_as_it_is_is_text_or_base64() -> None:
    files = local_files()

    assert files.raw("na\u00efve".encode(), "a.txt", 100) == RawResponse(
        url="a.txt", final_url="a.txt", content="na\u00efve", content_type="text/plain"
    )
    assert files.raw(b"\x89PNG\r\n\x1a\n" + bytes(9), "a.png", 8) == RawResponse(
        url="a.png",
        final_url="a.png",
        content=base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(),
        content_type="image/png",
        truncated=True,
        is_base64=True,
    )
