"""Reads files of this machine below allowed folders, and files that callers send."""

import base64
import errno
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webquarry.content.html.charset import decode_page
from webquarry.content.text.binary_content import binary_type
from webquarry.errors import BadInputError, ForbiddenError, NotFoundError
from webquarry.models.reading import RawResponse, Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.file_urls import path_of
from webquarry.reading.response_reader import ResponseReader

_DEFAULT = DocumentOptions()
_OFF = "Files are not read here: ALLOWED_FILE_ROOTS is not set."


@dataclass(frozen=True)
class LocalFiles:
    """Reads files; without allowed folders, only those that callers send."""

    responses: ResponseReader
    roots: Sequence[Path]
    max_bytes: int  # of an allowed file
    max_upload: int  # of a file that is sent

    async def read(self, url: str) -> Reading:
        """Return the file at a file:// URL."""
        return await self.read_content(self.content(url), url)

    async def read_content(
        self, content: bytes, name: str, options: DocumentOptions = _DEFAULT
    ) -> Reading:
        """Return what a file contains; its name and its first bytes tell its kind."""
        if not content.strip():
            raise BadInputError(f"{name} is empty.")
        response = FetchedResponse(url=name, status=200, content=content)
        return await self.responses.read(response, name, "", options=options)

    def content(self, url: str) -> bytes:
        """Return the bytes of a file below an allowed folder; symbolic links are not followed."""
        if not self.roots:
            raise ForbiddenError(_OFF)
        path = path_of(url)
        for root in self.roots:
            for folder in dict.fromkeys((root.absolute(), root.resolve())):
                if path.is_relative_to(folder) and path != folder:
                    return _read_inside(folder, path.relative_to(folder).parts, self.max_bytes)
        raise ForbiddenError(f"{url} is not in a folder of ALLOWED_FILE_ROOTS.")

    def decoded(self, data: str) -> bytes:
        """Return a file that was sent in base64."""
        if len(data) > self.max_upload * 4 // 3 + 4:
            raise BadInputError(f"data: is larger than MAX_UPLOAD_BYTES={self.max_upload}")
        try:
            return base64.b64decode(data, validate=True)
        except ValueError as error:
            raise BadInputError("data: must be base64") from error

    def raw(self, content: bytes, name: str, max_bytes: int) -> RawResponse:
        """Return a file as it is: as text, or in base64 if it is binary."""
        cut, media_type = content[:max_bytes], binary_type(content, "")
        return RawResponse(
            url=name,
            final_url=name,
            content=base64.b64encode(cut).decode() if media_type else decode_page(cut, None),
            content_type=media_type or "text/plain",
            truncated=len(cut) < len(content),
            is_base64=media_type is not None,
        )


def _read_inside(folder: Path, parts: Sequence[str], max_bytes: int) -> bytes:
    """Return the bytes of a regular file, opened step by step, so that no link can lead away."""
    name = "/".join(parts)
    try:
        handle = _open_inside(folder, parts)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise ForbiddenError(
                f"{name} cannot be read: symbolic links are not followed."
            ) from error
        if error.errno == errno.ENOENT:
            raise NotFoundError(f"There is no file {name} in {folder}.") from error
        raise BadInputError(f"Cannot read {name}: {error.strerror}.") from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise BadInputError(f"{name} is not a file: name a file in this folder.")
        if status.st_size > max_bytes:
            raise BadInputError(f"{name} is larger than MAX_DOCUMENT_BYTES={max_bytes}.")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(max_bytes)
    finally:
        os.close(handle)


def _open_inside(folder: Path, parts: Sequence[str]) -> int:
    if os.open not in os.supports_dir_fd:  # Windows
        path = folder.joinpath(*parts).resolve(strict=True)
        if not path.is_relative_to(folder.resolve()):
            raise ForbiddenError(f"{'/'.join(parts)} is not in a folder of ALLOWED_FILE_ROOTS.")
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for number, part in enumerate(parts, 1):
        is_last = number == len(parts)
        # O_NONBLOCK: opening a named pipe would wait for its other end
        flags = os.O_RDONLY | os.O_NOFOLLOW | (os.O_NONBLOCK if is_last else os.O_DIRECTORY)
        try:
            following = os.open(part, flags, dir_fd=handle)
        finally:
            os.close(handle)
        handle = following
    return handle
