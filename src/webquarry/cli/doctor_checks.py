"""The checks of `webquarry doctor`, one function each."""

import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

from webquarry.app import App
from webquarry.errors import BrowserError, SettingsError, WebquarryError
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.settings.load import Settings
from webquarry.settings.tree import ignored_note

State = Literal["ok", "warn", "fail", "skip"]

LOW_DISK_BYTES = 2**30
MIN_DISK_BYTES = 200 * 2**20
MAX_CLOCK_SKEW = 30.0
PROBE = "https://www.wikidata.org/"


@dataclass(frozen=True)
class CheckResult:
    """The result of one check, and what to do if it failed."""

    name: str
    state: State
    what: str
    todo: str = ""


Check = Callable[[App], Awaitable[list[CheckResult]]]
_NO_CLOCK = CheckResult("clock", "skip", "skipped (no server to compare with)")


async def storage(app: App) -> list[CheckResult]:
    """Write, read and delete a value."""
    redis = bool(app.settings.cache.redis_url)
    name = "redis" if redis else "storage"
    start = time.perf_counter()
    try:
        store = app.services.store
        await store.set("health:doctor", b"well", ttl=60)
        stored = await store.get("health:doctor")
        await store.delete("health:doctor")
    except WebquarryError as exc:
        todo = "check REDIS_URL and that Redis runs" if redis else "check WEBQUARRY_DATA_DIR"
        return [CheckResult(name, "fail", str(exc), todo)]
    if stored is None or stored.value != b"well":
        return [CheckResult(name, "fail", "a stored value was not returned", "see its log")]
    milliseconds = 1000 * (time.perf_counter() - start)
    location = "Redis" if redis else str(app.settings.server.data_dir)
    return [CheckResult(name, "ok", f"{location} is writable ({milliseconds:.0f} ms)")]


async def disk(app: App) -> list[CheckResult]:
    """Check the free disk space."""
    directory = app.settings.server.data_dir
    parents = directory.absolute().parents
    existing = next(path for path in (directory, *parents) if path.exists())
    free = shutil.disk_usage(existing).free
    text = f"{free / 2**30:.1f} GiB free in {directory}"
    if free < MIN_DISK_BYTES:
        return [CheckResult("disk", "fail", text, "free some space or move WEBQUARRY_DATA_DIR")]
    if free < LOW_DISK_BYTES:
        return [CheckResult("disk", "warn", text, "crawls and caches may need more")]
    return [CheckResult("disk", "ok", text)]


async def exposure(app: App) -> list[CheckResult]:
    """Check who may use the server over HTTP."""
    from webquarry.server.exposure import LOOPBACK, check_exposure

    settings, auth = app.settings, app.settings.auth
    try:
        check_exposure(settings)
    except SettingsError as exc:
        return [CheckResult("access", "fail", str(exc))]
    credentials = ["access token"] if auth.oauth_issuer_url else []
    credentials += ["API key"] if auth.api_keys else []
    if credentials:
        return [CheckResult("access", "ok", f"clients need an {' or '.join(credentials)}")]
    if settings.server.host not in LOOPBACK:
        todo = "set API_KEYS=on or OAUTH_ISSUER_URL to require authentication"
        return [CheckResult("access", "warn", f"{settings.server.host} is open to everyone", todo)]
    return [CheckResult("access", "ok", "only this machine can use it over HTTP")]


async def keys(app: App) -> list[CheckResult]:
    """List the provider keys that are set."""
    names = sorted(app.settings.keys)
    if names:
        return [CheckResult("keys", "ok", f"set: {', '.join(names)}")]
    todo = "optional: .env.example lists the keys; many providers need none"
    return [CheckResult("keys", "warn", "no provider has a key", todo)]


async def chromium(app: App) -> list[CheckResult]:
    """Find the browser for pages that need JavaScript."""
    from webquarry.reading.browser.chromium import (
        DISABLED,
        DRIVER_MISSING,
        BrowserOptions,
        can_sandbox,
        find_program,
        is_driver_installed,
    )

    scraping = app.settings.scraping
    options = BrowserOptions(path=scraping.chrome_path, no_sandbox=scraping.chrome_no_sandbox)
    if scraping.chrome_path == DISABLED:
        return [CheckResult("chromium", "skip", "disabled (CHROME_PATH=disabled)")]
    todo = "without it, pages that need JavaScript cannot be read"
    if not is_driver_installed():
        return [CheckResult("chromium", "warn", DRIVER_MISSING, todo)]
    try:
        program = find_program(options)
    except BrowserError as exc:
        return [CheckResult("chromium", "warn", str(exc), todo)]
    if not can_sandbox(options):
        todo = "do not run as root, and unset CHROME_NO_SANDBOX"
        return [CheckResult("chromium", "warn", f"{program}, without its sandbox", todo)]
    return [CheckResult("chromium", "ok", program)]


async def network(app: App) -> list[CheckResult]:
    """Send a request to a well-known server, and compare its clock with ours."""
    try:
        request = ApiRequest(method="HEAD", url=PROBE, timeout=10)
        response = await app.services.network.http.send(request)
    except WebquarryError as exc:
        todo = "check the connection, DNS, HTTPS_PROXY and SSL_CERT_FILE"
        failed = CheckResult("network", "fail", f"could not reach {PROBE}: {exc}", todo)
        return [failed, _NO_CLOCK]
    reached = CheckResult("network", "ok", f"{PROBE} answered with status {response.status}")
    return [reached, clock(response.headers.get("date") or "", time.time())]


def clock(date: str, now: float) -> CheckResult:
    """Compare our clock with the Date header of a response."""
    try:
        skew = now - parsedate_to_datetime(date).timestamp()
    except ValueError:
        return _NO_CLOCK
    if abs(skew) > MAX_CLOCK_SKEW:
        todo = "start a time service (Debian: apt install systemd-timesyncd)"
        text = f"off by {skew:+.0f} s, so access tokens would be rejected"
        return CheckResult("clock", "fail", text, todo)
    return CheckResult("clock", "ok", f"correct within {max(1.0, abs(skew)):.0f} s")


async def issuer(app: App) -> list[CheckResult]:
    """Fetch the keys of the token issuer."""
    auth = app.settings.auth
    if not auth.oauth_issuer_url:
        return []
    from webquarry.auth.issuer_keys import IssuerKeys
    from webquarry.auth.principal import IssuerUnavailableError

    keys = IssuerKeys(auth.oauth_issuer_url, app.services.network.http)
    try:
        await keys.find("doctor", "RS256")
    except IssuerUnavailableError as exc:
        todo = "check that OAUTH_ISSUER_URL is exactly the issuer's URL"
        return [CheckResult("issuer", "fail", str(exc), todo)]
    return [CheckResult("issuer", "ok", f"{auth.oauth_issuer_url} publishes its keys")]


LOCAL_CHECKS: tuple[Check, ...] = (storage, disk, exposure, keys, chromium)
NETWORK_CHECKS: tuple[Check, ...] = (network, issuer)


def configuration(read: Callable[[], Settings]) -> tuple[Settings | None, CheckResult]:
    """Return the settings, or None if they are invalid, and the result of the check."""
    try:
        settings = read()
    except SettingsError as exc:
        todo = "`webquarry config` shows where each value comes from"
        return None, CheckResult("settings", "fail", str(exc), todo)
    valid = f"{len(settings.sources)} changed, all valid"
    return settings, CheckResult("settings", "ok", valid, ignored_note(settings))
