"""A real Chromium for tests, and the processes it started."""

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
from webquarry.reading.documents.document_reader import Documents
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.browser_tier import BrowserTier

needs_chromium = pytest.mark.skipif(
    shutil.which("chromium") is None, reason="Chromium is not installed (apt install chromium)"
)


async def inside(host: str) -> tuple[str, ...]:
    """Resolve names in .example to this machine."""
    return ("127.0.0.1",) if host.endswith(".example") else ()


def guard(*, private: bool = True) -> Guard:
    return Guard(Resolver(Policy(allow_private=private), lookup=inside))


@asynccontextmanager
async def browsing(
    wish: BrowserOptions | None = None, *, private: bool = True
) -> AsyncGenerator[tuple[Browser, BrowserTier]]:
    """A browser behind a guard, and the tier that uses it."""
    async with guard(private=private) as door:
        browser = Browser(door, wish or BrowserOptions(pages=6))
        documents = Documents()
        try:
            yield (
                browser,
                BrowserTier(browser=browser, guard=door, readers=ResponseReader(documents)),
            )
        finally:
            await browser.close()
            await documents.aclose()


def descendants(root: int | None = None) -> dict[int, str]:
    """Return the processes below one, by id, with their command lines."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it ended meanwhile
            continue
        if fields[0] != "Z":
            parents[int(entry.name)] = (int(fields[1]), command)
    below, found = {root or os.getpid()}, dict[int, str]()
    while new := {pid for pid, (parent, _) in parents.items() if parent in below} - found.keys():
        below = new
        found |= {pid: parents[pid][1] for pid in new}
    return found


def chromes(root: int | None = None) -> dict[int, str]:
    """Return the processes of Chromium below one."""
    return {pid: line for pid, line in descendants(root).items() if "/chromium" in line}


def ending(pid: int) -> "asyncio.Future[None]":
    """Return what is done when a process has ended, whoever its parent is."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:  # it ended meanwhile
        done.set_result(None)
        return done

    def ended() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        done.set_result(None)

    loop.add_reader(descriptor, ended)
    return done


def kill_main_process() -> int:
    """Kill the browser that all others belong to, without warning."""
    main = next(pid for pid, line in chromes().items() if "--type=" not in line)
    os.kill(main, signal.SIGKILL)
    return main
