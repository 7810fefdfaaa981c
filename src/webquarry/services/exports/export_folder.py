"""A folder of exported files on disk. Files that the export did not write are never lost."""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from webquarry.content.export.file_names import is_safe_path
from webquarry.errors import BadInputError
from webquarry.services.exports.site_export import ExportedFile

MANIFEST = ".webquarry.json"
_VERSION = 1


@dataclass(kw_only=True)
class FolderSummary:
    """What an export did to its folder."""

    written: int = 0
    unchanged: int = 0
    edited: int = 0  # files that were changed by hand and kept
    older: int = 0  # files of earlier exports whose pages this one does not have


class ExportFolder:
    """Writes files into a folder, each of them completely or not at all.

    A manifest lists what was written, so that a later export updates the folder: pages keep their
    file names, and files that someone edited stay as they are, unless `force` is set.
    """

    def __init__(self, folder: Path, *, force: bool = False) -> None:
        self._folder = folder
        self._force = force
        self._files: dict[str, dict[str, str]] = {}  # url and sha256, by path
        self._seen: set[str] = set()
        self.summary = FolderSummary()

    def open(self) -> dict[str, str]:
        """Return the paths of an earlier export by URL; `BadInputError` for a foreign folder."""
        if self._folder.exists() and not self._folder.is_dir():
            raise BadInputError(f"{self._folder} is a file; -o needs a folder")
        manifest = self._folder / MANIFEST
        if manifest.is_file():
            self._files = _read_manifest(manifest)
        elif not self._force and self._folder.is_dir() and any(self._folder.iterdir()):
            raise BadInputError(
                f"{self._folder} is not empty and is no earlier export; "
                "choose another folder, or write into it with --force"
            )
        return {entry["url"]: path for path, entry in self._files.items() if entry["url"]}

    def plan(self, paths: Mapping[str, str], *, site: str) -> None:
        """Prepare to write these paths by URL; `BadInputError` if one is someone else's file."""
        foreign = [
            path
            for path in paths.values()
            if path not in self._files and os.path.lexists(self._folder / path)
        ]
        if foreign and not self._force:
            raise BadInputError(
                f"{self._folder / foreign[0]} exists and is no exported page; "
                "move it away, or overwrite it with --force"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        planned = {path: {"url": url, "sha256": ""} for url, path in paths.items()}
        self._files = planned | self._files
        self._write_manifest(site)  # a killed export can be continued

    def write(self, file: ExportedFile) -> None:
        """Write one file, unless it is the same already or someone edited it."""
        target = self._folder / file.path
        content = file.content
        self._seen.add(file.path)
        known = self._files.get(file.path, {}).get("sha256", "")
        old = target.read_bytes() if target.is_file() else None
        if old == content:
            self.summary.unchanged += 1
        elif old is not None and self._is_foreign(file.path, old, known):
            self.summary.edited += 1
            return
        else:
            self._replace(target, content)
            self.summary.written += 1
        self._files[file.path] = {"url": file.url, "sha256": _digest(content)}

    def finish(self, *, site: str) -> FolderSummary:
        """Write the manifest and return what was done."""
        self._files = {
            path: entry
            for path, entry in self._files.items()
            if path in self._seen or (self._folder / path).exists()
        }
        self.summary.older = len(self._files.keys() - self._seen)
        self._write_manifest(site)
        return self.summary

    def _is_foreign(self, path: str, old: bytes, known: str) -> bool:
        """Whether a file was edited, or is of someone else, and stays as it is."""
        if self._force:
            return False
        return path not in self._files or bool(known and _digest(old) != known)

    def _replace(self, target: Path, content: bytes) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.parent.resolve().is_relative_to(self._folder.resolve()):
            raise BadInputError(f"{target.parent} is a link out of {self._folder}; remove it")
        _write(target, content)

    def _write_manifest(self, site: str) -> None:
        manifest = {"version": _VERSION, "site": site, "files": dict(sorted(self._files.items()))}
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        _write(self._folder / MANIFEST, f"{text}\n".encode("utf-8", "replace"))


class AtomicFile:
    """Writes a file so that a reader sees the old content or the new, never a part."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._part = target.parent / f".webquarry-{secrets.token_hex(8)}"

    def __enter__(self) -> BinaryIO:
        # unlike tempfile, this leaves the permissions to the user's umask
        self._file = self._part.open("xb")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            self._part.replace(self._target)
        else:
            self._part.unlink(missing_ok=True)


def _write(target: Path, content: bytes) -> None:
    with AtomicFile(target) as file:
        file.write(content)


def _read_manifest(path: Path) -> dict[str, dict[str, str]]:
    try:
        manifest: dict[str, Any] = json.loads(path.read_bytes())
        entries = cast("dict[str, dict[str, str]]", manifest["files"]).items()
        files = {p: {"url": str(e["url"]), "sha256": str(e["sha256"])} for p, e in entries}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInputError(f"{path} is damaged; delete it and write again with --force") from error
    return {path: entry for path, entry in files.items() if is_safe_path(path)}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
