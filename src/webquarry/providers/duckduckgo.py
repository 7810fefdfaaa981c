"""DuckDuckGo's HTML page, the search that needs no key (https://html.duckduckgo.com/html/)."""

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, urlsplit

from webquarry.content.ranking.result_urls import is_http_url
from webquarry.errors import PayloadError
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.providers.search_wire import with_operators

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

# a client that sends more requests gets a CAPTCHA
_LIMITS = ApiLimits(timeout=8, deadline=12, tries=2, per_second=1, burst=3)
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept": "text/html",
    "Accept-Language": "en-US,en;q=0.5",
}
_SAFE = {"off": "-2", "medium": "-1", "high": "1"}
_PERIODS = {"hour": "d", "day": "d", "week": "w", "month": "m", "year": "y"}
_CAPTCHA = re.compile(rb"anomaly-modal|anomaly\.js|challenge-form|cc=botnet", re.IGNORECASE)
_CAPTCHA_PAUSE = 60.0  # seconds
# DuckDuckGo's region codes, each with the main language of the country
_REGIONS = {
    "ar": "ar-es", "at": "at-de", "au": "au-en", "be": "be-nl", "bg": "bg-bg", "br": "br-pt",
    "ca": "ca-en", "ch": "ch-de", "cl": "cl-es", "cn": "cn-zh", "co": "co-es", "cz": "cz-cs",
    "de": "de-de", "dk": "dk-da", "ee": "ee-et", "es": "es-es", "fi": "fi-fi", "fr": "fr-fr",
    "gb": "uk-en", "gr": "gr-el", "hk": "hk-tzh", "hr": "hr-hr", "hu": "hu-hu", "id": "id-id",
    "ie": "ie-en", "il": "il-he", "in": "in-en", "it": "it-it", "jp": "jp-jp", "kr": "kr-kr",
    "lt": "lt-lt", "lv": "lv-lv", "mx": "mx-es", "my": "my-en", "nl": "nl-nl", "no": "no-no",
    "nz": "nz-en", "pe": "pe-es", "ph": "ph-en", "pl": "pl-pl", "pt": "pt-pt", "ro": "ro-ro",
    "ru": "ru-ru", "se": "se-sv", "sg": "sg-en", "si": "sl-sl", "sk": "sk-sk", "th": "th-th",
    "tr": "tr-tr", "tw": "tw-tzh", "ua": "ua-uk", "us": "us-en", "vn": "vn-vi", "za": "za-en",
}  # fmt: skip


class DuckDuckGo:
    """Searches the web without a key; too many requests lead to a CAPTCHA."""

    about: ClassVar = ProviderInfo(
        name="duckduckgo",
        docs="https://duckduckgo.com/duckduckgo-help-pages/results/syntax",
        base_url="https://html.duckduckgo.com",
    )
    web_support: ClassVar = SearchSupport(
        max_results=25,
        filters=frozenset(
            ("time_range", "safe", "country", "sites", "exact_terms", "exclude_terms")
        ),
        known_values={"country": frozenset(_REGIONS)},
        approximated=frozenset({"time_range=hour"}),
        max_sites=10,
        max_chars=499,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = with_operators(query)
        params = {
            "q": text,
            "kl": _REGIONS.get(query.country or ""),
            "kp": _SAFE.get(query.safe or ""),
            "df": _PERIODS.get(query.time_range or ""),
        }
        response = await self._api.get("html/", params=params, headers=_HEADERS)
        if response.status == 202 or _CAPTCHA.search(response.content):
            raise self._api.rate_limited(_CAPTCHA_PAUSE)
        results = await self._api.parse_page(read_results, response)
        if results is None:
            raise self._unexpected()
        return results[: query.count]

    def _unexpected(self) -> PayloadError:
        return PayloadError(
            f"Unexpected response ({self._api.name}): the page has no list of results. "
            "Try a different provider.",
            provider=self._api.name,
        )


def read_results(content: bytes) -> list[WebResult] | None:
    """Return the results of a page; None if it has no list of results."""
    # imported here because the HTML parser is slow to load
    from webquarry.content.html.dom import parse_html, text_of

    root = parse_html(content.decode())
    blocks = [] if root is None else [e for e in root.iter("div") if "result" in _classes(e)]
    if not blocks and b"no-results" not in content:
        return None
    results: list[WebResult] = []
    for block in blocks:
        link, snippet = _part(block, "result__a"), _part(block, "result__snippet")
        if link is None or "result--ad" in _classes(block):
            continue
        url = _target(link.get("href") or "")
        if is_http_url(url):
            text = text_of(snippet) if snippet is not None else ""
            results.append(WebResult(title=text_of(link), url=url, snippet=text))
    return results


def _classes(element: "Element") -> list[str]:
    return (element.get("class") or "").split()


def _part(block: "Element", name: str) -> "Element | None":
    return next((e for e in block.iter("a", "div", "td", "span") if name in _classes(e)), None)


def _target(href: str) -> str:
    """Return the URL of a result without the redirect that counts clicks; empty for ads."""
    parts = urlsplit(href)
    if parts.path == "/l/":
        return next(iter(parse_qs(parts.query).get("uddg", ())), "")
    return "" if parts.path == "/y.js" else href
