"""The shared Chromium: crashes, hangs, idle shutdown and closing."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.net.servers import ReceivedRequest, serve
from tests.reading.chromium import (
    chromium_processes,
    descendants,
    kill_main_process,
    needs_chromium,
    open_browser,
    process_end,
)
from webquarry.errors import BrowserError
from webquarry.reading.browser.chromium import BrowserOptions

pytestmark = [pytest.mark.anyio, needs_chromium]

PAGE = b"<title>Owls</title><main><h1>Owls</h1><p>They hunt at night.</p></main>"


async def show(asked: ReceivedRequest) -> None:
    await asked.respond(200, PAGE, content_type="text/html")


async def test_six_renders_in_flight_survive_a_killed_browser_process() -> None:
    reached, may_answer = asyncio.Semaphore(0), asyncio.Event()

    async def slowly(asked: ReceivedRequest) -> None:
        reached.release()
        await may_answer.wait()
        await show(asked)

    async with serve(slowly) as site, open_browser(BrowserOptions(pages=6)) as (browser, tier):
        renders = [asyncio.ensure_future(tier.render(site.url(f"/{n}"), 60)) for n in range(6)]
        for _ in range(6):  # all of them are waiting for their page
            await reached.acquire()
        kill_main_process()
        may_answer.set()
        rendered = await asyncio.gather(*renders)

        assert [found.url for found in rendered] == [site.url(f"/{n}") for n in range(6)]
        assert all("They hunt at night." in found.text for found in rendered)
        assert browser.launches == 2


async def test_a_page_with_an_endless_script_times_out_and_the_next_page_works() -> None:
    async def handle(asked: ReceivedRequest) -> None:
        loop = b"<script>while (true) {}</script>" if asked.target == "/loop" else b""
        await asked.respond(200, PAGE + loop, content_type="text/html")

    async with serve(handle) as site, open_browser() as (browser, tier):
        await tier.render(site.url("/first"), 60)
        with pytest.raises(TimeoutError):
            await tier.render(site.url("/loop"), 3)
        rendered = await tier.render(site.url("/next"), 60)

        assert "They hunt at night." in rendered.text
        assert browser.launches == 1


async def test_a_page_that_crashes_the_browser_repeatedly_is_an_error() -> None:
    async def handle(asked: ReceivedRequest) -> None:
        kill_main_process()
        await asked.respond(200, PAGE, content_type="text/html")

    async with serve(handle) as site, open_browser() as (browser, tier):
        with pytest.raises(BrowserError, match="died twice"):
            await tier.render(site.url(), 60)

        assert browser.launches == 2


async def test_closing_leaves_no_process_running() -> None:
    before = descendants()
    async with serve(show) as site:
        async with open_browser() as (_, tier):
            await tier.render(site.url(), 60)
            assert chromium_processes()

        assert descendants().keys() <= before.keys()


async def test_an_idle_browser_is_closed_and_started_again_on_demand() -> None:
    async with serve(show) as site, open_browser(BrowserOptions(idle=0.05)) as (browser, tier):
        await tier.render(site.url(), 60)
        await browser.wait_until_stopped()
        assert chromium_processes() == {}

        assert "They hunt at night." in (await tier.render(site.url(), 60)).text
        assert browser.launches == 2


async def test_a_cancelled_render_leaves_no_page_open() -> None:
    reached = asyncio.Event()

    async def never(asked: ReceivedRequest) -> None:
        if asked.target == "/never":
            reached.set()
            await asyncio.Event().wait()
        await show(asked)

    async with serve(never) as site, open_browser(BrowserOptions(pages=1)) as (browser, tier):
        task = asyncio.ensure_future(tier.render(site.url("/never"), 60))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert "They hunt" in (await tier.render(site.url("/next"), 60)).text
        assert browser.launches == 1


PROGRAM = """
import asyncio
from tests.reading.chromium import open_browser
async def main():
    async with open_browser() as (_, tier):
        await tier.render({url!r}, 60)
        print("shown", flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_no_browser_process_outlives_a_killed_server() -> None:
    async with serve(show) as site:
        program = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            PROGRAM.format(url=site.url()),
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONPATH": "src:."},
            stdout=subprocess.PIPE,
        )
        assert program.stdout
        assert await asyncio.wait_for(program.stdout.readline(), 60) == b"shown\n"
        started = descendants(program.pid)
        assert any("/chromium" in line for line in started.values())
        ends = [process_end(pid) for pid in started]
        os.kill(program.pid, signal.SIGKILL)
        await program.wait()

        async with asyncio.timeout(20):
            await asyncio.gather(*ends)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("disabled", "CHROME_PATH=disabled"),
        ("/no/such/chrome", "CHROME_PATH=/no/such/chrome is not a program"),
        ("/bin/false", "Chromium did not start"),
    ],
)
async def test_without_a_browser_the_error_says_how_to_install_one(path: str, words: str) -> None:
    before = descendants()
    async with open_browser(BrowserOptions(path=path)) as (_, tier):
        with pytest.raises(BrowserError, match=words):
            await tier.render("http://127.0.0.1:8000/", 20)

        assert descendants().keys() <= before.keys()


@pytest.fixture
def refusing_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A Chromium whose system allows no sandbox, for a user who is not root."""
    program = tmp_path / "chromium"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--no-sandbox*) exec chromium "$@";; esac\n'
        'echo "[1:1:FATAL] No usable sandbox! Update your kernel" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return str(program)


async def test_auto_starts_without_the_sandbox_only_where_it_cannot_start_and_warns(
    refusing_program: str, caplog: pytest.LogCaptureFixture
) -> None:
    options = BrowserOptions(path=refusing_program, no_sandbox="auto")

    async with serve(show) as site, open_browser(options) as (_, tier):
        found = await tier.render(site.url("/"), 60)

    assert "They hunt at night." in found.text
    assert "WITHOUT ITS SANDBOX" in caplog.text


async def test_a_required_sandbox_that_cannot_start_is_an_error(refusing_program: str) -> None:
    async with open_browser(BrowserOptions(path=refusing_program)) as (_, tier):
        with pytest.raises(BrowserError, match="allow user namespaces or set CHROME_NO_SANDBOX"):
            await tier.render("http://127.0.0.1/", 60)
