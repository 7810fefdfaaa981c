"""Captured exchanges: stored together, each body once, read one by one."""

import os

import pytest

from webquarry.models.exchange import Exchange
from webquarry.storage.exchange_store import CaptureGroup, ExchangeStore
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

CRAWL, SESSION = CaptureGroup("acme", "ada", "crawl.1"), CaptureGroup("acme", "ada", "session.1")
LONG = b"Owls hunt at night. " * 100


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def store(clock: Clock | None = None, ttl: float = 86_400.0) -> ExchangeStore:
    clock = clock or Clock()
    return ExchangeStore(MemoryStore(clock=clock), ttl=ttl, clock=clock)


def page(number: int, body: bytes = LONG, **fields: object) -> Exchange:
    fields = {"headers": (("content-type", "text/html"),), **fields}
    return Exchange(url=f"https://owls.test/{number}", at=float(number), body=body, **fields)  # type: ignore[arg-type]


async def exchanges(saved: ExchangeStore, group: CaptureGroup) -> list[Exchange | None]:
    reader = saved.reader()
    return [await reader.exchange(each.key) async for each in saved.heads(group)]


async def payloads(saved: ExchangeStore) -> int:
    return len([key async for key in saved.store.scan("payload:")])


async def test_exchanges_are_read_as_they_were_saved() -> None:
    saved = store()
    listed = [
        page(1),
        page(2, b"", status=301, request_body=b"a\xff", method="POST", kind="api"),
        page(3, b"\x1f\x8b compressed", headers=(("content-encoding", "gzip"), ("link", "</a>"))),
        page(4, os.urandom(600_000), truncated="length", tls={"subject": "owls.test"}),
        page(5, b"\x89PNG" * 200, kind="screenshot"),
    ]

    await saved.save(CRAWL, listed)

    assert await exchanges(saved, CRAWL) == listed


async def test_the_same_body_is_stored_once() -> None:
    saved = store()
    first = await saved.save(CRAWL, [page(1), page(2)])
    again = await saved.save(SESSION, [page(3)])

    assert await payloads(saved) == 1
    assert await saved.used("acme", "ada") < first
    assert again < first
    assert await exchanges(saved, SESSION) == [page(3)]


async def test_a_body_that_somebody_erased_is_stored_again() -> None:
    saved = store()
    await saved.save(CRAWL, [page(1)])
    await ExchangeStore(saved.store).erase("acme", "ada")  # another process

    await saved.save(CRAWL, [page(2)])

    assert await exchanges(saved, CRAWL) == [page(2)]


async def test_bodies_are_stored_again_before_they_expire() -> None:
    clock = Clock()
    saved = store(clock, ttl=10_000.0)
    await saved.save(CRAWL, [page(1)])
    clock.now += 9_000
    await saved.save(CRAWL, [page(2)])
    clock.now += 9_000

    assert await exchanges(saved, CRAWL) == [page(2)]


async def test_an_erased_group_leaves_the_bodies_of_others() -> None:
    saved = store()
    await saved.save(CRAWL, [page(1), page(2, b"only here")])
    await saved.save(SESSION, [page(3)])

    assert await saved.erase_group(CRAWL) == 2
    assert await exchanges(saved, CRAWL) == []
    assert await exchanges(saved, SESSION) == [page(3)]

    assert await saved.erase_group(SESSION) == 1
    assert await payloads(saved) == 0


async def test_each_person_has_bodies_of_their_own() -> None:
    saved = store()
    other = CRAWL._replace(user="bob")
    await saved.save(CRAWL, [page(1)])
    await saved.save(other, [page(1)])

    assert await saved.erase("acme", "ada") == 1
    assert await exchanges(saved, other) == [page(1)]
    assert await saved.export("acme", "ada") == []


async def test_an_expired_body_leaves_out_its_exchange() -> None:
    saved = store()
    await saved.save(CRAWL, [page(1)])
    async for key in saved.store.scan("payload:"):
        await saved.store.delete(key)

    assert await exchanges(saved, CRAWL) == [None]
    assert await saved.reader().exchange("exchange:acme:ada:crawl.1:gone#0") is None
