"""URLs of files on this machine (`file:///path/to/file`)."""

import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from webquarry.errors import BadInputError, ForbiddenError

_FILE_URL = re.compile(r"file:(?://(?P<host>[^/]*))?(?P<path>/.*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"/[A-Za-z]:/")


def is_file_url(url: str) -> bool:
    """Tell whether a URL names a file of this machine."""
    return url[:5].lower() == "file:"


def path_of(url: str) -> Path:
    """Return the path that a file:// URL names; refuse other hosts and steps upwards."""
    match = _FILE_URL.fullmatch(url.partition("#")[0])
    if not match or (match["host"] or "").lower() not in ("", "localhost"):
        raise BadInputError(f"{url[:300]} is no file of this machine: use file:///path/to/file.")
    path = unquote(match["path"], errors="surrogateescape")
    if "\0" in path or ".." in re.split(r"[/\\]", path):
        raise ForbiddenError("A path must not contain `..` or null characters.")
    if os.name == "nt" and _DRIVE.match(path):
        return Path(path[1:])
    # two slashes at the start mean another machine to some systems
    return Path(PurePosixPath("/" + path.lstrip("/")))
