"""`webquarry login`: signs in to a site in a browser window, for reading with that login."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from webquarry.cli.options import AsJson, single_command
from webquarry.cli.terminal import has_display
from webquarry.errors import BadInputError
from webquarry.settings.value_types import duration

if TYPE_CHECKING:
    from webquarry.app import App
    from webquarry.models.login import StoredLogin

T = TypeVar("T")
_LIFETIME = duration("1m", "365d")
_EXAMPLES = (
    "webquarry login https://news.example.org",
    "webquarry login https://news.example.org --cookies cookies.txt",
    "webquarry login --list",
    "webquarry login --revoke news.example.org",
)
_CONSENT = """\
You sign in to {host} yourself. The cookies and the local storage of {host} are then stored on this
machine, encrypted, for the user {user}, until {until}. Only what {user} reads of {host}
uses them: such pages are in no cache, index or bundle. `webquarry login --revoke {host}` deletes
them. Whoever can use Webquarry as {user} can read what you can read there."""
_DEBUGGING = """\
There is no display here, so the browser has no window. Operate it from another computer:
  ssh -L {port}:127.0.0.1:{port} THIS_MACHINE
and open chrome://inspect there (Configure: localhost:{port}), then click "inspect"."""


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(login, _EXAMPLES)


# Typer needs a parameter for each option
def login(  # noqa: PLR0913
    url: Annotated[
        str | None, typer.Argument(help="Page on which to sign in.", metavar="URL")
    ] = None,
    *,
    listed: Annotated[bool, typer.Option("--list", help="List the stored logins.")] = False,
    revoke: Annotated[str | None, typer.Option(help="Delete the login for this host.")] = None,
    state: Annotated[
        Path | None, typer.Option(help="Import the login from a storage state file of Playwright.")
    ] = None,
    cookies: Annotated[
        Path | None, typer.Option(help="Import the login from a cookies file (Netscape format).")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="How long to keep the login, e.g. 7d.")
    ] = None,
    debugging_port: Annotated[
        int,
        typer.Option(
            help="Local port for controlling a browser that has no window (0: choose one)."
        ),
    ] = 0,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    as_json: AsJson = False,
) -> None:
    """Sign in to a site, so that Webquarry reads its pages as you see them."""
    if listed:
        _print_list(_run(_list), as_json=as_json)
    elif revoke:
        _run(lambda app: app.services.logins.revoke(app.owner, revoke.lower()))
        typer.echo(f"Deleted the login for {revoke.lower()}.")
    elif url:
        if state and cookies:
            raise BadInputError("--state and --cookies: give one of them")
        source = _Source(url, state, cookies, debugging_port or _default_port())
        _run(lambda app: _store(app, source, _seconds(expires), agreed=yes, as_json=as_json))
    else:
        raise BadInputError("give the URL to sign in at, --list, or --revoke HOST")


class _Source:
    """Where a login comes from: a person in a browser, or a file."""

    def __init__(
        self, url: str, state: Path | None, cookies: Path | None, debugging_port: int
    ) -> None:
        from webquarry.net.url import parse

        self.url = parse(url if "://" in url else f"https://{url}")
        self._state = state
        self._cookies = cookies
        self._debugging_port = debugging_port

    async def login(self, app: "App", ttl: float) -> "StoredLogin":
        """Return the login."""
        from webquarry.reading.signed_in import login_files

        host, now = self.url.host, time.time()
        if self._state:
            return login_files.login_from_state(_text(self._state), host, now=now, ttl=ttl)
        if self._cookies:
            return login_files.login_from_cookies(_text(self._cookies), host, now=now, ttl=ttl)
        stored = await self._from_browser(app)
        return login_files.login_from_context(stored, host, now=now, ttl=ttl)

    async def _from_browser(self, app: "App") -> Any:
        from webquarry.reading.browser.chromium import BrowserOptions
        from webquarry.reading.signed_in.login_window import LoginWindow

        options = app.settings.scraping
        window = LoginWindow(
            guard=app.services.network.guard,
            options=BrowserOptions(
                path=options.chrome_path, no_sandbox=options.chrome_no_sandbox, images=True
            ),
            debugging_port=self._debugging_port,
        )
        return await window.storage_state(self.url.href, self._wait)

    async def _wait(self, _: Any) -> None:
        if self._debugging_port:
            typer.echo(_DEBUGGING.format(port=self._debugging_port), err=True)
        typer.echo("Press Enter here when you have signed in.", err=True)
        await asyncio.to_thread(sys.stdin.readline)


async def _store(
    app: "App", source: _Source, ttl: float | None, *, agreed: bool, as_json: bool
) -> None:
    from webquarry.errors import ForbiddenError
    from webquarry.storage.logins import described

    logins, owner, host = app.services.logins, app.owner, source.url.host
    if reason := logins.why_not(owner):
        raise ForbiddenError(f"No login is stored: {reason}.")
    ttl = min(ttl or app.settings.browsing.login_ttl, app.settings.browsing.login_ttl)
    until = _day(time.time() + ttl)
    typer.echo(_CONSENT.format(host=host, user=owner.user, until=until), err=True)
    if not agreed and not await asyncio.to_thread(typer.confirm, "Do you agree?", err=True):
        raise typer.Exit(1)
    login = await source.login(app, ttl)
    await logins.save(owner, login)
    if as_json:
        typer.echo(json.dumps(described(login), indent=2))
    else:
        count = len(login.cookies) + len(login.local_storage)
        typer.echo(f"Stored the login for {host} ({count} values) until {until}.")


async def _list(app: "App") -> "list[StoredLogin]":
    return await app.services.logins.list_for(app.owner.tenant, app.owner.user)


def _print_list(logins: "list[StoredLogin]", *, as_json: bool) -> None:
    from webquarry.storage.logins import described

    if as_json:
        typer.echo(json.dumps([described(login) for login in logins], indent=2))
        return
    if not logins:
        typer.echo("No logins yet. Store one with `webquarry login URL`.")
    for login in logins:
        stored, expires = _day(login.stored_at), _day(login.expires_at)
        typer.echo(f"{login.host}  stored {stored} ({login.source})  expires {expires}")


def _run(work: "Callable[[App], Awaitable[T]]") -> T:
    async def run() -> T:
        from webquarry.app import open_app
        from webquarry.serving import read_call_settings

        async with open_app(read_call_settings({}), "cli") as app:
            return await work(app)

    return asyncio.run(run())


def _default_port() -> int:
    """Return a port where no window can be opened; 0 where one can."""
    return 0 if has_display() else 9222


def _seconds(expires: str | None) -> float | None:
    try:
        return None if expires is None else _LIFETIME.read(expires)
    except ValueError:
        raise BadInputError(f"--expires is {expires!r}; accepted: {_LIFETIME.accepts}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read: {error}") from error


def _day(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, UTC).date().isoformat()
