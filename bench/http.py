"""Two server processes on one Redis: no lost or mixed-up responses, exact rate limits, failover.

Every user of every tenant calls both processes in turn, stores notes and pages through long results
with cursors created by the other process. Then one process is killed and rate limits are tested.
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
USERS = 5  # of each tenant
LIMIT = 300  # requests per minute and tenant, in the test of the rate limits
STREAM = {"accept": "application/json, text/event-stream"}
MODERN = STREAM | {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call"}
UNLIMITED = {"RATE_LIMIT_PER_TENANT": "0", "RATE_LIMIT_GLOBAL": "0", "DAILY_QUOTA_PER_TENANT": "0"}


@dataclass
class Account:
    """A user with an API key, and the note that the servers must return to them."""

    tenant: str
    user: str
    key: str
    note: str = ""


@dataclass
class Outcome:
    """Outcome of the calls."""

    calls: int = 0
    lost: int = 0
    mixed_up: int = 0
    processes: Counter[int] = field(default_factory=Counter[int])
    latencies: list[float] = field(default_factory=list[float])
    failures: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True)
class Server:
    """One server process and its base URL."""

    process: subprocess.Popen[bytes]
    url: str

    def cpu_ms(self) -> float:
        """Return the CPU time it has used."""
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
        accounts = await _create_accounts(one.url, shared["ADMIN_API_KEY"])
        before = one.cpu_ms() + two.cpu_ms()
        outcome, seconds = await _mixed_load(accounts, [one.url, two.url], options)
        verdicts.append(_report_mixed(outcome, seconds))
        spent = (one.cpu_ms() + two.cpu_ms() - before) / outcome.calls
        print(f"  {spent:.1f} ms CPU per call, both servers")
        verdicts.append(await _test_failover(accounts, one, two))
    limited = shared | UNLIMITED | {"RATE_LIMIT_PER_TENANT": str(LIMIT)}
    with _server(home / "c", limited) as one, _server(home / "d", limited) as two:
        verdicts.append(await _test_rate_limits(accounts, [one.url, two.url], options.clients))
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
        _wait_until_listening(port, process)
        yield Server(process, f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(30)


def _wait_until_listening(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit("a server did not start")


async def _create_accounts(url: str, admin: str) -> list[Account]:
    accounts: list[Account] = []
    async with httpx2.AsyncClient(base_url=url) as client:
        for tenant in range(TENANTS):
            for user in range(USERS):
                body = {"tenant_id": f"t{tenant}", "user_id": f"u{user}"}
                response = await client.post(
                    "/admin/keys", json=body, headers={"x-admin-key": admin}
                )
                accounts.append(Account(body["tenant_id"], body["user_id"], response.json()["key"]))
    return accounts


async def _mixed_load(
    accounts: list[Account], urls: list[str], options: argparse.Namespace
) -> tuple[Outcome, float]:
    outcome, started = Outcome(), time.perf_counter()
    idle_accounts = list(accounts)
    rng = random.Random(1)  # noqa: S311 -- not a secret

    async def client() -> None:
        async with httpx2.AsyncClient(timeout=30) as http:
            while outcome.calls < options.calls:
                # one client per user at a time, so that the expected note is known
                account = idle_accounts.pop(rng.randrange(len(idle_accounts)))
                await _call_some(http, account, urls, outcome, rng)
                idle_accounts.append(account)

    await asyncio.gather(*(client() for _ in range(options.clients)))
    return outcome, time.perf_counter() - started


async def _call_some(
    http: httpx2.AsyncClient,
    account: Account,
    urls: list[str],
    outcome: Outcome,
    rng: random.Random,
) -> None:
    """Make some calls of one kind, each to the next process."""
    one, two = rng.sample(urls, 2)
    kind = rng.choice(("note", "note", "lines", "echo", "listing"))
    if kind == "note":
        account.note = f"{account.tenant} {account.user} {rng.random()}"
        await _note(http, account, one, outcome, text=account.note)
        await _note(http, account, two, outcome, text="")
    elif kind == "lines":
        await _lines(http, account, (one, two), outcome, seed=str(rng.random()))
    elif kind == "echo":
        message = f"{account.user} {rng.random()}"
        body = await _call(http, account, one, outcome, ("echo", {"message": message}))
        outcome.mixed_up += body is not None and body != {"echoed": message}
    else:
        body = await _call(http, account, one, outcome, None)
        names = [tool["name"] for tool in body["tools"]] if body else ["echo", "lines", "note"]
        outcome.mixed_up += names != ["echo", "lines", "note"]


async def _note(
    http: httpx2.AsyncClient, account: Account, url: str, outcome: Outcome, *, text: str
) -> None:
    body = await _call(http, account, url, outcome, ("note", {"text": text}))
    if body is None:
        return
    outcome.processes[body["process"]] += 1
    wrong = (body["tenant"], body["user"]) != (account.tenant, account.user)
    outcome.mixed_up += wrong
    outcome.lost += not wrong and body["note"] != account.note


async def _lines(
    http: httpx2.AsyncClient,
    account: Account,
    urls: tuple[str, str],
    outcome: Outcome,
    *,
    seed: str,
) -> None:
    arguments: dict[str, Any] = {"seed": seed, "max_tokens": 3000}
    text, page_number = "", 0
    while True:
        url = urls[page_number % 2]
        body = await _call(http, account, url, outcome, ("lines", arguments))
        if body is None:
            return
        text, page_number = text + body["text"], page_number + 1
        if "nextCursor" not in body:
            break
        arguments = {**arguments, "cursor": body["nextCursor"]}
    owner = f"{account.tenant}/{account.user}"
    outcome.mixed_up += body["owner"] != owner
    outcome.lost += body["owner"] == owner and text != text_of(seed, owner)


async def _call(
    http: httpx2.AsyncClient,
    account: Account,
    url: str,
    outcome: Outcome,
    call: tuple[str, dict[str, Any]] | None,
) -> Any:
    """Call a tool over MCP, or list the tools over REST; None when the call failed."""
    headers = {"authorization": f"Bearer {account.key}"}
    started = time.perf_counter()
    outcome.calls += 1
    modern = outcome.calls % 2 == 0  # both protocol versions
    try:
        if call is None:
            response = await http.get(f"{url}/v1/tools", headers=headers)
            body = response.json()
        else:
            response = await http.post(
                f"{url}/mcp",
                json=_message(*call, modern=modern),
                headers=headers | (MODERN if modern else STREAM) | {"mcp-name": call[0]},
            )
            body = _result(response)
        response.raise_for_status()
    except (httpx2.HTTPError, ValueError, KeyError) as exc:
        outcome.lost += 1
        outcome.failures[repr(exc)[:160]] += 1
        return None
    outcome.latencies.append(1000 * (time.perf_counter() - started))
    return body


def _message(name: str, arguments: dict[str, Any], *, modern: bool) -> dict[str, Any]:
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    if modern:
        params["_meta"] = ENVELOPE
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _result(response: httpx2.Response) -> Any:
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        lines = [line for line in text.splitlines() if line.startswith("data: {")]
        text = lines[-1][6:]
    return json.loads(text)["result"]["structuredContent"]


def _report_mixed(outcome: Outcome, seconds: float) -> bool:
    ordered = sorted(outcome.latencies)
    p50, p99 = (ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in (50, 99))
    print(f"{outcome.calls} mixed calls on two processes in {seconds:.1f} s")
    print(f"  lost {outcome.lost}, mixed up {outcome.mixed_up}")
    print(f"  notes by process {dict(outcome.processes)}")
    print(f"  p50 {p50:.1f} ms, p99 {p99:.1f} ms, {outcome.calls / seconds:.0f} calls/s")
    for failure, count in outcome.failures.most_common(3):
        print(f"  {count} x {failure}")
    return _verdict(outcome.lost == 0 and outcome.mixed_up == 0 and len(outcome.processes) == 2)


async def _test_failover(accounts: list[Account], one: Server, two: Server) -> bool:
    """Kill one process; the other must still have every note."""
    one.process.kill()
    one.process.wait()
    outcome = Outcome()
    async with httpx2.AsyncClient(timeout=30) as http:
        for account in accounts:
            await _note(http, account, two.url, outcome, text="")
    print(f"one process killed: the other answered {outcome.calls} calls, lost {outcome.lost}")
    return _verdict(outcome.lost == 0 and outcome.mixed_up == 0)


async def _test_rate_limits(accounts: list[Account], urls: list[str], clients: int) -> bool:
    """Send twice as many requests as each tenant may make within one minute."""
    if time.time() % 60 > 25:  # keep all requests in one rate-limit window
        await asyncio.sleep(60.2 - time.time() % 60)
    window = int(time.time() // 60)
    tenants = {account.tenant: account for account in accounts[: 3 * USERS]}
    admitted: Counter[str] = Counter()
    sent: Counter[str] = Counter()
    work = [tenant for tenant in tenants for _ in range(2 * LIMIT)]
    random.Random(2).shuffle(work)  # noqa: S311 -- not a secret

    async def client() -> None:
        async with httpx2.AsyncClient(timeout=30) as http:
            while work:
                tenant = work.pop()
                url = urls[len(work) % 2]
                key = tenants[tenant].key
                response = await http.get(f"{url}/v1/tools", headers={"x-api-key": key})
                sent[tenant] += 1
                admitted[tenant] += response.status_code == 200

    await asyncio.gather(*(client() for _ in range(clients)))
    same_window = int(time.time() // 60) == window
    error = max(abs(admitted[tenant] - LIMIT) / LIMIT for tenant in tenants)
    print(f"limit {LIMIT}/min for {len(tenants)} tenants, {sum(sent.values())} requests")
    print(f"  admitted {dict(admitted)}: {100 * error:.2f} % error; in one window: {same_window}")
    return _verdict(error <= 0.02 and same_window)


def _verdict(passed: bool) -> bool:  # noqa: FBT001 -- the only argument
    print("  PASS" if passed else "  MISS")
    return passed


if __name__ == "__main__":
    main()
