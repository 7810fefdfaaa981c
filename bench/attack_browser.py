"""Attacks the browser in the lab: hostile pages that try to reach internal addresses.

Needs root and Chromium. Exits with 1 if an internal address is reached.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.attack import LAB, Lab
from bench.attack_sessions import control_pages, operate
from bench.attack_steps import run_steps, step_pages
from bench.hostile_pages import SERVICE_WORKER, attempts, batches, pages
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.read_errors import UnreadableError

PUBLIC, PORT = "93.184.216.34", 8000  # pub.test, on a port that is allowed
STUN = ("127.0.0.1", "10.0.0.5", PUBLIC)
CONCURRENCY = 4


class Datagrams(asyncio.DatagramProtocol):
    """Counts UDP datagrams; a browser that uses only the guard sends none."""

    def __init__(self) -> None:
        self.count = 0

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.count += 1


@asynccontextmanager
async def hostile_site() -> AsyncGenerator[dict[str, int]]:
    """Serve the hostile pages from a public IP address; yield the number of requests for each."""
    requests: dict[str, int] = {}
    documents = {**pages(), **control_pages()}
    documents |= {path: page.html for path, page in step_pages().items()}

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split()[1].decode().partition("?")[0]
            requests[path] = requests.get(path, 0) + 1
            script = path == "/sw.js"
            body = (SERVICE_WORKER if script else documents.get(path, "")).encode()
            content_type = "application/javascript" if script else "text/html"
            writer.write(
                f"HTTP/1.1 {200 if body else 404} X\r\ncontent-type: {content_type}\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode()
                + body
            )
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(respond, PUBLIC, PORT)
    try:
        yield requests
    finally:
        server.close()


async def listen_for_datagrams() -> list[Datagrams]:
    loop = asyncio.get_running_loop()
    return [
        (await loop.create_datagram_endpoint(Datagrams, local_addr=(address, 3478)))[1]
        for address in STUN
    ]


async def visit(tier: BrowserTier, path: str) -> str:
    """Render a page; return its text."""
    try:
        return (await tier.render(f"http://pub.test:{PORT}{path}", 30)).text
    except (UnreadableError, TimeoutError):
        return ""
    # a page that is redirected to a refused URL fails with any browser error
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {str(error)[:80]}"


async def unguarded() -> None:
    """Render some pages without the guard: the lab must detect their requests."""
    from playwright.async_api import Error, async_playwright

    program = shutil.which("chromium")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = await browser.new_page()
        for path in ("/elements/0", "/calls/0", "/elements/11", "/calls/11", "/location/0"):
            try:
                await page.goto(f"http://pub.test:{PORT}{path}", timeout=8000)
                await page.wait_for_timeout(1500)
            except Error as error:
                print(f"unguarded {path}: {str(error)[:80]}")
        await browser.close()


async def attack(lab: Lab) -> int:
    datagrams = await listen_for_datagrams()
    async with hostile_site() as requests, Guard(Resolver(Policy())) as guard:
        await lab.send("reset")
        await unguarded()
        detected = len((await lab.send("state"))["hits"])
        print(f"without the guard: {detected} hits inside")
        await lab.send("reset")
        requests.clear()
        for counter in datagrams:
            counter.count = 0
        browser, documents = Browser(guard, BrowserOptions(pages=CONCURRENCY)), DocumentReader()
        tier = BrowserTier(browser=browser, guard=guard, responses=ResponseReader(documents))
        rendered: dict[str, str] = {}
        for batch in batches(pages(), CONCURRENCY):
            texts = await asyncio.gather(*(visit(tier, path) for path in batch))
            rendered |= zip(batch, texts, strict=True)
        await browser.close()
        await documents.aclose()
        operated = await operate(guard, f"http://pub.test:{PORT}")
        acted = await run_steps(guard, f"http://pub.test:{PORT}")
        hits = (await lab.send("state"))["hits"]
    visited = sum(path in requests for path in pages())
    local = [line for line in rendered["/rtc"].split("ICE:")[1:] if " host " in line]
    udp = sum(counter.count for counter in datagrams)
    print(f"with the guard:    {len(hits)} hits inside, {udp} datagrams, {len(local)} local ICE")
    print(f"{attempts()} attempts on {visited} of {len(pages())} pages, "
          f"{guard.refused} connections refused")  # fmt: skip
    print(f"{operated} of {len(control_pages())} hostile pages operated in sessions")
    print(f"steps run on {acted} of {len(step_pages())} hostile pages")
    for hit in hits[:10]:
        print(f"  {hit}")
    all_operated = operated == len(control_pages()) and acted == len(step_pages())
    valid = detected > 0 and visited == len(pages()) and all_operated
    return int(bool(hits) or bool(udp) or not valid)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", type=Path, default=LAB, help="directory of the lab")
    options = parser.parse_args()
    if run := os.environ.get("LAB_RUN"):
        return asyncio.run(attack(Lab(Path(run))))
    for problem, ok in (
        ("it needs root", os.geteuid() == 0),
        (f"there is no lab in {options.lab}", (options.lab / "lab.sh").exists()),
        ("it needs unshare, ip and openssl", all(map(shutil.which, ("unshare", "ip", "openssl")))),
        ("it needs Chromium (apt install chromium)", shutil.which("chromium") is not None),
    ):
        if not ok:
            print(f"skipped: {problem}")
            return 0
    script = str(options.lab / "lab.sh")
    command = (script, sys.executable, "-m", "bench.attack_browser", "--lab", str(options.lab))
    environment = os.environ | {"LAB_PY": sys.executable}
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
