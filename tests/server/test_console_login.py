"""Signing in to the console of a server with authentication."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.server.console_browser import watched
from tests.server.console_fake_web import fake_web, settings_of
from tests.server.http_server import http_server
from tests.server.test_access_control import make_key

CHROMIUM = shutil.which("chromium")
ADMIN = "an-admin-key-of-some-length"


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (apt install chromium)")
def test_an_api_key_signs_in_to_the_console_for_one_tab(tmp_path: Path) -> None:
    key = make_key(tmp_path, "--tenant", "acme", "--user", "alice", "--scope", "tool:echo")
    with (
        fake_web() as world,
        http_server(
            tmp_path, settings=settings_of(world) | {"API_KEYS": "on", "ADMIN_API_KEY": ADMIN}
        ) as client,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        base = str(client.base_url).rstrip("/")
        with watched(browser, base) as seen:
            page = seen.page
            page.goto(f"{base}/")
            dialog = page.get_by_role("dialog", name="Sign in")
            dialog.get_by_label("API key or access token").fill("wq_wrong")
            dialog.get_by_role("button", name="Sign in").click()
            expect(dialog).to_contain_text("key")
            dialog.get_by_label("API key or access token").fill(key)
            dialog.get_by_label("API key or access token").press("Enter")
            expect(page.locator("#health")).to_contain_text("alice")

            page.goto(f"{base}/console/playground")
            expect(page.locator("#tools a")).to_have_text(["echo"])
            page.goto(f"{base}/console/settings")
            page.get_by_label("Admin key").fill(ADMIN)
            page.get_by_role("button", name="Show settings").click()
            expect(page.locator("#settings")).to_contain_text("ADMIN_API_KEY")

            kept = page.evaluate("JSON.stringify([document.cookie, {...localStorage}])")
            assert kept == '["",{}]'
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
            # Chromium reports every refused request as an error of the page
            assert {fault[:23] for fault in seen.errors} == {"Failed to load resource"}
            seen.errors.clear()
        browser.close()
