"""What the other processes of a test do with sessions. They are real processes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from tests.services.sessions.builders import findings, source, step
from tests.storage.store_harness import KEY
from tests.storage.workers import Pipe
from webquarry.models.caller import Caller
from webquarry.services.sessions.service import SessionService
from webquarry.storage.cipher import Keyring
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import Store

OWNERS = tuple(
    Caller(tenant=tenant, user=user) for tenant in ("acme", "umbra") for user in ("ann", "bo")
)
STEPS = 20  # of each session


def owner_of(place: int) -> Caller:
    """Return whose session the one at this place is."""
    return OWNERS[place % len(OWNERS)]


def note(place: int, number: int) -> str:
    """Return what only this step of only this session says."""
    return f"session {place}, step {number}"


def take_share(pipe: Pipe, address: str, ids: list[str], share: int, of: int) -> None:
    """Take every `of`-th step of all sessions, all at once, beginning with `share`."""

    async def one(sessions: SessionService, place: int, number: int) -> None:
        caller = owner_of(place)
        taken = step(number, note(place, number))
        async with gate:
            await sessions.add_step(caller, ids[place], taken)
            await sessions.record(caller, ids[place], findings(source(1000 * place + number)))
        pipe.send((place, number))

    # no more than there are connections: waiting for one has an end, also on a busy machine
    gate = anyio.CapacityLimiter(30)

    async def work() -> None:
        async with opened(address) as store:
            sessions = SessionService(store)
            async with anyio.create_task_group() as tasks:
                for number in range(2 + share, STEPS + 2, of):
                    for place in range(len(ids)):
                        tasks.start_soon(one, sessions, place, number)

    anyio.run(work)


def step_until_killed(pipe: Pipe, address: str, session_id: str) -> None:
    """Take steps one after the other and tell each that was acknowledged."""

    async def work() -> None:
        async with opened(address) as store:
            sessions = SessionService(store, max_steps=10_000)
            for number in range(2, 5000):
                await sessions.add_step(owner_of(0), session_id, step(number))
                pipe.send(number)

    anyio.run(work)


@asynccontextmanager
async def opened(address: str) -> AsyncGenerator[Store]:
    keyring = Keyring(KEY)
    is_url = address.startswith("unix:")
    store: Store = (
        RedisStore(address, keyring)
        if is_url
        else SqliteStore(Path(address), keyring, busy_timeout=60.0)
    )
    try:
        yield store
    finally:
        await store.close()
