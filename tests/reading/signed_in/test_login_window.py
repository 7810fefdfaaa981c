"""A person signs in through a browser; the login then reads what they see."""

import socket
import time
from typing import Any

import pytest

from tests.net.servers import serve
from tests.reading.browsing.sample_apps import sample_apps
from tests.reading.chromium import guard, needs_chromium
from webquarry.models.login import LoginCookie
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.signed_in.login_files import login_from_context
from webquarry.reading.signed_in.login_window import LoginWindow

pytestmark = [pytest.mark.anyio, needs_chromium]


async def test_what_the_browser_stores_while_a_person_signs_in_is_the_login(
    unused_port: int,
) -> None:
    async def person(context: Any) -> None:
        [page] = context.pages
        await page.get_by_label("Name").fill("ada")
        await page.get_by_label("Password").fill("hunter2")
        await page.get_by_role("button").click()
        await page.wait_for_url("**/private")
        await page.evaluate("localStorage.setItem('theme', 'dark')")

    async with serve(sample_apps) as site, guard() as network_guard:
        window = LoginWindow(
            guard=network_guard, options=BrowserOptions(images=True), debugging_port=unused_port
        )
        state = await window.storage_state(site.url("/login"), person)
        origin = site.url("")
    login = login_from_context(state, "127.0.0.1", now=time.time(), ttl=60)

    cookie = LoginCookie(name="session", value="s3cr3t-cookie", http_only=True)
    assert login.cookies == (cookie,)
    assert (login.local_storage, login.origin) == ({"theme": "dark"}, origin)
    assert login.source == "browser"


@pytest.fixture
def unused_port() -> int:
    """Return a port that nobody listens on."""

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
