"""Bundles of a real session: complete, verifiable, and every changed byte is found."""

import json
import random
import re
import zipfile
from pathlib import Path

import pytest

from tests.services.bundles.conftest import CapturedDemo, InApp
from webquarry.app import App
from webquarry.errors import BadInputError, NotFoundError
from webquarry.library import LibrarySession
from webquarry.models.caller import Caller
from webquarry.models.evidence_bundle import BundleCheck, BundleProblem, ImportSummary
from webquarry.server.personal_data_sources import build_data_rights
from webquarry.services.bundles.bundle_archive import BundleArchive
from webquarry.services.bundles.bundle_check import IntegrityCheck
from webquarry.storage.exchange_store import CaptureGroup
from webquarry_demo.scene import SceneContext
from webquarry_demo.script import SCENES

_TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def problems(path: Path) -> list[BundleProblem]:
    check = IntegrityCheck(path)
    check.run()
    return check.problems


def test_a_bundle_of_a_session_is_intact_and_all_quotations_are_in_their_sources(
    captured: CapturedDemo,
) -> None:
    check = captured.check

    assert (check.verdict, check.problems, check.notCaptured) == ("intact", [], ())
    assert check.signature is not None
    assert check.signature.valid
    assert len(check.quotes) >= 5
    assert {quote.status for quote in check.quotes} == {"found"}
    assert check.pages > 10


def test_a_bundle_holds_report_search_log_and_quotes(captured: CapturedDemo) -> None:
    with zipfile.ZipFile(captured.bundle) as bundle:
        assert bundle.testzip() is None
        names = bundle.namelist()
        package = json.loads(bundle.read("datapackage.json"))
        report = bundle.read("evidence/report.md").decode()

    assert names == [
        "archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl",
        "evidence/records.jsonl", "evidence/quotes.json", "evidence/report.html",
        "evidence/report.md", "evidence/session.json", "evidence/search-log.md",
        "datapackage.json", "datapackage-digest.json",
    ]  # fmt: skip
    assert [each["path"] for each in package["resources"]] == names[:-2]
    assert package["wacz_version"] == "1.1.1"
    assert captured.session in report


def test_no_cookie_and_no_authorization_is_in_a_bundle(captured: CapturedDemo) -> None:
    with BundleArchive.open(captured.warc) as archive:
        blocks = [archive.read(record).block for record in archive.records]

    heads = b"\n".join(block.partition(b"\r\n\r\n")[0] for block in blocks).lower()
    assert len(blocks) > 100
    for name in (b"cookie", b"authorization", b"api-key"):
        assert b"\n" + name not in heads
        assert b"\nset-" + name not in heads


def test_200_random_changes_of_one_byte_are_all_found(
    captured: CapturedDemo, tmp_path: Path
) -> None:
    original = captured.bundle.read_bytes()
    chance = random.Random(26)  # noqa: S311
    changed_file = tmp_path / "changed.wacz"
    unfound: list[int] = []
    for _ in range(200):
        position = chance.randrange(len(original))
        changed = bytearray(original)
        changed[position] ^= chance.randint(1, 255)
        changed_file.write_bytes(changed)
        if not problems(changed_file):
            unfound.append(position)

    assert unfound == []


def test_every_byte_of_the_signed_statement_and_of_the_directory_counts(
    captured: CapturedDemo, tmp_path: Path
) -> None:
    original = captured.bundle.read_bytes()
    changed_file = tmp_path / "changed.wacz"
    start = original.rindex(b"PK\x03\x04")
    unfound: list[int] = []
    for position in range(start, len(original), 3):
        changed = bytearray(original)
        changed[position] ^= 1
        changed_file.write_bytes(changed)
        if not problems(changed_file):
            unfound.append(position)

    assert unfound == []


def test_the_first_changed_record_is_named(captured: CapturedDemo, tmp_path: Path) -> None:
    with BundleArchive.open(captured.bundle) as archive:
        record = archive.records[7]
    with zipfile.ZipFile(captured.bundle) as bundle:
        listed = bundle.read("evidence/records.jsonl").splitlines()
    offset = len("archive/data.warc.gz") + 30 + record.offset + 20
    changed = bytearray(captured.bundle.read_bytes())
    changed[offset] ^= 0xFF
    (tmp_path / "changed.wacz").write_bytes(changed)

    found = problems(tmp_path / "changed.wacz")

    assert json.loads(listed[8])["offset"] == record.offset
    named = f"{record.type} {record.url} at byte {record.offset} of archive/data.warc.gz"
    expected = BundleProblem(where=named, what="this is the first record that was changed")
    assert expected in found


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_not_intact(
    captured: CapturedDemo, tmp_path: Path, share: float
) -> None:
    content = captured.bundle.read_bytes()
    cut = tmp_path / "cut.wacz"
    cut.write_bytes(content[: int(len(content) * share)])

    assert problems(cut)


def test_appended_bytes_are_found(captured: CapturedDemo, tmp_path: Path) -> None:
    longer = tmp_path / "longer.wacz"
    longer.write_bytes(captured.bundle.read_bytes() + b"more")

    assert problems(longer)


