"""Time stamps of bundles: from an authority, and verified."""

import asyncio
import base64
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.services.bundles.conftest import InApp
from tests.tsa_server import Authority, serving_authority
from webquarry.app import App
from webquarry.errors import BadInputError, NetworkError, PayloadError
from webquarry.models.evidence_bundle import BundleCheck, BundleProblem, BundleTimestamp
from webquarry.models.exchange import Exchange
from webquarry.services.bundles.bundle_check import IntegrityCheck
from webquarry.services.bundles.bundle_plan import BundleContents, plan_bundle
from webquarry.services.bundles.service import BundleService
from webquarry.services.bundles.stamp_check import StampCheck
from webquarry.services.bundles.time_stamping import TimeStamping
from webquarry.storage.exchange_store import CaptureGroup
from webquarry.webarchive.signing import canonical
from webquarry.webarchive.time_stamp import StampRequest, read_stamp, roots_in

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")

HTML = b"<title>Owls</title><p>Owls hunt at night."


@pytest.fixture(scope="module")
def authority() -> Iterator[Authority]:
    with serving_authority() as served:
        yield served


@pytest.fixture
def other() -> Iterator[Authority]:
    with serving_authority() as served:
        yield served


async def write(app: App, file: Path, bundles: BundleService | None = None) -> None:
    """Write a bundle of one page."""
    group = CaptureGroup(app.owner.tenant, app.owner.user, "crawl.1")
    exchanges = app.services.capturing.exchanges
    headers = (("content-type", "text/html"),)
    page = Exchange(url="https://owls.test/", at=1_700_000_000.0, headers=headers, body=HTML)
    await exchanges.save(group, [page])
    contents = BundleContents(subject="crawl", id="1", title="Owls", group=group)
    written = io.BytesIO()
    bundles = bundles or app.services.bundles
    await bundles.write(await plan_bundle(contents, exchanges), written)
    await asyncio.to_thread(file.write_bytes, written.getvalue())


@pytest.fixture
def bundle(authority: Authority, in_app: InApp, tmp_path: Path) -> Path:
    """A bundle with a time stamp."""
    file = tmp_path / "stamped.wacz"
    in_app(lambda app: write(app, file), TIMESTAMP_URL=authority.url)
    return file


def verify(in_app: InApp, file: Path, tsa: Path | None = None, **settings: str) -> BundleCheck:
    return in_app(lambda app: app.services.bundles.verify(file, tsa=tsa), 1, **settings)


def stamp_of(check: BundleCheck) -> BundleTimestamp:
    assert check.timestamp is not None
    return check.timestamp


def test_a_bundle_is_stamped_and_verified(
    authority: Authority, bundle: Path, in_app: InApp
) -> None:
    check = verify(in_app, bundle, authority.roots)
    stamp = stamp_of(check)

    assert (check.verdict, check.problems) == ("intact", [])
    assert (stamp.status, stamp.authority, stamp.url, stamp.reason) == (
        "valid", "CN=Owl Time", authority.url, None
    )  # fmt: skip
    assert stamp.time.startswith("20")
    assert set(authority.requests) == {"application/timestamp-query"}


def test_the_certificates_may_come_from_the_settings(
    authority: Authority, bundle: Path, in_app: InApp
) -> None:
    check = verify(in_app, bundle, TIMESTAMP_CERTIFICATES=str(authority.roots))

    assert stamp_of(check).status == "valid"


def test_a_stamp_that_nobody_vouches_for_is_not_believed(
    other: Authority, bundle: Path, in_app: InApp
) -> None:
    system, strangers = verify(in_app, bundle), verify(in_app, bundle, other.roots)

    assert (stamp_of(system).status, stamp_of(strangers).status) == ("untrusted", "untrusted")
    assert system.verdict == "intact"
    assert stamp_of(system).reason == "no trusted certificate vouches for that of the authority"


