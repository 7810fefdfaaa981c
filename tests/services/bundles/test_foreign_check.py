"""WACZ files of other programs: checked as far as their own hashes go."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.services.bundles.conftest import CapturedDemo
from webquarry.models.evidence_bundle import BundleProblem
from webquarry.services.bundles.foreign_check import foreign_problems

# warcio leaves its temporary files to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning",
                                        "ignore::ResourceWarning")  # fmt: skip

URL = "https://owls.test/1"
PAGE = b"<!doctype html><title>Owls</title><p>Owls hunt at night.</p>"


def warc() -> bytes:
    """Return an archive with one response, written by warcio."""
    warcwriter = pytest.importorskip("warcio.warcwriter")
    statusandheaders = pytest.importorskip("warcio.statusandheaders")
    file = io.BytesIO()
    writer = warcwriter.WARCWriter(file, gzip=True)
    headers = statusandheaders.StatusAndHeaders(
        "200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"
    )
    record = writer.create_warc_record(
        URL, "response", payload=io.BytesIO(PAGE), http_headers=headers
    )
    writer.write_record(record)
    return file.getvalue()


def write(
    path: Path, archive: bytes, *, stated: bytes | None = None, missing: tuple[str, ...] = ()
) -> Path:
    """Write a WACZ as other programs do; `stated`: what its list of hashes is made of."""
    pages = b'{"format": "json-pages-1.0", "id": "pages"}\n'
    files = {"archive/data.warc.gz": archive, "pages/pages.jsonl": pages}
    hashed = files | ({"archive/data.warc.gz": stated} if stated else {})
    resources = [
        {"path": name, "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
        for name, content in hashed.items()
    ]
    package = {"profile": "data-package", "software": "py-wacz 0.5.0", "resources": resources}
    with zipfile.ZipFile(path, "w") as container:
        for name, content in files.items():
            if name not in missing:
                container.writestr(name, content)
        container.writestr("datapackage.json", json.dumps(package))
    return path


def test_an_undamaged_file_has_no_problems(tmp_path: Path) -> None:
    check = foreign_problems(write(tmp_path / "theirs.wacz", warc()))

    assert check is not None
    assert (check.records, check.problems) == (1, [])


def test_a_changed_file_and_a_missing_one_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "theirs.wacz", warc(), stated=b"other", missing=("pages/pages.jsonl",))

    check = foreign_problems(path)

    assert check is not None
    assert check.problems == [
        BundleProblem(where="archive/data.warc.gz", what="it does not have the stated hash"),
        BundleProblem(
            where="pages/pages.jsonl",
            what="it is listed in datapackage.json and missing from the file",
        ),
    ]


def test_a_cut_archive_is_named(tmp_path: Path) -> None:
    whole = warc()

    check = foreign_problems(write(tmp_path / "theirs.wacz", whole[: len(whole) // 2]))

    assert check is not None
    assert [problem.where for problem in check.problems] == ["theirs.wacz"]


def test_our_own_files_and_files_that_are_none_are_left_to_the_strict_check(
    captured: CapturedDemo, tmp_path: Path
) -> None:
    none = tmp_path / "none.wacz"
    none.write_bytes(b"hello")

    assert foreign_problems(captured.bundle) is None
    assert foreign_problems(none) is None
