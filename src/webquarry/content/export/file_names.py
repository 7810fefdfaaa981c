"""File names for pages: safe on every file system, unique, and the same in every export."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from urllib.parse import unquote, urlsplit

SUFFIX = ".md"
_SUFFIXES = (SUFFIX, ".png", ".webp")  # a screenshot is beside its page
_MAX_NAME = 100  # bytes of one file or folder name; file systems allow 255
_MAX_PATH = 180  # bytes of a path below the folder; Windows allows 260 for everything
_DIGITS = 8  # of the hash that tells names apart
# extensions that say nothing about the page
_PAGE_EXTENSION = re.compile(r"\.(?:x?html?|md|markdown|php|aspx?|jsp|cgi)$", re.IGNORECASE)
_DASHES = re.compile("-{2,}")
_WINDOWS_DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$")) | {
    f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"
}
# site generators show these as the page of their folder
_FOLDER_PAGES = frozenset(("index", "readme"))
# MkDocs leaves this folder out when it is at the top
_TOP_RESERVED = frozenset(("templates",))


def file_paths(
    urls: Iterable[str], *, home: str = "", known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return a relative path for each URL, whatever the order of the URLs.

    Pages of the host `home` are at the top, those of other hosts in a folder for each. `known`
    are the paths of an earlier export, which are kept. No two paths differ only in case, and none
    is rendered to the same page as another by a site generator (`a.md` and `a/index.md`).
    """
    paths: dict[str, str] = {}
    taken: set[str] = set()
    wanted = dict.fromkeys(urls)
    for url, path in sorted((known or {}).items()):
        if is_safe_path(path) and (key := _rendered_key(path)) not in taken:
            taken.add(key)
            if url in wanted:
                paths[url] = path
    plain = {url: plain_path(url, home) for url in wanted if url not in paths}
    # a URL that is written as its path comes before one that only looks similar
    for url in sorted(plain, key=lambda url: (not _ends_with(url, plain[url]), url)):
        path = _free_path(url, plain[url], taken)
        taken.add(_rendered_key(path))
        paths[url] = path
    return paths


def plain_path(url: str, home: str = "") -> str:
    """Return the path of a URL, before it is compared with those of other pages."""
    try:
        parts = urlsplit(url)
    except ValueError:  # a damaged URL still gets a file
        return f"page-{_digest(url)}{SUFFIX}"
    folders = [] if parts.netloc == home else [parts.netloc]
    *between, last = unquote(parts.path, errors="replace").removeprefix("/").split("/")
    stem = _PAGE_EXTENSION.sub("", last) or "index"
    if parts.query:
        stem = f"{stem}-{unquote(parts.query, errors='replace')}"
    names = [name for part in (*folders, *between) if (name := _folder_name(part))]
    if names and names[0].casefold() in _TOP_RESERVED:
        names[0] = f"_{names[0]}"
    return _shortened(url, names, _safe_name(stem) or "page")


def is_safe_path(path: str) -> bool:
    """Tell whether a path is one that `file_paths` could have made, or of a screenshot."""
    *folders, last = path.split("/")
    suffix = next((each for each in _SUFFIXES if last.endswith(each)), "")
    stem = last.removesuffix(suffix)
    return (
        bool(suffix)
        and len(path.encode()) <= _MAX_PATH
        and all(name and name == _folder_name(name) for name in folders)
        and bool(stem)
        and stem == _safe_name(stem)
    )


def _safe_name(text: str) -> str:
    """Return a text as part of a path; '' if nothing is left of it."""
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(
        char if char in "_.-" or unicodedata.category(char)[0] in "LMN" else "-"
        for char in composed
    )
    # a name must not be hidden, nor end with a dot, which Windows removes
    name = _cut(_DASHES.sub("-", kept), _MAX_NAME).strip(".-")
    return f"_{name}" if name.partition(".")[0].casefold() in _WINDOWS_DEVICES else name


def _folder_name(text: str) -> str:
    name = _safe_name(text)
    # a folder must not have the name of a file beside it
    return f"{name[: -len(SUFFIX)]}-md" if name.casefold().endswith(SUFFIX) else name


def _shortened(url: str, folders: list[str], stem: str) -> str:
    path = "/".join((*folders, stem)) + SUFFIX
    if len(path.encode()) <= _MAX_PATH:
        return path
    room = _MAX_PATH // 2
    while folders and len("/".join(folders).encode()) > room:
        folders = folders[:-1]
    room = _MAX_PATH - len("/".join((*folders, "")).encode())
    return "/".join((*folders, _hashed(url, stem, _DIGITS, room)))


def _free_path(url: str, path: str, taken: set[str]) -> str:
    """Return the path, or a similar one that no other page has."""
    folder, slash, name = path.rpartition("/")
    stem, digits = name.removesuffix(SUFFIX), _DIGITS
    room = _MAX_PATH - len(f"{folder}{slash}".encode())
    while _rendered_key(path) in taken:
        path = f"{folder}{slash}{_hashed(url, stem, digits, room)}"
        digits += _DIGITS
    return path


def _hashed(url: str, stem: str, digits: int, room: int) -> str:
    digest = _digest(url, digits)
    cut = _cut(stem, min(room, _MAX_NAME) - len(digest) - len(SUFFIX) - 1).strip(".-")
    return f"{cut}-{digest}{SUFFIX}"


def _digest(url: str, digits: int = _DIGITS) -> str:
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:digits]


def _rendered_key(path: str) -> str:
    """Return a key that is equal for files that are one file, or one page, somewhere."""
    folder, _, name = path.removesuffix(SUFFIX).rpartition("/")
    rendered = folder if name.casefold() in _FOLDER_PAGES else f"{folder}/{name}".lstrip("/")
    folded = unicodedata.normalize("NFKC", rendered).casefold()
    return unicodedata.normalize("NFKC", folded)


def _ends_with(url: str, path: str) -> bool:
    return url.endswith(f"/{path.removesuffix(SUFFIX).removesuffix('index')}")


def _cut(text: str, size: int) -> str:
    """Return the start of a text, at most `size` bytes in UTF-8."""
    return text.encode("utf-8", "replace")[: max(0, size)].decode("utf-8", "ignore")
