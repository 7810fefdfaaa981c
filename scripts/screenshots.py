"""Takes the screenshots of the console in docs/images, in both themes and on a phone.

    python scripts/screenshots.py [FOLDER]

The console runs on the sample web of `webquarry demo`, so the pictures need no network.
With FOLDER, every page is taken there in both themes and widths, to be looked at.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from webquarry.server.console.console_pages import PAGES

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
MAX_TOTAL = 1_500_000  # bytes
BIBLIOGRAPHY = Path(__file__).parent.parent / "src" / "webquarry_demo" / "references.bib"
QUESTION = "barn owl nest boxes on farmland"


@dataclass(frozen=True)
class Shot:
    """One picture in the documentation."""

    name: str
    page: str
    theme: str = "light"
    screen: str = "wide"
    action: str = ""  # what to do on the page first


SHOTS = (
    Shot("console-home", "/"),
    Shot("console-home-dark", "/", "dark"),
    Shot("console-home-phone", "/", "light", "phone"),
    Shot("console-search", "/", action="search"),
    Shot("console-playground-dark", "/console/playground?tool=web_search", "dark"),
    Shot("console-session", "/console/sessions"),
    Shot("console-crawl-dark", "/console/crawls", "dark", action="crawl"),
    Shot("console-audit", "/console/audit", action="audit"),
    Shot("console-audit-phone", "/console/audit", "dark", "phone", action="audit"),
    Shot("console-check", "/console/check", action="check"),
    Shot("console-check-phone", "/console/check", "dark", "phone", action="check"),
    Shot("console-artifacts", "/console/artifacts"),
    Shot("console-activity", "/console/activity"),
    Shot("console-providers", "/console/providers"),
    Shot("console-searxng-dark", "/console/searxng", "dark"),
    Shot("console-settings", "/console/settings"),
)


@asynccontextmanager
async def demo_console(folder: Path) -> AsyncGenerator[str]:
    """Run the demo, and yield the URL of its console."""
    command = [sys.executable, "-m", "webquarry", "demo", "--console", "--keep", str(folder)]
    environment = os.environ | {"NO_COLOR": "1", "COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, cwd=folder.parent, env=environment
    )
    lines = process.stdout or asyncio.StreamReader()
    try:
        async for line in lines:
            if found := re.search(rb"http://127\.0\.0\.1:\d+", line):
                yield found[0].decode()
                break
        else:
            raise SystemExit("the demo ended before its console was open")
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def prepare(page: Page, action: str) -> None:
    """Do on the page what the picture shows."""
    if action == "search":
        await page.get_by_label("Search, or paste a URL").fill(QUESTION)
        await page.get_by_role("button", name="Go").click()
        await page.get_by_role("button", name="Read and quote the best").click()
        await page.locator("#result .quotes").first.wait_for()
    elif action == "crawl":
        await page.locator("#list a").first.click()
        await page.locator("#crawl .badge").first.wait_for()
    elif action == "audit":
        await page.get_by_label(re.compile("Paste BibTeX")).fill(BIBLIOGRAPHY.read_text("utf-8"))
        await page.get_by_role("button", name="Check references").click()
        await page.locator(".audit .item").first.wait_for()
        await page.locator("#result").scroll_into_view_if_needed()
    elif action == "check":
        await page.locator("#list a").first.click()
        await page.locator("#findings .item").first.wait_for()
        await page.locator("#check").scroll_into_view_if_needed()
    await page.wait_for_load_state("networkidle")


async def take(browser: Browser, base: str, shot: Shot, folder: Path, *, full: bool) -> Path:
    """Save one picture as a PNG of few colours, and return its path."""
    screen = WIDE if shot.screen == "wide" else PHONE
    context = await browser.new_context(
        viewport=screen, color_scheme=shot.theme, reduced_motion="reduce"
    )
    page = await context.new_page()
    await page.goto(base + shot.page)
    await page.wait_for_load_state("networkidle")
    await prepare(page, shot.action)
    path = folder / f"{shot.name}.png"
    await page.screenshot(path=path, full_page=full)
    await context.close()
    return path


def compress(path: Path) -> None:
    """Reduce a picture to 128 colours: a third of the bytes, and text stays sharp."""
    from PIL import Image

    with Image.open(path) as image:
        image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def every_page() -> list[Shot]:
    """Return every page in both themes and widths."""
    found = [
        Shot(f"{each.name}-{screen}-{theme}", each.path, theme, screen)
        for each in PAGES
        for screen in ("wide", "phone")
        for theme in ("light", "dark")
    ]
    return [*found, Shot("missing-wide-light", "/nothing/here")]


async def main(folder: Path | None) -> None:
    """Take all pictures; with a folder, of every page."""
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("Chromium is not installed (apt install chromium)")
    shots, target = (SHOTS, IMAGES) if folder is None else (every_page(), folder)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        async with demo_console(Path(data) / "demo") as base, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=program, args=["--no-sandbox"]
            )
            paths = [
                await take(browser, base, shot, target, full=folder is not None) for shot in shots
            ]
            await browser.close()
    if folder is None:
        for path in paths:
            compress(path)
        total = sum(path.stat().st_size for path in paths)
        sys.stdout.write(f"{len(paths)} pictures, {total / 1000:.0f} kB\n")
        if total > MAX_TOTAL:
            raise SystemExit(f"the pictures are larger than {MAX_TOTAL / 1000:.0f} kB together")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
