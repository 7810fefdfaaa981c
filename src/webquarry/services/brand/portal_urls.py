"""Probes the hosts and paths where companies publish their brand pages."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urlsplit

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.errors import NetworkError, WebquarryError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.url import Url, parse
from webquarry.services.brand.page_fetch import BrandPageFetcher
from webquarry.services.time_limit import run_within

HOSTS = ("brand", "press", "newsroom", "media", "design")
PATHS = (
    "/brand", "/brand-guidelines", "/brandbook", "/brand-center", "/brand-assets", "/press",
    "/presskit", "/press-kit", "/press-room", "/newsroom", "/media", "/media-kit", "/mediakit",
    "/design", "/design-system", "/styleguide", "/style-guide", "/guidelines", "/identity",
    "/visual-identity", "/about/brand",
)  # fmt: skip
# URLs with these words come before those that are mostly news
_BRAND_WORDS = ("brand", "design", "style", "guidelines", "identity", "presskit", "press-kit",
          "media-kit", "mediakit")  # fmt: skip
MISSING_PATH = "/a-page-that-nobody-has-written"  # a site that has this page accepts any path
_MAX_CONCURRENT = 8
_DEADLINE = 20.0
_REFUSED = frozenset({401, 403, 429, 451, 503})


@dataclass(frozen=True)
class ProbeResult:
    """The outcome of probing a site."""

    live: tuple[str, ...]  # best first, after redirects
    uncertain: tuple[str, ...]  # may exist: refused, or no response
    accepts_any_path: bool = False  # the site returns a page for any path


def candidates(home: Url) -> tuple[str, ...]:
    """Return the URLs to try, best first."""
    domain = registrable_domain(home.site)
    port = urlsplit(home.origin).port
    suffix = f":{port}" if port else ""
    hosts = [f"{home.scheme}://{name}.{domain}{suffix}/" for name in HOSTS] if domain else []
    paths = sorted(PATHS, key=lambda path: not _path_names_brand(path))
    return (*(h for h in hosts if parse(h).host != home.host), *(home.origin + p for p in paths))


async def probe(fetcher: BrandPageFetcher, home: Url) -> ProbeResult:
    """Return which candidates exist, by HEAD requests."""
    slots = asyncio.Semaphore(_MAX_CONCURRENT)
    supported = await fetcher.supports_head(home.href)

    async def head(url: str) -> FetchedResponse | WebquarryError:
        async with slots:
            try:
                # other hosts of the company may be other servers
                same_host = parse(url).host == home.host
                return await fetcher.head(url, supported=supported and same_host)
            except WebquarryError as error:
                return error

    urls = (*candidates(home), home.origin + MISSING_PATH)
    responses = await run_within(_DEADLINE, {url: head(url) for url in urls})
    missing = responses.pop(home.origin + MISSING_PATH)
    live = [_final_url(url, response, home) for url, response in responses.items()]
    return ProbeResult(
        live=tuple(dict.fromkeys(filter(None, live))),
        uncertain=tuple(url for url, response in responses.items() if _is_uncertain(response)),
        accepts_any_path=isinstance(missing, FetchedResponse) and missing.status == 200,
    )


def names_brand(url: str) -> bool:
    """Tell whether a URL names brand, design or guidelines."""
    parts = urlsplit(url)
    return _path_names_brand(parts.path) or (parts.hostname or "").startswith(("brand.", "design."))


def _path_names_brand(path: str) -> bool:
    return any(word in path for word in _BRAND_WORDS)


def _final_url(
    url: str, response: FetchedResponse | WebquarryError | None, home: Url
) -> str | None:
    """Return the URL after redirects; None for the homepage, another host, or a failure."""
    if not isinstance(response, FetchedResponse) or response.status != 200:
        return None
    final = parse(response.url)
    host = _without_www(final.host)
    if host != _without_www(parse(url).host):
        return None
    path = urlsplit(final.href).path.rstrip("/")
    is_home = host == _without_www(home.host) and path in ("", urlsplit(home.href).path)
    is_redirected_to_root = path == "" and urlsplit(url).path != "/"
    return None if is_home or is_redirected_to_root else final.href


def _without_www(host: str) -> str:
    return host.removeprefix("www.")


def _is_uncertain(response: FetchedResponse | WebquarryError | None) -> bool:
    if isinstance(response, FetchedResponse):
        return response.status in _REFUSED or response.status >= 500
    if isinstance(response, NetworkError):  # a host that does not exist has no portal
        return response.details.get("detail") not in ("dns_no_such_name", "connection_refused")
    return response is None
