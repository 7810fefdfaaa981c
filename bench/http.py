"""Two server processes on one Redis: nothing lost, nothing crossed, limits exact, one may die.

Every person of every tenant calls both processes in turn, keeps notes and reads long results with
cursors that the other process made. Then the limits are hammered, and one process is killed.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from bench.http_server import text_of
from tests.redis_server import running_redis
from tests.server.processes import ENVELOPE

TENANTS = 10
PEOPLE = 5  # of each tenant
LIMIT = 300  # requests a minute of one tenant, in the second part
STREAM = {"accept": "application/json, text/event-stream"}
MODERN = STREAM | {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call"}
UNLIMITED = {"RATE_LIMIT_PER_TENANT": "0", "RATE_LIMIT_GLOBAL": "0", "DAILY_QUOTA_PER_TENANT": "0"}


@dataclass
class Person:
    """Somebody with an API key, and what the servers must know about them."""

    tenant: str
    user: str
    key: str
    note: str = ""


@dataclass
class Tally:
    """What came of the calls."""

    calls: int = 0
    lost: int = 0
    crossed: int = 0
    processes: Counter[int] = field(default_factory=Counter[int])
    latencies: list[float] = field(default_factory=list[float])
    failures: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True)
class Server:
    """One process and its address."""

    process: subprocess.Popen[bytes]
    address: str

    def cpu_ms(self) -> float:
        """Return the processor time it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-http-") as home, running_redis() as redis:
        passed = asyncio.run(_measure(Path(home), redis, options))
    sys.exit(0 if passed else 1)


async def _measure(home: Path, redis: str, options: argparse.Namespace) -> bool:
    shared = {
        "REDIS_URL": redis,
        "CACHE_ENCRYPTION_KEY": secrets.token_hex(32),
        "API_KEYS": "on",
        "AUDIT_ENABLED": "off",
        "LOCAL_INDEX": "off",
        "ADMIN_API_KEY": "bench-admin-key-0001",
    }
    verdicts: list[bool] = []
    with (
        _server(home / "a", shared | UNLIMITED) as one,
        _server(home / "b", shared | UNLIMITED) as two,
    ):
        people = await _people(one.address, shared["ADMIN_API_KEY"])
        before = one.cpu_ms() + two.cpu_ms()
        tally, seconds = await _mixed(people, [one.address, two.address], options)
        verdicts.append(_report_mixed(tally, seconds))
        spent = (one.cpu_ms() + two.cpu_ms() - before) / tally.calls
        print(f"  {spent:.1f} ms of processor time per call, of both servers")
        verdicts.append(await _kill(people, one, two))
    limited = shared | UNLIMITED | {"RATE_LIMIT_PER_TENANT": str(LIMIT)}
    with _server(home / "c", limited) as one, _server(home / "d", limited) as two:
        verdicts.append(await _limits(people, [one.address, two.address], options.clients))
    return all(verdicts)


