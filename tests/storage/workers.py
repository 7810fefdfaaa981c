"""The work of the other processes of a test, which are started with `spawn`."""

import multiprocessing
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any, Protocol

import anyio

from tests.storage.store_harness import KEY
from webquarry.storage.cipher import Keyring
from webquarry.storage.encryption_keys import load_or_create_key
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import Store

_SPAWN = multiprocessing.get_context("spawn")


class Pipe(Protocol):
    """One end of a connection between two processes."""

    def send(self, obj: Any, /) -> None: ...
    def recv(self) -> Any: ...
    def close(self) -> None: ...


def run_in_processes(count: int, work: Callable[..., None], *arguments: Any) -> list[Any]:
    """Run `work(pipe, *arguments)` in `count` processes at once; return everything they sent."""
    return run_each(work, [arguments] * count)


def run_each(work: Callable[..., None], shares: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Run `work(pipe, *share)` in one process per share, at once; return everything they sent."""
    barrier = _SPAWN.Barrier(len(shares))
    started = [start(_start_together, barrier, work, *share) for share in shares]
    sent = [item for _, pipe in started for item in receive_all(pipe)]
    for process, _ in started:
        process.join()
        assert process.exitcode == 0
    return sent


def start(work: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Pipe]:
    mine, theirs = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(target=work, args=(theirs, *arguments))
    process.start()
    theirs.close()
    return process, mine


def receive_all(pipe: Pipe) -> list[Any]:
    received: list[Any] = []
    with closing(pipe):
        while True:
            try:
                received.append(pipe.recv())
            except EOFError:
                return received


def write_records(pipe: Pipe, location: str, count: int) -> None:
    async def work() -> None:
        async with open_store_at(location) as store:
            for number in range(count):
                await store.set(f"number:{number}", b"%d" % number * 100)
                pipe.send(number)

    anyio.run(work)


def increment(pipe: Pipe, location: str, times: int) -> None:
    async def work() -> None:
        async with open_store_at(location) as store:
            for _ in range(times):
                pipe.send(await store.increment("visits", ttl=1000))

    anyio.run(work)


def add_under_lock(pipe: Pipe, location: str, times: int) -> None:
    """Read, add one and write back, which loses additions without a lock."""

    async def work() -> None:
        async with open_store_at(location) as store:
            for _ in range(times):
                async with store.lock("sum", ttl=100, wait=100) as lease:
                    entry = await store.get("sum")
                    total = int(entry.value) if entry else 0
                    await store.set("sum", b"%d" % (total + 1))
                pipe.send((total, lease.token))

    anyio.run(work)


def open_and_write(pipe: Pipe, location: str) -> None:
    async def work() -> None:
        async with open_store_at(location) as store:
            await store.set(f"opened:{os.getpid()}", b"yes")
            pipe.send(f"opened:{os.getpid()}")

    anyio.run(work)


def make_key(pipe: Pipe, path: str) -> None:
    pipe.send(load_or_create_key(Path(path)))


def _start_together(
    pipe: Pipe, barrier: Barrier, work: Callable[..., None], *arguments: Any
) -> None:
    barrier.wait()
    work(pipe, *arguments)


@asynccontextmanager
async def open_store_at(location: str) -> AsyncGenerator[Store]:
    keyring = Keyring(KEY)
    is_url = location.startswith("unix:")
    store: Store = RedisStore(location, keyring) if is_url else SqliteStore(Path(location), keyring)
    try:
        yield store
    finally:
        await store.close()