def test_another_key_is_refused(captured: CapturedDemo, in_app: InApp) -> None:
    async def verify(app: App) -> BundleCheck:
        return await app.services.bundles.verify(captured.bundle, key="0000:1111")

    check = in_app(verify)

    assert (check.verdict, check.problems) == ("altered", [])
    assert check.notes == ("Not signed with the key 0000:1111.",)


def test_records_without_a_container_are_checked_by_their_own_digests(
    captured: CapturedDemo, in_app: InApp
) -> None:
    async def verify(app: App) -> BundleCheck:
        return await app.services.bundles.verify(captured.warc)

    check = in_app(verify)

    assert (check.verdict, check.problems, check.signature) == ("unsigned", [], None)
    assert check.records == captured.check.records


def test_a_file_that_is_none_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="No such file"):
        IntegrityCheck(tmp_path / "missing.wacz").run()


def test_the_demo_gives_the_same_report_from_its_bundle_without_a_network(
    captured: CapturedDemo, in_app: InApp, tmp_path: Path
) -> None:
    async def replay(app: App) -> None:
        async def silent(*_: object) -> None:
            pass

        folder = tmp_path / "second"
        folder.mkdir()
        context = SceneContext(LibrarySession(app), captured.port, folder, silent)
        for scene in SCENES:
            await scene.play(context)

    in_app(replay, captured.port, WEBQUARRY_OFFLINE=str(captured.bundle))

    again = (tmp_path / "second" / "report.md").read_text(encoding="utf-8")
    assert _TIMES.sub("", again) == _TIMES.sub("", captured.report)


def test_what_is_not_in_the_bundle_is_not_requested(captured: CapturedDemo, in_app: InApp) -> None:
    async def read(app: App) -> str:
        url = "https://example.com/elsewhere"
        result = await app.path.call("scrape_page", {"url": url}, app.owner)
        assert result.is_error
        return str(result.content)

    message = in_app(read, captured.port, WEBQUARRY_OFFLINE=str(captured.bundle))

    assert "--offline is set" in message


def test_another_person_finds_the_imported_pages(captured: CapturedDemo, in_app: InApp) -> None:
    async def bring(app: App) -> tuple[ImportSummary, int]:
        owner = Caller(user="reader")
        summary = await app.services.bundles.import_archive(captured.warc, owner)
        group = CaptureGroup(owner.tenant, owner.user, "")
        stored = [each async for each in app.services.capturing.exchanges.heads(group)]
        return summary, len(stored)

    summary, stored = in_app(bring)

    assert summary.damage is None
    assert summary.failures == []
    assert summary.pages == stored
    assert summary.pages > 10
    assert all(page.capturedAt and page.sha256 for page in summary.imported)


def test_a_damaged_archive_is_imported_up_to_the_damage(
    captured: CapturedDemo, in_app: InApp, tmp_path: Path
) -> None:
    content = captured.warc.read_bytes()
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(content[: len(content) // 2])

    async def bring(app: App) -> ImportSummary:
        return await app.services.bundles.import_archive(cut, Caller(user="reader"))

    summary = in_app(bring)

    assert summary.pages > 2
    assert "the file ends within compressed data" in str(summary.damage)


def test_exchanges_are_exported_and_erased_with_their_owner(
    in_app: InApp, captured: CapturedDemo
) -> None:
    async def erase(app: App) -> tuple[int, list[int]]:
        services = app.services
        owner, other = Caller(user="reader"), Caller(user="other")
        for caller in (owner, other):
            await services.bundles.import_archive(captured.warc, caller)
        rights = build_data_rights(services.store, None, services.sessions, None)
        exported = str(await rights.export(owner.tenant, owner.user))
        await rights.erase(owner.tenant, owner.user)
        exchanges = services.capturing.exchanges
        left = [
            len([one async for one in exchanges.heads(CaptureGroup(each.tenant, each.user, ""))])
            for each in (owner, other)
        ]
        payloads = [key async for key in services.store.scan("payload:default:reader:")]
        assert payloads == []
        return exported.count("'capturedFor': 'import."), left

    exported, left = in_app(erase)

    assert left == [0, exported]
    assert exported > 10


def test_a_session_without_captures_has_no_bundle(in_app: InApp) -> None:
    async def plan(app: App) -> None:
        step = {"searchStep": "Look.", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "G"}
        result = await app.path.call("sequential_search", step, app.owner)
        assert not result.is_error
        (session,) = await app.services.sessions.ids(app.owner)
        with pytest.raises(NotFoundError, match="CAPTURE=on"):
            await app.services.bundles.plan("session", session, app.owner)
        assert not await app.services.sessions.captures(app.owner, session)

    in_app(plan)


def test_a_session_may_ask_for_captures(in_app: InApp) -> None:
    async def start(app: App) -> bool:
        step = {
            "searchStep": "Look.", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "G",
            "capture": True,
        }  # fmt: skip
        await app.path.call("sequential_search", step, app.owner)
        (session,) = await app.services.sessions.ids(app.owner)
        return await app.services.sessions.captures(app.owner, session)

    assert in_app(start) is True