@contextlib.contextmanager
def _server(home: Path, settings: Mapping[str, str]) -> Generator[Server]:
    home.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **{name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ},
        "HOME": str(home),
        "WEBQUARRY_DATA_DIR": str(home / "data"),
        "PORT": str(port),
        "TOOLSETS": "starter",
        **settings,
    }
    command = [sys.executable, "-m", "bench.http_server", str(home)]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
    try:
        _wait(port, process)
        yield Server(process, f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(30)


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit("a server did not start")


async def _people(address: str, admin: str) -> list[Person]:
    people: list[Person] = []
    async with httpx2.AsyncClient(base_url=address) as client:
        for tenant in range(TENANTS):
            for user in range(PEOPLE):
                body = {"tenant_id": f"t{tenant}", "user_id": f"u{user}"}
                answer = await client.post("/admin/keys", json=body, headers={"x-admin-key": admin})
                people.append(Person(body["tenant_id"], body["user_id"], answer.json()["key"]))
    return people


async def _mixed(
    people: list[Person], addresses: list[str], options: argparse.Namespace
) -> tuple[Tally, float]:
    tally, begun = Tally(), time.perf_counter()
    waiting = list(people)
    chance = random.Random(1)  # noqa: S311 -- a mixture, not a secret

    async def client() -> None:
        async with httpx2.AsyncClient(timeout=30) as http:
            while tally.calls < options.calls:
                # one at a time for each person, or nobody could say what their note must be
                person = waiting.pop(chance.randrange(len(waiting)))
                await _some_calls(http, person, addresses, tally, chance)
                waiting.append(person)

    await asyncio.gather(*(client() for _ in range(options.clients)))
    return tally, time.perf_counter() - begun


async def _some_calls(
    http: httpx2.AsyncClient,
    person: Person,
    addresses: list[str],
    tally: Tally,
    chance: random.Random,
) -> None:
    """Make a few calls of one kind, each to the next process."""
    one, two = chance.sample(addresses, 2)
    kind = chance.choice(("note", "note", "lines", "echo", "listing"))
    if kind == "note":
        person.note = f"{person.tenant} {person.user} {chance.random()}"
        await _note(http, person, one, tally, text=person.note)
        await _note(http, person, two, tally, text="")
    elif kind == "lines":
        await _lines(http, person, (one, two), tally, seed=str(chance.random()))
    elif kind == "echo":
        word = f"{person.user} {chance.random()}"
        body = await _call(http, person, one, tally, ("echo", {"message": word}))
        tally.crossed += body is not None and body != {"echoed": word}
    else:
        body = await _call(http, person, one, tally, None)
        listed = [tool["name"] for tool in body["tools"]] if body else ["echo", "lines", "note"]
        tally.crossed += listed != ["echo", "lines", "note"]


async def _note(
    http: httpx2.AsyncClient, person: Person, address: str, tally: Tally, *, text: str
) -> None:
    body = await _call(http, person, address, tally, ("note", {"text": text}))
    if body is None:
        return
    tally.processes[body["process"]] += 1
    wrong = (body["tenant"], body["user"]) != (person.tenant, person.user)
    tally.crossed += wrong
    tally.lost += not wrong and body["note"] != person.note


async def _lines(
    http: httpx2.AsyncClient, person: Person, addresses: tuple[str, str], tally: Tally, *, seed: str
) -> None:
    asked: dict[str, Any] = {"seed": seed, "max_tokens": 3000}
    whole, turn = "", 0
    while True:
        address = addresses[turn % 2]
        body = await _call(http, person, address, tally, ("lines", asked))
        if body is None:
            return
        whole, turn = whole + body["text"], turn + 1
        if "nextCursor" not in body:
            break
        asked = {**asked, "cursor": body["nextCursor"]}
    owner = f"{person.tenant}/{person.user}"
    tally.crossed += body["owner"] != owner
    tally.lost += body["owner"] == owner and whole != text_of(seed, owner)


async def _call(
    http: httpx2.AsyncClient,
    person: Person,
    address: str,
    tally: Tally,
    call: tuple[str, dict[str, Any]] | None,
) -> Any:
    """Call a tool over MCP, or list the tools over REST; None when nothing came back."""
    headers = {"authorization": f"Bearer {person.key}"}
    begun = time.perf_counter()
    tally.calls += 1
    modern = tally.calls % 2 == 0  # both eras of the protocol
    try:
        if call is None:
            answer = await http.get(f"{address}/v1/tools", headers=headers)
            body = answer.json()
        else:
            answer = await http.post(
                f"{address}/mcp",
                json=_message(*call, modern=modern),
                headers=headers | (MODERN if modern else STREAM) | {"mcp-name": call[0]},
            )
            body = _result(answer)
        answer.raise_for_status()
    except (httpx2.HTTPError, ValueError, KeyError) as exc:
        tally.lost += 1
        tally.failures[repr(exc)[:160]] += 1
        return None
    tally.latencies.append(1000 * (time.perf_counter() - begun))
    return body


def _message(name: str, arguments: dict[str, Any], *, modern: bool) -> dict[str, Any]:
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    if modern:
        params["_meta"] = ENVELOPE
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _result(answer: httpx2.Response) -> Any:
    text = answer.text
    if answer.headers["content-type"].startswith("text/event-stream"):
        lines = [line for line in text.splitlines() if line.startswith("data: {")]
        text = lines[-1][6:]
    return json.loads(text)["result"]["structuredContent"]


def _report_mixed(tally: Tally, seconds: float) -> bool:
    ordered = sorted(tally.latencies)
    p50, p99 = (ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in (50, 99))
    print(f"{tally.calls} mixed calls on two processes in {seconds:.1f} s")
    print(f"  lost {tally.lost}, crossed {tally.crossed}; notes by process {dict(tally.processes)}")
    print(f"  p50 {p50:.1f} ms, p99 {p99:.1f} ms, {tally.calls / seconds:.0f} calls/s")
    for failure, count in tally.failures.most_common(3):
        print(f"  {count} times {failure}")
    return _verdict(tally.lost == 0 and tally.crossed == 0 and len(tally.processes) == 2)


async def _kill(people: list[Person], one: Server, two: Server) -> bool:
    """Kill one process; whoever turns to the other finds everything there."""
    one.process.kill()
    one.process.wait()
    tally = Tally()
    async with httpx2.AsyncClient(timeout=30) as http:
        for person in people:
            await _note(http, person, two.address, tally, text="")
    print(f"one process killed: the other answered {tally.calls} calls, lost {tally.lost}")
    return _verdict(tally.lost == 0 and tally.crossed == 0)


async def _limits(people: list[Person], addresses: list[str], clients: int) -> bool:
    """Ask for twice what each tenant may have within one minute."""
    if time.time() % 60 > 25:  # all of it in one window
        await asyncio.sleep(60.2 - time.time() % 60)
    window = int(time.time() // 60)
    tenants = {person.tenant: person for person in people[: 3 * PEOPLE]}
    admitted: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    work = [tenant for tenant in tenants for _ in range(2 * LIMIT)]
    random.Random(2).shuffle(work)  # noqa: S311 -- an order, not a secret

    async def client() -> None:
        async with httpx2.AsyncClient(timeout=30) as http:
            while work:
                tenant = work.pop()
                address = addresses[len(work) % 2]
                key = tenants[tenant].key
                answer = await http.get(f"{address}/v1/tools", headers={"x-api-key": key})
                asked[tenant] += 1
                admitted[tenant] += answer.status_code == 200

    await asyncio.gather(*(client() for _ in range(clients)))
    same = int(time.time() // 60) == window
    off = max(abs(admitted[tenant] - LIMIT) / LIMIT for tenant in tenants)
    print(f"limit {LIMIT}/min for {len(tenants)} tenants, {sum(asked.values())} asked for")
    print(f"  admitted {dict(admitted)}: {100 * off:.2f} % off; in one window: {same}")
    return _verdict(off <= 0.02 and same)


def _verdict(passed: bool) -> bool:  # noqa: FBT001 -- it is the one thing to be told
    print("  PASS" if passed else "  short of it")
    return passed


if __name__ == "__main__":
    main()
