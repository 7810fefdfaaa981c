"""Checks a WACZ of another program as far as its own hashes go."""

import hashlib
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from webquarry.errors import WebquarryError
from webquarry.models.evidence_bundle import BundleProblem
from webquarry.services.bundles.bundle_archive import BundleArchive
from webquarry.services.bundles.bundle_writing import PACKAGE
from webquarry.webarchive.warc_reading import read_records

_CHUNK = 2**20


@dataclass
class ForeignCheck:
    """What is wrong with a file of another program."""

    records: int = 0
    problems: list[BundleProblem] = field(default_factory=list[BundleProblem])


def foreign_problems(path: Path) -> ForeignCheck | None:
    """Return the problems of a WACZ that another program wrote; None if none did."""
    try:
        with zipfile.ZipFile(path) as container, BundleArchive.open(path, tolerant=True) as archive:
            package = archive.read_json(PACKAGE)
            if not isinstance(package, dict):
                return None
            facts = cast("dict[str, Any]", package)
            if str(facts.get("software", "")).startswith("webquarry"):
                return None
            return _checked(container, archive, facts)
    except (zipfile.BadZipFile, WebquarryError, OSError, ValueError):
        return None  # the caller names the damage


def _checked(
    container: zipfile.ZipFile, archive: BundleArchive, package: dict[str, Any]
) -> ForeignCheck:
    found = ForeignCheck()
    for resource in package.get("resources") or ():
        path, stated = str(resource.get("path")), str(resource.get("hash", ""))
        if path not in archive.names:
            what = "it is listed in datapackage.json and missing from the file"
            found.problems.append(BundleProblem(where=path, what=what))
        elif stated.startswith("sha256:") and _hash(container, path) != stated:
            what = "it does not have the stated hash"
            found.problems.append(BundleProblem(where=path, what=what))
    for warc in archive.warcs:
        try:
            for record in read_records(warc):
                found.records += 1
                if problem := record.digest_problem():
                    found.problems.append(BundleProblem(where=record.name, what=problem))
        except WebquarryError as error:
            found.problems.append(BundleProblem(where=archive.path.name, what=str(error)))
    return found


def _hash(container: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with container.open(name) as file:
        source = cast("BinaryIO", file)
        while piece := source.read(_CHUNK):
            digest.update(piece)
    return f"sha256:{digest.hexdigest()}"
