"""Several processes on the same sessions, and processes that die."""

import secrets
from pathlib import Path

import pytest

from tests.redis_server import redis_url
from tests.services.sessions import workers
from tests.services.sessions.builders import step
from tests.services.sessions.workers import OWNERS, STEPS, note, opened, owner_of
from tests.storage.workers import receive_all, run_each, start
from webquarry.errors import SessionNotFoundError
from webquarry.services.sessions.service import SessionService

__all__ = ["redis_url"]

pytestmark = pytest.mark.anyio

SESSIONS = 50


@pytest.fixture(params=["sqlite", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, int]:
    """Return where the sessions are kept and how many processes use them."""
    if request.param == "sqlite":
        return str(tmp_path / "data" / "store.sqlite3"), 4
    return request.getfixturevalue("redis_url"), 2


async def test_a_thousand_steps_at_once_lose_nothing_and_leak_nothing(
    place: tuple[str, int],
) -> None:
    address, processes = place
    async with opened(address) as store:
        sessions = SessionService(store)
        begun = [
            await sessions.start(owner_of(n), f"Goal {n}", step(1, note(n, 1)))
            for n in range(SESSIONS)
        ]
    ids = [state.id for state in begun]

    shares = [(address, ids, share, processes) for share in range(processes)]
    told = run_each(workers.take_share, shares)

    assert sorted(told) == [(n, number) for n in range(SESSIONS) for number in range(2, STEPS + 2)]
    assert len(told) == 1000
    async with opened(address) as store:
        await _check(SessionService(store), ids)


async def _check(sessions: SessionService, ids: list[str]) -> None:
    for n, session_id in enumerate(ids):
        kept = await sessions.get(owner_of(n), session_id)
        assert sorted(s.description for s in kept.steps) == sorted(
            note(n, number) for number in range(1, STEPS + 2)
        )
        assert {s.url for s in kept.sources} == {
            f"https://example.org/{1000 * n + number}" for number in range(2, STEPS + 2)
        }
        for stranger in OWNERS:
            if stranger != owner_of(n):
                with pytest.raises(SessionNotFoundError):
                    await sessions.get(stranger, session_id)
    for owner in OWNERS:
        mine = [session_id for n, session_id in enumerate(ids) if owner_of(n) == owner]
        assert sorted(await sessions.ids(owner)) == sorted(mine)


async def test_no_acknowledged_step_is_lost_to_kill_minus_nine(tmp_path: Path) -> None:
    address = str(tmp_path / "data" / "store.sqlite3")
    async with opened(address) as store:
        begun = await SessionService(store).start(owner_of(0), "Owls", step(1))
    process, pipe = start(workers.step_until_killed, address, begun.id)
    last = 2 + secrets.randbelow(300)
    while pipe.recv() != last:
        pass
    process.kill()
    process.join()
    acknowledged = max([last, *receive_all(pipe)])

    async with opened(address) as store:
        sessions = SessionService(store, max_steps=10_000)
        kept = [s.stepNumber for s in (await sessions.get(owner_of(0), begun.id)).steps]
        # one more may have been written before it could be told
        assert kept in (list(range(1, acknowledged + 1)), list(range(1, acknowledged + 2)))
        after = await sessions.add_step(owner_of(0), begun.id, step(9999))
        assert after.steps[-1].stepNumber == 9999
