"""One person's login never shows in another's result, cache, index, log, artifact or bundle."""

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.net.servers import serve
from tests.reading.browsing.sample_apps import PRIVATE_TITLE, sample_apps
from tests.reading.chromium import needs_chromium
from tests.support import text_of
from webquarry.app import App, open_app
from webquarry.models.caller import Caller
from webquarry.models.login import LoginCookie, StoredLogin
from webquarry.models.result import Result
from webquarry.settings.load import load
from webquarry.storage.exchange_store import CaptureGroup, ExchangeStore

pytestmark = pytest.mark.anyio

ADA = Caller(tenant="t", user="ada", transport="http", proved=True)
BOB = Caller(tenant="t", user="bob", transport="http", proved=True)
NOBODY = Caller(tenant="t", transport="http")
COOKIE = "s3cr3t-cookie"
READERS = ("scrape_page", "cinder_scrape")


@asynccontextmanager
async def open_captured(folder: Path, **settings: str) -> AsyncGenerator[App]:
    """Open the application with everything that could remember a page turned on."""
    environ = {
        "WEBQUARRY_DATA_DIR": str(folder / "data"),
        "TOOLSETS": "all",
        "CAPTURE": "on",
        "LOCAL_INDEX": "on",
        "ALLOW_PRIVATE_IPS": "on",
        "LOG_LEVEL": "debug",
        **settings,
    }
    async with open_app(load(environ=environ, directory=folder), "http") as app:
        yield app


async def sign_in(app: App, caller: Caller, cookie: str = COOKIE) -> None:
    login = StoredLogin(
        host="127.0.0.1",
        source="browser",
        stored_at=time.time(),
        expires_at=time.time() + 600,
        cookies=(LoginCookie(name="session", value=cookie),),
    )
    await app.services.logins.save(caller, login)


async def call(app: App, tool: str, caller: Caller, **arguments: Any) -> Result:
    return await app.path.call(tool, arguments, caller)


@pytest.mark.parametrize("tool", READERS)
async def test_a_login_reads_for_its_owner_only(tmp_path: Path, tool: str) -> None:
    settings = {"CHROME_PATH": "disabled"}
    async with serve(sample_apps) as site, open_captured(tmp_path, **settings) as app:
        await sign_in(app, ADA)
        url = site.url("/private")
        own = await call(app, tool, ADA, url=url)
        others = [await call(app, tool, caller, url=url) for caller in (BOB, NOBODY)]
        again = await call(app, tool, ADA, url=url)

    assert PRIVATE_TITLE in text_of(own)
    assert PRIVATE_TITLE in text_of(again)
    assert [PRIVATE_TITLE in other.model_dump_json() for other in others] == [False, False]
    assert "Read with your login for 127.0.0.1" in own.model_dump_json() or tool != "scrape_page"


async def test_nothing_keeps_what_was_read_with_a_login(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    settings = {"CHROME_PATH": "disabled"}
    async with serve(sample_apps) as site, open_captured(tmp_path, **settings) as app:
        await sign_in(app, ADA)
        url = site.url("/private")
        public = site.url("/public")
        for tool in READERS:
            await call(app, tool, ADA, url=url)
        await call(app, "scrape_page", BOB, url=public)  # is kept: the test can fail
        await app.services.reading.close()
        await app.path.close()
        await app.services.capturing.flush()
        store = app.services.store
        kept = [key async for key in store.scan("") if key.startswith(("cache:", "page:"))]
        pages = [page.url for owner in ("ada", "bob") for page in await _indexed(app, owner)]
        captured = [
            stored.exchange.url
            for owner in ("ada", "bob")
            async for stored in ExchangeStore(store).heads(CaptureGroup("t", owner, "calls"))
        ]
        values = [(await store.get(key)) for key in kept]

    assert [PRIVATE_TITLE.encode() in entry.value for entry in values if entry] == [False] * len(
        kept
    )
    assert len(kept) == 1
    assert url not in pages
    assert url not in captured
    assert public in captured
    logged = caplog.text
    assert COOKIE not in logged
    assert PRIVATE_TITLE not in logged


async def _indexed(app: App, owner: str) -> list[Any]:
    index = app.services.page_index
    assert index
    return list(await index.pages(tenant="t", owner=owner))


async def test_the_cookie_is_in_no_file_in_plain_text(tmp_path: Path) -> None:
    settings = {"CHROME_PATH": "disabled"}
    async with serve(sample_apps) as site, open_captured(tmp_path, **settings) as app:
        await sign_in(app, ADA)
        await call(app, "scrape_page", ADA, url=site.url("/private"))
    assert files_with(tmp_path, "") != []
    assert files_with(tmp_path, COOKIE) == []
    assert files_with(tmp_path, PRIVATE_TITLE) == []


def files_with(folder: Path, text: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if text.encode() in path.read_bytes()]


async def test_a_login_is_sent_to_its_host_only(tmp_path: Path) -> None:
    settings = {"CHROME_PATH": "disabled"}

    async def elsewhere(request: Any) -> None:
        await request.respond(200, b"<title>x</title>" + b"<p>word </p>" * 60,
                              content_type="text/html")  # fmt: skip

    async with (
        serve(elsewhere) as other,
        open_captured(tmp_path, **settings) as app,
    ):
        await sign_in(app, ADA)

        async def redirect(request: Any) -> None:
            await request.respond(302, location=other.url("/", host="localhost"))

        async with serve(redirect) as site:
            result = await call(app, "scrape_page", ADA, url=site.url("/private"))

    assert ["cookie" in request.headers for request in other.requests] in ([], [False])
    assert result.is_error


async def kept_pages(app: App, prefix: str) -> list[str]:
    """Return what caches, index and captures keep of URLs that start so."""
    await app.services.reading.close()
    await app.path.close()
    await app.services.capturing.flush()
    store = app.services.store
    kept = [key async for key in store.scan("") if key.startswith(("cache:", "page:"))]
    values = [entry.value for key in kept if (entry := await store.get(key))]
    found = [value.decode("utf-8", "replace")[:200] for value in values if prefix.encode() in value]
    for owner in ("ada", "bob"):
        found += [page.url for page in await _indexed(app, owner) if page.url.startswith(prefix)]
        heads = ExchangeStore(store).heads(CaptureGroup("t", owner, "calls"))
        urls = [stored.exchange.url async for stored in heads]
        if owner == "ada":  # what others read without a login is theirs to keep
            found += [url for url in urls if url.startswith(prefix)]
    return found


@needs_chromium
async def test_a_session_in_the_browser_uses_the_login_of_its_owner(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_captured(tmp_path) as app:
        await sign_in(app, ADA)
        url = site.url("/private")
        own = await call(app, "browse_page", ADA, url=url)
        other = await call(app, "browse_page", BOB, url=url)
        assert own.structured
        stolen = await call(app, "browse_page", BOB, session=own.structured["session"])
        await app.services.capturing.flush()
        heads = ExchangeStore(app.services.store).heads(CaptureGroup("t", "ada", "calls"))
        captured = [stored.exchange.url async for stored in heads]

    assert PRIVATE_TITLE in text_of(own)
    assert own.structured["signedIn"] == "127.0.0.1"
    assert PRIVATE_TITLE not in other.model_dump_json()
    assert stolen.is_error
    assert captured == []


@needs_chromium
async def test_an_expired_login_is_reported_with_what_to_do(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_captured(tmp_path) as app:
        await sign_in(app, ADA, cookie="old")
        result = await call(app, "scrape_page", ADA, url=site.url("/private"))

    assert result.is_error
    assert "webquarry login" in text_of(result)
