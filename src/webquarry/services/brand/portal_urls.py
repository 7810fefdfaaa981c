"""Where companies keep their brand pages: five hosts and twenty-one paths, asked side by side."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urlsplit

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.errors import NetworkError, WebquarryError
from webquarry.net.fetch import FetchedResponse
from webquarry.net.url import Url, parse
from webquarry.services.brand.page_fetch import BrandPageFetcher

HOSTS = ("brand", "press", "newsroom", "media", "design")
PATHS = (
    "/brand", "/brand-guidelines", "/brandbook", "/brand-center", "/brand-assets", "/press",
    "/presskit", "/press-kit", "/press-room", "/newsroom", "/media", "/media-kit", "/mediakit",
    "/design", "/design-system", "/styleguide", "/style-guide", "/guidelines", "/identity",
    "/visual-identity", "/about/brand",
)  # fmt: skip
# pages that say so in their name come before those that mostly hold news
_PLAIN = ("brand", "design", "style", "guidelines", "identity", "presskit", "press-kit",
          "media-kit", "mediakit")  # fmt: skip
NOWHERE = "/a-page-that-nobody-has-written"  # a site that has this one has any
_AT_ONCE = 8
_DEADLINE = 20.0
_REFUSED = frozenset({401, 403, 429, 451, 503})


@dataclass(frozen=True)
class ProbedUrl:
    """What the probes met."""

    live: tuple[str, ...]  # best first, after redirects
    unsure: tuple[str, ...]  # may exist: they refused us or did not answer
    anything: bool = False  # the site answers to any path


def candidates(home: Url) -> tuple[str, ...]:
    """Return the addresses to try, best first."""
    domain = registrable_domain(home.site)
    port = urlsplit(home.origin).port
    suffix = f":{port}" if port else ""
    hosts = [f"{home.scheme}://{name}.{domain}{suffix}/" for name in HOSTS] if domain else []
    paths = sorted(PATHS, key=lambda path: not _is_plain(path))
    return (*(h for h in hosts if parse(h).host != home.host), *(home.origin + p for p in paths))


async def probe(looking: BrandPageFetcher, home: Url) -> ProbedUrl:
    """Return which of the candidates are there, by what they answer to a HEAD request."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(url: str) -> FetchedResponse | WebquarryError:
        async with gate:
            try:
                return await looking.head(url)
            except WebquarryError as error:
                return error

    wanted = (*candidates(home), home.origin + NOWHERE)
    tasks = {url: asyncio.create_task(ask(url)) for url in wanted}
    try:
        await asyncio.wait(tasks.values(), timeout=_DEADLINE)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
    answers = {url: None if task.cancelled() else task.result() for url, task in tasks.items()}
    nowhere = answers.pop(home.origin + NOWHERE)
    live = [_arrived(url, answer, home) for url, answer in answers.items()]
    return ProbedUrl(
        live=tuple(dict.fromkeys(filter(None, live))),
        unsure=tuple(url for url, answer in answers.items() if _is_unsure(answer)),
        anything=isinstance(nowhere, FetchedResponse) and nowhere.status == 200,
    )


def is_plain(url: str) -> bool:
    """Tell whether an address says that it is about a brand."""
    parts = urlsplit(url)
    return _is_plain(parts.path) or (parts.hostname or "").startswith(("brand.", "design."))


def _is_plain(path: str) -> bool:
    return any(word in path for word in _PLAIN)


def _arrived(url: str, answer: FetchedResponse | WebquarryError | None, home: Url) -> str | None:
    """Return where a probe ended; None for the homepage, another host, or nothing."""
    if not isinstance(answer, FetchedResponse) or answer.status != 200:
        return None
    asked, there = parse(url), parse(answer.url)
    if _bare(there.host) != _bare(asked.host):
        return None
    path = urlsplit(there.href).path.rstrip("/")
    is_home = _bare(there.host) == _bare(home.host) and path in ("", urlsplit(home.href).path)
    return None if is_home or (path == "" and urlsplit(url).path != "/") else there.href


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def _is_unsure(answer: FetchedResponse | WebquarryError | None) -> bool:
    if isinstance(answer, FetchedResponse):
        return answer.status in _REFUSED or answer.status >= 500
    if isinstance(answer, NetworkError):  # a host that does not exist is certainly not there
        return answer.details.get("detail") not in ("dns_no_such_name", "connection_refused")
    return answer is None
