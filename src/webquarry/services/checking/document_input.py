"""Gets a document to check: from a URL, a file, uploaded bytes or a text."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webquarry.content.manuscript.manuscript_model import ManuscriptSource
from webquarry.errors import BadInputError, ForbiddenError, NotFoundError
from webquarry.net.fetch import Fetcher, FetchRequest

_BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography|addbibresource)(?:\[[^\]]{0,200}\])?\{([^{}]{1,500})\}"
)
_SECONDS = 60.0


@dataclass(frozen=True)
class DocumentInputs:
    """Reads documents for callers."""

    fetcher: Fetcher
    roots: Sequence[Path]  # folders that callers may name files of; none: no files
    max_bytes: int  # of a file

    async def from_url(self, url: str) -> ManuscriptSource:
        """Fetch a document."""
        response = await self.fetcher.fetch(FetchRequest(url=url, timeout=_SECONDS))
        if not 200 <= response.status < 300:
            raise NotFoundError(f"{url} cannot be read: HTTP {response.status}.")
        return ManuscriptSource(response.content, response.url, response.headers.media_type or None)

    def from_path(self, path: str) -> ManuscriptSource:
        """Read a file of an allowed folder; symbolic links do not lead out of it."""
        if not self.roots:
            raise ForbiddenError("Files are not read here: ALLOWED_FILE_ROOTS is not set.")
        file = Path(path).expanduser().resolve()
        if not any(file.is_relative_to(root.resolve()) for root in self.roots):
            raise ForbiddenError(f"{path} is not in a folder of ALLOWED_FILE_ROOTS.")
        return self.from_file(file)

    def from_base64(self, data: str, name: str) -> ManuscriptSource:
        """Decode uploaded bytes."""
        try:
            decoded = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError) as error:
            raise BadInputError("data: must be base64") from error
        if len(decoded) > self.max_bytes:
            raise BadInputError(f"data: is larger than MAX_UPLOAD_BYTES={self.max_bytes}")
        return ManuscriptSource(decoded, name)

    def from_file(self, path: Path) -> ManuscriptSource:
        """Return a file with the bibliographies that LaTeX names in it."""
        try:
            if path.stat().st_size > self.max_bytes:
                limit = f"MAX_UPLOAD_BYTES={self.max_bytes}"
                raise BadInputError(f"{path} is larger than {limit}.")
            data = path.read_bytes()
        except OSError as error:
            raise BadInputError(f"Cannot read {path}: {error.strerror}.") from error
        if path.suffix.lower() not in (".tex", ".latex", ".ltx"):
            return ManuscriptSource(data, path.name)
        return ManuscriptSource(data, path.name, None, _bibliographies(data, path.parent) or None)


def _bibliographies(data: bytes, folder: Path) -> str:
    """Return the .bib files beside a LaTeX document that it names; never others."""
    text = data.decode("utf-8", "replace")
    names = [name.strip() for match in _BIBLIOGRAPHY.finditer(text) for name in match[1].split(",")]
    files = (folder / f"{name.removesuffix('.bib')}.bib" for name in names if name)
    inside = (file for file in files if file.resolve().is_relative_to(folder.resolve()))
    return "\n".join(file.read_text("utf-8", errors="replace") for file in inside if file.is_file())
