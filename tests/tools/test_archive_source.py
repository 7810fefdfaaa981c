"""The `archive_source` tool."""

from typing import Any, ClassVar

import pytest

from tests.support import CallHarness, services, text_of
from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.providers.provider import ProviderInfo
from webquarry.tools.archive_source import archive_source

pytestmark = pytest.mark.anyio
# an address, so that nothing needs to be looked up
PAGE = "https://93.184.216.34/a"
NEW = Snapshot(url=f"https://web.archive.org/web/2/{PAGE}", takenAt="2099-11-02T09:30:00Z")
OLD = Snapshot(url=f"https://web.archive.org/web/1/{PAGE}", takenAt="2026-01-02T09:30:00Z")


class Archive:
    about: ClassVar = ProviderInfo(name="archive", docs="", base_url="https://a.test")

    def __init__(self, capture: ArchiveResult, older: Snapshot | None = None) -> None:
        self.capture = capture
        self.older = older

    async def save(self, url: str) -> ArchiveResult:
        return self.capture

    async def progress(self, job: str) -> ArchiveResult:
        return self.capture

    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        return self.older


def desk(*providers: Any) -> CallHarness:
    return CallHarness((archive_source,), services=services(*providers))


async def test_a_fresh_copy_is_told_with_its_time() -> None:
    archive = Archive(ArchiveResult(state="archived", snapshot=NEW, status=200))

    result = await desk(archive).call("archive_source", {"url": PAGE})

    assert result.structured == {
        "requestedUrl": PAGE,
        "status": "archived",
        "captured": True,
        "snapshotUrl": NEW.url,
        "archivedAt": NEW.takenAt,
        "takenAt": NEW.takenAt,
        "httpStatus": 200,
        "source": "web.archive.org Save Page Now",
        "provenance": ["archive: archived"],
        "trust": "untrusted-external-content",
    }


async def test_an_older_copy_is_no_capture() -> None:
    archive = Archive(ArchiveResult(state="archived", snapshot=OLD))

    result = await desk(archive).call("archive_source", {"url": PAGE})

    assert result.structured
    assert {
        k: result.structured.get(k)
        for k in ("status", "captured", "archivedAt", "takenAt", "reason")
    } == {
        "status": "existing",
        "captured": False,
        "archivedAt": None,
        "takenAt": OLD.takenAt,
        "reason": "The archive did not make a new copy. This is an existing copy, of 2026-01-02.",
    }


async def test_without_any_copy_there_is_a_place_to_look_later() -> None:
    archive = Archive(ArchiveResult(state="pending"))

    result = await desk(archive).call("archive_source", {"url": PAGE})

    assert result.structured
    assert result.structured["status"] == "pending"
    assert result.structured["pollUrl"] == f"https://web.archive.org/web/*/{PAGE}"


async def test_a_page_that_cannot_be_captured_has_no_place_to_look_later() -> None:
    archive = Archive(ArchiveResult(state="failed", reason="The page cannot be captured."))

    result = await desk(archive).call("archive_source", {"url": PAGE})

    assert result.structured
    assert (result.structured["status"], result.structured.get("pollUrl")) == ("unavailable", None)
    assert result.structured["reason"] == "The page cannot be captured."


async def test_private_pages_are_refused() -> None:
    result = await desk(Archive(ArchiveResult(state="failed"))).call(
        "archive_source", {"url": "http://127.0.0.1/"}
    )

    assert result.is_error
    assert "blocked" in text_of(result)


async def test_without_an_archive_it_says_so() -> None:
    result = await desk().call("archive_source", {"url": PAGE})

    assert result.structured
    assert result.structured["status"] == "unavailable"


def test_it_is_a_write_that_does_no_harm() -> None:
    assert archive_source.options.annotations.wire() == {
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