def test_openssl_verifies_the_stamp(authority: Authority, bundle: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        statement = json.loads(archive.read("datapackage-digest.json"))
    response = base64.b64decode(statement.pop("timestamp")["response"])
    statement.pop("signature")
    (tmp_path / "response.tsr").write_bytes(response)
    (tmp_path / "statement").write_bytes(canonical(statement))

    command = ["openssl", "ts", "-verify", "-in", "response.tsr", "-data", "statement", "-CAfile"]
    done = subprocess.run(
        [*command, str(authority.roots)], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert "Verification: OK" in done.stdout


@dataclass(frozen=True)
class Returns:
    """Stamps everything with the same response."""

    response: bytes
    url: str = "http://127.0.0.1:1/tsr"

    async def stamp(self, data: bytes) -> bytes:
        del data
        return self.response


def test_a_stamp_of_another_bundle_is_a_problem(
    authority: Authority, in_app: InApp, tmp_path: Path
) -> None:
    file = tmp_path / "swapped.wacz"
    stamping = Returns(authority.stamp(StampRequest(b"another bundle").content))

    async def swap(app: App) -> None:
        bundles = replace(app.services.bundles, stamping=cast("TimeStamping", stamping))
        await write(app, file, bundles)

    in_app(swap)
    check = verify(in_app, file, authority.roots)

    assert check.verdict == "altered"
    assert stamp_of(check).status == "invalid"
    assert check.problems == [
        BundleProblem(
            where="datapackage-digest.json",
            what="the time stamp does not fit: it is about other bytes",
        )
    ]


@pytest.mark.parametrize("stamp", [{"response": "!"}, {"response": "AAAA"}, {}, None, "now"])
def test_a_stamp_that_is_none_is_a_problem(stamp: Any) -> None:
    integrity = IntegrityCheck(Path("file"), statement={"hash": "", "timestamp": stamp})

    found = StampCheck(list).run(integrity)

    assert found is not None
    assert found.status == "invalid"
    assert len(integrity.problems) == 1


def test_a_bundle_without_a_stamp_has_none(in_app: InApp, tmp_path: Path) -> None:
    file = tmp_path / "plain.wacz"
    in_app(lambda app: write(app, file))

    check = verify(in_app, file)

    assert (check.verdict, check.timestamp) == ("intact", None)


@pytest.mark.parametrize("answer", [b"", b"<html>no</html>", bytes.fromhex("30053003020102")])
def test_what_is_no_stamp_is_an_error(
    other: Authority, in_app: InApp, tmp_path: Path, answer: bytes
) -> None:
    other.respond = answer

    with pytest.raises(PayloadError, match="Unset TIMESTAMP_URL"):
        in_app(lambda app: write(app, tmp_path / "no.wacz"), TIMESTAMP_URL=other.url)


def test_the_stamp_of_another_request_is_an_error(
    other: Authority, in_app: InApp, tmp_path: Path
) -> None:
    other.respond = other.stamp(StampRequest(b"something else").content)

    with pytest.raises(PayloadError, match="it belongs to another request"):
        in_app(lambda app: write(app, tmp_path / "no.wacz"), TIMESTAMP_URL=other.url)


def test_an_authority_that_is_down_is_an_error(in_app: InApp, tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="Could not reach timestamp"):
        in_app(lambda app: write(app, tmp_path / "no.wacz"), TIMESTAMP_URL="http://127.0.0.1:1/tsr")


def test_certificates_that_are_none_are_refused(
    bundle: Path, in_app: InApp, tmp_path: Path
) -> None:
    (tmp_path / "no.pem").write_text("hello")

    with pytest.raises(BadInputError, match="has no certificates in PEM format"):
        verify(in_app, bundle, tmp_path / "no.pem")
    with pytest.raises(BadInputError, match="No such file"):
        verify(in_app, bundle, tmp_path / "missing.pem")


def test_no_changed_byte_makes_a_stamp_of_other_bytes(authority: Authority) -> None:
    response = authority.stamp(StampRequest(b"owls").content)
    roots = roots_in(authority.roots)

    assert read_stamp(response, b"owls", roots).status == "valid"
    for position in range(0, len(response), 7):
        changed = bytearray(response)
        changed[position] ^= 0x41
        assert read_stamp(bytes(changed), b"mice", roots).status == "invalid"
