"""Two servers on one Redis: 1,000 concurrent steps of 50 sessions, one server killed half-way."""

import asyncio
import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from bench.process import WEBQUARRY
from tests.redis_server import running_redis

SESSIONS, STEPS = 50, 20
CONCURRENCY = 64
ADMIN = secrets.token_hex(16)
UNLIMITED = {"RATE_LIMIT_PER_TENANT": "0", "RATE_LIMIT_GLOBAL": "0", "DAILY_QUOTA_PER_TENANT": "0"}


@dataclass(frozen=True)
class Owner:
    """A user who owns sessions."""

    tenant: str
    user: str
    key: str


@dataclass(frozen=True)
class Session:
    """One session and its owner."""

    owner: Owner
    id: str


def main() -> None:
    """Print lost and leaked steps; exit 1 if there are any."""
    shared = {
        "CACHE_ENCRYPTION_KEY": secrets.token_hex(32),
        "API_KEYS": "on",
        "ADMIN_API_KEY": ADMIN,
        "AUDIT_ENABLED": "off",
        "LOCAL_INDEX": "off",
        **UNLIMITED,
    }
    with tempfile.TemporaryDirectory() as home, running_redis() as redis:
        settings = shared | {"REDIS_URL": redis}
        with _server(Path(home) / "a", settings) as one, _server(Path(home) / "b", settings) as two:
            passed = asyncio.run(_measure(one, two))
    sys.exit(0 if passed else 1)


async def _measure(
    one: tuple["subprocess.Popen[bytes]", str], two: tuple["subprocess.Popen[bytes]", str]
) -> bool:
    (killed, first), (_, second) = one, two
    limits = httpx2.Limits(max_connections=CONCURRENCY)
    async with httpx2.AsyncClient(timeout=60, limits=limits) as http:
        owners = [await _create_owner(http, second, n) for n in range(4)]
        sessions = [await _begin(http, second, owners[n % 4], n) for n in range(SESSIONS)]
        acknowledged: dict[str, set[int]] = defaultdict(set)

        async def step(number: int, session: Session, url: str) -> None:
            with contextlib.suppress(httpx2.HTTPError):  # the killed server no longer responds
                if await _step(http, url, session, number):
                    acknowledged[session.id].add(number)
            if sum(map(len, acknowledged.values())) == SESSIONS * STEPS // 2:
                killed.kill()

        started = time.perf_counter()
        await asyncio.gather(
            *(
                step(number, session, (first, second)[(number + n) % 2])
                for number in range(2, STEPS + 2)
                for n, session in enumerate(sessions)
            )
        )
        seconds = time.perf_counter() - started
        lost, leaked = await _check(http, second, sessions, owners, acknowledged)
    acknowledged_count = sum(map(len, acknowledged.values()))
    print(f"{SESSIONS * STEPS} steps in {seconds:.1f} s, one server killed")
    print(f"acknowledged: {acknowledged_count}")
    print(f"lost: {lost}, leaked: {leaked}")
    return not lost and not leaked and acknowledged_count >= SESSIONS * STEPS // 2


async def _check(
    http: httpx2.AsyncClient,
    url: str,
    sessions: list[Session],
    owners: list[Owner],
    acknowledged: Mapping[str, set[int]],
) -> tuple[int, int]:
    """Return how many acknowledged steps are missing, and how many other users can see."""
    lost = leaked = 0
    for session in sessions:
        for owner in owners:
            body = await _call(http, url, owner, "get_research_session", {"sessionId": session.id})
            if owner is not session.owner:
                leaked += body is not None
                continue
            index: list[dict[str, Any]] = body["stepIndex"] if body else []
            lost += len(acknowledged[session.id] - {entry["stepNumber"] for entry in index})
            leaked += sum(session.id not in entry["oneLiner"] for entry in index[1:])
    return lost, leaked


async def _create_owner(http: httpx2.AsyncClient, url: str, number: int) -> Owner:
    identity = {"tenant_id": f"t{number // 2}", "user_id": f"u{number % 2}"}
    response = await http.post(f"{url}/admin/keys", json=identity, headers={"x-admin-key": ADMIN})
    return Owner(identity["tenant_id"], identity["user_id"], response.json()["key"])


async def _begin(http: httpx2.AsyncClient, url: str, owner: Owner, number: int) -> Session:
    arguments = {"searchStep": f"Begin {number}", "stepNumber": 1, "nextStepNeeded": True}
    body = await _call(http, url, owner, "sequential_search", arguments)
    if body is None:
        raise SystemExit("a session could not be started")
    return Session(owner, body["sessionId"])


async def _step(http: httpx2.AsyncClient, url: str, session: Session, number: int) -> bool:
    arguments = {
        "searchStep": f"{session.id} step {number}",
        "stepNumber": number,
        "nextStepNeeded": True,
        "sessionId": session.id,
    }
    return await _call(http, url, session.owner, "sequential_search", arguments) is not None


async def _call(
    http: httpx2.AsyncClient, url: str, owner: Owner, tool: str, arguments: dict[str, Any]
) -> dict[str, Any] | None:
    response = await http.post(
        f"{url}/v1/tools/{tool}",
        json=arguments,
        headers={"authorization": f"Bearer {owner.key}"},
    )
    return response.json() if response.status_code == 200 else None


@contextlib.contextmanager
def _server(
    home: Path, settings: Mapping[str, str]
) -> Generator[tuple["subprocess.Popen[bytes]", str]]:
    home.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **settings}
    environment["WEBQUARRY_DATA_DIR"] = str(home / "data")
    command = [str(WEBQUARRY), "serve", "--http", "--port", str(port), "--toolsets", "research"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


if __name__ == "__main__":
    main()
