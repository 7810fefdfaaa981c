"""Zotero: paging, versions, pauses that it asks for, and errors that name the setting."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import (
    AccessError,
    BadInputError,
    NetworkError,
    NotFoundError,
    PayloadError,
    RateLimitError,
    UnconfiguredError,
    WebquarryError,
)
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_library import (
    LibraryCollection,
    LibraryConflictError,
    LibraryItem,
    LibraryItems,
)
from webquarry.providers.zotero import Zotero

pytestmark = pytest.mark.anyio

KEYS = {"ZOTERO_API_KEY": "secret", "ZOTERO_LIBRARY": "group:678"}
HOME = "https://api.zotero.org/groups/678"
READ = {"Zotero-API-Version": "3", "Zotero-API-Key": "secret"}
WRITE = READ | {"If-Unmodified-Since-Version": "41"}
ORIGIN = "handwritten in the shape of the API"
DONE: dict[str, Any] = {"successful": {}, "success": {"0": "AAAA2222"}, "unchanged": {}}


def listing(path: str, start: int = 0, extra: str = "") -> dict[str, Any]:
    url = f"{HOME}/{path}?{extra}format=json&limit=100&start={start}"
    return {"url": url, "headers": READ}


def page(numbers: range, total: int, version: int = 41, **headers: str) -> dict[str, Any]:
    rows = [
        {"key": f"K{n}", "version": n, "data": {"key": f"K{n}", "itemType": "book", "title": "T"}}
        for n in numbers
    ]
    known = {"total-results": str(total), "last-modified-version": str(version)}
    return {"status": 200, "headers": known | headers, "body": rows}


def opened(
    *exchanges: tuple[dict[str, Any], dict[str, Any]], keys: dict[str, str] | None = None
) -> tuple[Zotero, Replay, FakeClock]:
    replay = Replay([{"origin": ORIGIN, "request": asked} | answer for asked, answer in exchanges])
    clock = FakeClock()
    return Zotero(Upstreams(replay, clock=clock.clock()), keys or KEYS), replay, clock


def posted(json: list[dict[str, Any]], headers: dict[str, str] | None = None) -> dict[str, Any]:
    return {"method": "POST", "url": f"{HOME}/items", "headers": headers or WRITE, "json": json}


async def test_all_pages_are_read_and_the_first_version_counts() -> None:
    zotero, replay, _ = opened(
        (listing("items/top"), page(range(100), 120)),
        (listing("items/top", 100), page(range(100, 120), 120, 42)),
    )

    found = await zotero.list_items()

    assert [item.key for item in found.items] == [f"K{n}" for n in range(120)]
    assert found.version == 41
    replay.finish()


async def test_an_item_has_the_fields_of_its_type_and_children_are_left_out() -> None:
    case = {"key": "C", "itemType": "case", "caseName": "Brown v. Board", "DOI": None}
    rows = [{"data": case}, {"data": {"key": "N", "itemType": "note", "note": "<p>x</p>"}}]
    answer: dict[str, Any] = {"status": 200, "body": rows}
    zotero, replay, _ = opened((listing("collections/AB/items/top"), answer))

    found = await zotero.list_items("AB")

    item = LibraryItem.model_validate({"key": "C", "itemType": "case", "title": "Brown v. Board"})
    assert found == LibraryItems((item,), 0)
    replay.finish()


async def test_collections_and_notes_are_read() -> None:
    row = {"key": "AB", "data": {"key": "AB", "name": "Heat", "parentCollection": False}}
    zotero, replay, _ = opened(
        (listing("collections"), {"status": 200, "body": [row]}),
        (listing("items", 0, "itemType=note&tag=mine&"), page(range(0), 0)),
    )

    assert await zotero.list_collections() == (LibraryCollection(key="AB", name="Heat"),)
    assert await zotero.list_notes("mine") == LibraryItems((), 41)
    replay.finish()


async def test_a_backoff_delays_the_next_request() -> None:
    zotero, replay, clock = opened(
        (listing("items/top"), page(range(100), 101, backoff="8")),
        (listing("items/top", 100), page(range(100, 101), 101)),
    )

    assert len((await zotero.list_items()).items) == 101
    assert clock.slept == [8]
    replay.finish()


async def test_after_a_rate_limit_it_is_asked_once_more() -> None:
    limited = {"status": 429, "headers": {"retry-after": "5"}, "text": "slow down"}
    zotero, replay, clock = opened(
        (listing("items/top"), limited), (listing("items/top"), page(range(1), 1))
    )

    assert len((await zotero.list_items()).items) == 1
    assert clock.slept == [5]
    replay.finish()


@pytest.mark.parametrize("waits", [("5", "6"), ("600",)])
async def test_a_lasting_or_long_rate_limit_is_an_error(waits: tuple[str, ...]) -> None:
    limited = [
        (listing("items/top"), {"status": 429, "headers": {"retry-after": wait}, "text": ""})
        for wait in waits
    ]
    zotero, replay, _ = opened(*limited)

    with pytest.raises(RateLimitError, match=f"Wait {waits[-1]} seconds"):
        await zotero.list_items()
    replay.finish()


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        ({"status": 403, "text": "Forbidden"}, AccessError, "Check ZOTERO_API_KEY"),
        ({"status": 404, "text": "Not found"}, NotFoundError, "Check ZOTERO_LIBRARY"),
        ({"status": 200, "text": "<html>"}, PayloadError, "a web page or XML instead of JSON"),
        ({"status": 200, "body": [{"data": None}]}, PayloadError, "0.data"),
    ],
)
async def test_errors_name_what_to_check(
    answer: dict[str, Any], error: type[WebquarryError], says: str
) -> None:
    zotero, replay, _ = opened((listing("items/top"), answer))

    with pytest.raises(error, match=says):
        await zotero.list_items()
    replay.finish()


async def test_each_batch_is_written_on_the_version_of_the_one_before() -> None:
    changes: list[dict[str, Any]] = [{"key": f"K{n}", "tags": []} for n in range(51)]
    answer: dict[str, Any] = {"status": 200, "body": DONE | {"failed": {}}}
    newer = {"headers": {"last-modified-version": "43"}}
    zotero, replay, _ = opened(
        (posted(changes[:50]), answer | newer),
        (posted(changes[50:], READ | {"If-Unmodified-Since-Version": "43"}), answer),
    )

    await zotero.write_items(changes, 41)
    replay.finish()


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        ({"status": 412, "text": "Library has been modified"}, LibraryConflictError, "meanwhile"),
        (
            {"status": 200, "body": DONE | {"failed": {"0": {"code": 412, "message": "newer"}}}},
            LibraryConflictError,
            "meanwhile",
        ),
        (
            {"status": 200, "body": DONE | {"failed": {"0": {"code": 400, "message": "no type"}}}},
            WebquarryError,
            "did not write 1 of 1 items: no type",
        ),
    ],
)
async def test_what_was_not_written_is_an_error(
    answer: dict[str, Any], error: type[WebquarryError], says: str
) -> None:
    change = {"itemType": "webpage"}
    zotero, replay, _ = opened((posted([change]), answer))

    with pytest.raises(error, match=says):
        await zotero.write_items([change], 41)
    replay.finish()


async def test_the_desktop_app_is_asked_on_loopback_without_the_key() -> None:
    home = "http://127.0.0.1:23119/api/users/0/collections?format=json&limit=100&start=0"
    asked = {"url": home, "headers": {"Zotero-API-Version": "3"}}
    down = {"fails": "connection refused"}
    zotero, replay, _ = opened(*[(asked, down)] * 3, keys={"ZOTERO_LIBRARY": "local"})

    with pytest.raises(NetworkError, match="Could not reach the Zotero app"):
        await zotero.list_collections()
    with pytest.raises(BadInputError, match="can only be read"):
        await zotero.write_items([{}], 0)
    replay.finish()


def test_writing_needs_a_key() -> None:
    zotero, _, _ = opened(keys={"ZOTERO_LIBRARY": "user:1"})

    with pytest.raises(UnconfiguredError, match="set ZOTERO_API_KEY"):
        zotero.check_writable()
