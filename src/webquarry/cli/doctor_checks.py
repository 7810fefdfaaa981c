"""What can be wrong with an installation, each looked at by one function."""

import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

from webquarry.app import App
from webquarry.errors import BrowserError, SettingsError, WebquarryError
from webquarry.net.upstream.http_port import Request
from webquarry.settings.load import Settings

State = Literal["ok", "warn", "fail", "skip"]

ENOUGH_DISK = 2**30
LITTLE_DISK = 200 * 2**20
MOST_SKEW = 30.0
PROBE = "https://www.wikidata.org/"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class CheckResult:
    """The state of one thing, and what to do when it is not well."""

    name: str
    state: State
    what: str
    todo: str = ""


Check = Callable[[App], Awaitable[list[CheckResult]]]


async def storage(app: App) -> list[CheckResult]:
    """Write, read and delete something."""
    redis = bool(app.settings.cache.redis_url)
    name = "redis" if redis else "storage"
    begun = time.perf_counter()
    try:
        store = app.parts.store
        await store.set("health:doctor", b"well", ttl=60)
        kept = await store.get("health:doctor")
        await store.delete("health:doctor")
    except WebquarryError as exc:
        todo = "check REDIS_URL and that the server runs" if redis else "check WEBQUARRY_DATA_DIR"
        return [CheckResult(name, "fail", str(exc), todo)]
    if kept is None or kept.value != b"well":
        return [CheckResult(name, "fail", "what was stored did not come back", "look at its log")]
    spent = 1000 * (time.perf_counter() - begun)
    where = "Redis" if redis else str(app.settings.server.data_dir)
    return [CheckResult(name, "ok", f"{where} keeps what it is given ({spent:.0f} ms)")]


async def disk(app: App) -> list[CheckResult]:
    """Look at the space that is left."""
    place = app.settings.server.data_dir
    there = next(path for path in (place, *place.absolute().parents) if path.exists())
    free = shutil.disk_usage(there).free
    what = f"{free / 2**30:.1f} GiB free in {place}"
    if free < LITTLE_DISK:
        return [CheckResult("disk", "fail", what, "free some space or move WEBQUARRY_DATA_DIR")]
    if free < ENOUGH_DISK:
        return [CheckResult("disk", "warn", what, "crawls and caches may need more")]
    return [CheckResult("disk", "ok", what)]


async def exposure(app: App) -> list[CheckResult]:
    """Look at who may use the server over HTTP."""
    from webquarry.wiring.build_http_access import check_exposure

    settings, auth = app.settings, app.settings.auth
    try:
        check_exposure(settings)
    except SettingsError as exc:
        return [CheckResult("access", "fail", str(exc), "choose one of these")]
    ways = [
        way
        for way, on in (("tokens", bool(auth.oauth_issuer_url)), ("API keys", auth.api_keys))
        if on
    ]
    if ways:
        return [CheckResult("access", "ok", f"callers need {' or '.join(ways)}")]
    if settings.server.host not in _LOOPBACK:
        todo = "set API_KEYS=on or OAUTH_ISSUER_URL unless that is what you want"
        return [CheckResult("access", "warn", f"{settings.server.host} is open to everyone", todo)]
    return [CheckResult("access", "ok", "only this machine can use it over HTTP")]


async def keys(app: App) -> list[CheckResult]:
    """Look at which providers can be asked."""
    found = sorted(app.settings.keys)
    if found:
        return [CheckResult("keys", "ok", f"set: {', '.join(found)}")]
    todo = "see .env.example; keyless sources work without any"
    return [CheckResult("keys", "warn", "no provider has a key", todo)]


async def chromium(app: App) -> list[CheckResult]:
    """Look for the browser that reads pages made by scripts."""
    from webquarry.reading.browser.chromium import DISABLED, BrowserOptions, find, may_sandbox

    wanted = app.settings.scraping
    wish = BrowserOptions(path=wanted.chrome_path, sandbox=not wanted.chrome_no_sandbox)
    if wanted.chrome_path == DISABLED:
        return [CheckResult("chromium", "skip", "turned off (CHROME_PATH=disabled)")]
    try:
        program = find(wish)
    except BrowserError as exc:
        return [CheckResult("chromium", "warn", str(exc), "pages made by scripts stay unread")]
    if not may_sandbox(wish):
        todo = "run as another user than root, and without CHROME_NO_SANDBOX"
        return [CheckResult("chromium", "warn", f"{program}, without its sandbox", todo)]
    return [CheckResult("chromium", "ok", program)]


async def network(app: App) -> list[CheckResult]:
    """Ask a well-known place, and compare clocks with it."""
    try:
        request = Request(method="HEAD", url=PROBE, timeout=10)
        answer = await app.parts.network.http.send(request)
    except WebquarryError as exc:
        todo = "check the connection, DNS, HTTPS_PROXY and SSL_CERT_FILE"
        return [
            CheckResult("network", "fail", f"{PROBE} did not answer: {exc}", todo),
            CheckResult("clock", "skip", "there is nobody to compare it with"),
        ]
    reached = CheckResult("network", "ok", f"{PROBE} answered {answer.status}")
    return [reached, clock_finding(answer.headers.get("date") or "", time.time())]


def clock_finding(date: str, now: float) -> CheckResult:
    """Compare our clock with the date of an answer."""
    try:
        skew = now - parsedate_to_datetime(date).timestamp()
    except ValueError:
        return CheckResult("clock", "skip", "there is nobody to compare it with")
    if abs(skew) > MOST_SKEW:
        todo = "start a time service (Debian: apt install systemd-timesyncd)"
        return CheckResult("clock", "fail", f"is {skew:+.0f} s off: tokens would be refused", todo)
    return CheckResult("clock", "ok", f"is right within {max(1.0, abs(skew)):.0f} s")


async def issuer(app: App) -> list[CheckResult]:
    """Fetch the keys of the token issuer."""
    auth = app.settings.auth
    if not auth.oauth_issuer_url:
        return []
    from webquarry.auth.issuer_keys import IssuerKeys
    from webquarry.auth.principal import IssuerUnavailableError

    found = IssuerKeys(auth.oauth_issuer_url, app.parts.network.http)
    try:
        await found.find("doctor", "RS256")
    except IssuerUnavailableError as exc:
        todo = "check OAUTH_ISSUER_URL: it must be the issuer's exact name"
        return [CheckResult("issuer", "fail", str(exc), todo)]
    return [CheckResult("issuer", "ok", f"{auth.oauth_issuer_url} publishes its keys")]


HERE: tuple[Check, ...] = (storage, disk, exposure, keys, chromium)
ABROAD: tuple[Check, ...] = (network, issuer)


def configuration(read: Callable[[], Settings]) -> tuple[Settings | None, CheckResult]:
    """Read the settings and say what is wrong with them."""
    try:
        settings = read()
    except SettingsError as exc:
        todo = "`webquarry config` shows where each value comes from"
        return None, CheckResult("settings", "fail", str(exc), todo)
    return settings, CheckResult("settings", "ok", f"{len(settings.sources)} set, none wrong")
