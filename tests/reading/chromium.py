"""Opens a real Chromium for tests and inspects its processes."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.browser_tier import BrowserTier

needs_chromium = pytest.mark.skipif(
    shutil.which("chromium") is None, reason="Chromium is not installed (apt install chromium)"
)


async def resolve_to_loopback(host: str) -> tuple[str, ...]:
    """Resolve names in .example to loopback."""
    return ("127.0.0.1",) if host.endswith(".example") else ()


def guard(*, private: bool = True) -> Guard:
    return Guard(Resolver(Policy(allow_private=private), lookup=resolve_to_loopback))


@asynccontextmanager
async def open_browser(
    options: BrowserOptions | None = None, *, private: bool = True
) -> AsyncGenerator[tuple[Browser, BrowserTier]]:
    """Open a browser behind a guard, and a tier that uses it."""
    async with guard(private=private) as network_guard:
        browser = Browser(network_guard, options or BrowserOptions(pages=6))
        documents = DocumentReader()
        try:
            yield (
                browser,
                BrowserTier(
                    browser=browser, guard=network_guard, responses=ResponseReader(documents)
                ),
            )
        finally:
            await browser.close()
            await documents.aclose()


def descendants(root: int | None = None) -> dict[int, str]:
    """Return the descendants of a process: command lines by process id."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it has ended in the meantime
            continue
        if fields[0] != "Z":
            parents[int(entry.name)] = (int(fields[1]), command)
    below, found = {root or os.getpid()}, dict[int, str]()
    while new := {pid for pid, (parent, _) in parents.items() if parent in below} - found.keys():
        below = new
        found |= {pid: parents[pid][1] for pid in new}
    return found


def chromium_processes(root: int | None = None) -> dict[int, str]:
    """Return the Chromium processes among the descendants."""
    return {pid: line for pid, line in descendants(root).items() if "/chromium" in line}


def process_end(pid: int) -> "asyncio.Future[None]":
    """Return a future that is done when the process has ended; it need not be a child."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:  # it has ended in the meantime
        done.set_result(None)
        return done

    def ended() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        done.set_result(None)

    loop.add_reader(descriptor, ended)
    return done


def kill_main_process() -> int:
    """Kill the main process of the browser with SIGKILL."""
    main = next(pid for pid, line in chromium_processes().items() if "--type=" not in line)
    os.kill(main, signal.SIGKILL)
    return main
