"""A real browser scrolls to the passage of every text-fragment link that we build."""

import html
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from webquarry.content.claims.text_fragments import PageText, TextSpan, with_fragment

pytestmark = pytest.mark.anyio

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FILLER = [f"Filler {number} about the weather and nothing else." for number in range(50)]
PASSAGES = {
    "marks": "The well-known, rare & old owl said: “50 % of mice” (really).",
    "capitals": "OWLS HUNT AT NIGHT, they say.",
    "same-but-case": "Some write: Owls hunt at night, they say.",
    "japanese": "富士山の最後の噴火は、1707年12月16日に始まった宝永噴火です。",
    "accents": "Ünïcödé Straße, naïve café at 3.14 €, don't you think?",
    "address": "Emoji 🦉 owl, and a/b?c=d#e%20f.",
    "arabic": "مرحبا بالعالم هذا نص عربي.",
    "long": " ".join(f"longword{number} and so on" for number in range(60)),
    "plain": "Say it again.",
    "in-context": "Before this: Say it again. After that.",
}


class _Page(BaseHTTPRequestHandler):
    # the base class prescribes the name
    def do_GET(self) -> None:
        filler = "".join(f"<p>{line}</p>" for line in FILLER)
        passages = "".join(
            f'<p id="{name}">{html.escape(text)}</p>{filler}' for name, text in PASSAGES.items()
        )
        table = '<table><tr><td id="cells">Barn owl</td><td>300 g</td></tr></table>'
        body = f"<!doctype html><meta charset=utf-8>{filler}{passages}{table}{filler}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    # the base class prescribes the parameter name
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture
def page_url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def _links(page_url: str) -> dict[str, str]:
    filler = "\n".join(FILLER)
    passages = {**PASSAGES, "cells": "Barn owl\n300 g"}
    page = PageText("\n".join([filler, *(f"{text}\n{filler}" for text in passages.values())]))
    links: dict[str, str] = {}
    start = 0
    for name, text in passages.items():
        start = page.text.index(f"\n{text}\n", start) + 1
        directive = page.directive_for(TextSpan(start, start + len(text)))
        assert directive, name
        links[name] = with_fragment(page_url, directive)
    return links


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_a_browser_scrolls_to_the_passage(page_url: str) -> None:
    from playwright.async_api import TimeoutError as PageTimeoutError
    from playwright.async_api import async_playwright

    scrolled: dict[str, bool] = {}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 800, "height": 600})
        for name, link in _links(page_url).items():
            await page.goto(
                "about:blank"
            )  # otherwise only the fragment changes, and the page is not loaded
            await page.goto(link)
            is_visible = f"scrollY > 0 && Math.abs(document.getElementById('{name}')\
                .getBoundingClientRect().top - 300) < 300"
            try:
                await page.wait_for_function(is_visible, timeout=5000)
                scrolled[name] = True
            except PageTimeoutError:
                scrolled[name] = False
        await browser.close()

    assert scrolled == dict.fromkeys([*PASSAGES, "cells"], True)
