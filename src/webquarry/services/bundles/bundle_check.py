"""Checks a bundle offline: every byte against the signed hashes, every quote in its source."""

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.evidence_bundle import BundleProblem, BundleSignature
from webquarry.services.bundles.bundle_writing import ARCHIVE, DIGEST, PACKAGE, RECORDS
from webquarry.services.bundles.foreign_check import foreign_problems
from webquarry.webarchive.file_slice import FileSlice
from webquarry.webarchive.signing import fingerprint, is_signed
from webquarry.webarchive.warc_reading import DamagedArchiveError, read_records
from webquarry.webarchive.zip_container import (
    STORED,
    ZipEntry,
    directory,
    read_entry,
    walk_entries,
)

_CHUNK = 2**20
_MAX_TEXT = 512 * 2**20
_MAX_PROBLEMS = 20


@dataclass
class IntegrityCheck:
    """Compares a bundle with its signed hashes. Never raises for a damaged file."""

    path: Path
    problems: list[BundleProblem] = field(default_factory=list[BundleProblem])
    signature: BundleSignature | None = None
    statement: dict[str, Any] | None = None  # that is signed
    records: int = 0
    _entries: dict[str, ZipEntry] = field(default_factory=dict[str, ZipEntry])

    def run(self) -> None:
        """Fill in the problems, the first of each part; and the signature."""
        try:
            with self.path.open("rb") as file:
                if file.read(2) == b"PK":
                    self._check_container(file)
                else:
                    self._check_records(file, file)
        except OSError as error:
            raise BadInputError(f"{self.path}: {error.strerror}") from error

    def _add(self, where: str, what: str) -> None:
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(BundleProblem(where=where, what=what))

    def _check_container(self, file: BinaryIO) -> None:
        try:
            for entry in walk_entries(file):
                self._entries[entry.name] = entry
        except DamagedArchiveError as error:
            foreign = foreign_problems(self.path)
            if foreign is not None:  # another program wrote it
                self.problems += foreign.problems
                self.records = foreign.records
                return
            self._add(f"byte {error.offset}", str(error))
        digest = self._digest(file)
        if digest is None:
            self._find_first_wrong_record(file)
            return
        self.statement = digest
        self._check_signature(digest)
        self._check_tail(file)
        resources = self._resources(file, digest)
        for name, entry in self._entries.items():
            if name not in {PACKAGE, DIGEST}:
                self._check_entry(file, entry, resources.get(name))
        for name in resources.keys() - self._entries.keys():
            self._add(name, "it is listed in datapackage.json and missing from the file")
        self._check_before(file, digest)

    def _digest(self, file: BinaryIO) -> dict[str, Any] | None:
        """Return the signed statement; None if there is none that can be read."""
        content = self._text(file, DIGEST)
        statement = _json_object(content) if content is not None else None
        if statement is None:
            self._add(DIGEST, "the signed statement is missing or broken")
            return None
        if "signature" in statement and content != _pretty(statement):
            self._add(DIGEST, "it is not written as Webquarry writes it")
        return statement

    def _check_signature(self, digest: dict[str, Any]) -> None:
        if "signature" not in digest:
            self._add(DIGEST, "it is not signed, although Webquarry wrote the bundle")
            return
        statement = {name: value for name, value in digest.items() if name != "signature"}
        signature, public = str(digest["signature"]), str(digest.get("publicKey", ""))
        canonical = _is_canonical(signature) and _is_canonical(public)
        self.signature = BundleSignature(
            valid=canonical and is_signed(statement, signature, public),
            fingerprint=fingerprint(public),
            publicKey=public,
            created=str(digest.get("created", "")),
            software=str(digest.get("software", "")),
        )
        if not self.signature.valid:
            self._add(DIGEST, "the signature does not fit: the statement was changed")

    def _check_tail(self, file: BinaryIO) -> None:
        """Compare the directory of the container with the one that follows from its entries."""
        if self.signature is None or not self._entries:
            return
        entries = list(self._entries.values())
        end = entries[-1].end
        file.seek(end)
        if file.read() != directory(entries, end):
            self._add(f"byte {end}", "the directory at the end does not fit the entries")

    def _resources(self, file: BinaryIO, digest: dict[str, Any]) -> dict[str, str]:
        """Return the stated hashes by path."""
        content = self._text(file, PACKAGE)
        if content is None:
            self._add(PACKAGE, "it is missing or broken")
            return {}
        if f"sha256:{hashlib.sha256(content).hexdigest()}" != digest.get("hash"):
            self._add(PACKAGE, "it does not have the signed hash")
        package = _json_object(content) or {}
        listed = package.get("resources")
        found: dict[str, str] = {}
        for each in cast("list[Any]", listed) if isinstance(listed, list) else []:
            if isinstance(each, dict):
                resource = cast("dict[str, Any]", each)
                found[str(resource.get("path", ""))] = str(resource.get("hash", ""))
        return found

    def _check_entry(self, file: BinaryIO, entry: ZipEntry, stated: str | None) -> None:
        if stated is None:
            self._add(entry.name, "it is not listed in datapackage.json")
            return
        try:
            actual = _entry_hash(file, entry)
        except DamagedArchiveError as error:
            self._add(entry.name, str(error))
            return
        is_archive = entry.name.startswith("archive/")
        if actual != stated:
            self._add(entry.name, "it does not have the stated hash")
            if is_archive:
                self._find_first_wrong_record(file)
        elif is_archive:
            self._check_records(FileSlice(file, entry.start, entry.stored), file)

    def _check_before(self, file: BinaryIO, digest: dict[str, Any]) -> None:
        """Compare all bytes before the signed statement, headers of entries included."""
        if self.signature is None or self.problems:
            return
        before = digest.get("before")
        stated = cast("dict[str, Any]", before) if isinstance(before, dict) else {}
        size = self._entries[DIGEST].offset
        if stated.get("bytes") != size or stated.get("hash") != _hash_of(file, 0, size):
            self._add("the container", "bytes between the entries were changed")

    def _find_first_wrong_record(self, file: BinaryIO) -> None:
        """Name the first record that does not have the hash of the list of records."""
        archive = self._entries.get(ARCHIVE)
        listed = self._text(file, RECORDS)
        if archive is None:
            return
        for line in (listed or b"").splitlines():
            record = _json_object(line)
            if record is None:
                break
            start, length = int(record["offset"]), int(record["length"])
            if _hash_of(file, archive.start + start, length) != f"sha256:{record['sha256']}":
                name = f"{record['type']} {record['url']} at byte {start} of {ARCHIVE}"
                self._add(name, "this is the first record that was changed")
                return
        if listed is None:
            self._check_records(FileSlice(file, archive.start, archive.stored), file)

    def _check_records(self, warc: Any, _file: BinaryIO) -> None:
        """Check the digests that the records state about themselves."""
        try:
            for record in read_records(warc):
                self.records += 1
                if problem := record.digest_problem():
                    self._add(record.name, problem)
        except WebquarryError as error:
            self._add(getattr(error, "record", "") or self.path.name, str(error))

    def _text(self, file: BinaryIO, name: str) -> bytes | None:
        entry = self._entries.get(name)
        if entry is None:
            return None
        try:
            return read_entry(file, entry, _MAX_TEXT)
        except DamagedArchiveError:
            return None


def _entry_hash(file: BinaryIO, entry: ZipEntry) -> str:
    if entry.method == STORED:
        return _hash_of(file, entry.start, entry.stored)
    return f"sha256:{hashlib.sha256(read_entry(file, entry, _MAX_TEXT)).hexdigest()}"


def _hash_of(file: BinaryIO, start: int, size: int) -> str:
    digest = hashlib.sha256()
    for piece in _pieces(file, start, size):
        digest.update(piece)
    return f"sha256:{digest.hexdigest()}"


def _pieces(file: BinaryIO, start: int, size: int) -> Iterator[bytes]:
    file.seek(start)
    while size > 0 and (piece := file.read(min(_CHUNK, size))):
        size -= len(piece)
        yield piece


def _json_object(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _pretty(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def _is_canonical(text: str) -> bool:
    """Whether a base64 text is the only spelling of its bytes."""
    try:
        return base64.b64encode(base64.b64decode(text, validate=True)).decode() == text
    except ValueError:
        return False
