"""DuckDuckGo's HTML page, the search that needs no key (https://html.duckduckgo.com/html/)."""

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, urlsplit

from webquarry.content.ranking.result_urls import is_web
from webquarry.content.text.query_operators import compose
from webquarry.errors import PayloadError
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import Reach
from webquarry.providers.provider import Keys, ProviderInfo

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

# one address may ask only so often before it is shown a captcha
_LIMITS = ApiLimits(timeout=8, deadline=12, tries=2, per_second=1, burst=3)
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept": "text/html",
    "Accept-Language": "en-US,en;q=0.5",
}
_SAFE = {"off": "-2", "medium": "-1", "high": "1"}
_PERIODS = {"hour": "d", "day": "d", "week": "w", "month": "m", "year": "y"}
_CAPTCHA = re.compile(rb"anomaly-modal|anomaly\.js|challenge-form|cc=botnet", re.IGNORECASE)
_PAUSE = 60.0
# DuckDuckGo's names of countries, with the language most people there search in
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
    """Searches the web without a key; it shows a captcha to those who ask too often."""

    about: ClassVar = ProviderInfo(
        name="duckduckgo",
        docs="https://duckduckgo.com/duckduckgo-help-pages/results/syntax",
        base_url="https://html.duckduckgo.com",
    )
    web_reach: ClassVar = Reach(
        most=25,
        honours=frozenset(
            ("time_range", "safe", "country", "sites", "exact_terms", "exclude_terms")
        ),
        values={"country": frozenset(_REGIONS)},
        roughly=frozenset({"time_range=hour"}),
        sites=10,
        chars=499,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        text = compose(
            query.text, sites=query.sites, exact=query.exact_terms, exclude=query.exclude_terms
        )
        params = {
            "q": text,
            "kl": _REGIONS.get(query.country or ""),
            "kp": _SAFE.get(query.safe or ""),
            "df": _PERIODS.get(query.time_range or ""),
        }
        response = await self._api.get("html/", params=params, headers=_HEADERS)
        if response.status == 202 or _CAPTCHA.search(response.content):
            raise self._api.limited(_PAUSE)
        return self._read(response)[: query.count]

    def _read(self, response: Response) -> list[WebResult]:
        # imported here because most starts never need a parser
        from webquarry.content.html.dom import parse_html, text_of

        root = parse_html(response.text)
        blocks = [] if root is None else [e for e in root.iter("div") if "result" in _classes(e)]
        if not blocks and b"no-results" not in response.content:
            raise self._unexpected()
        results: list[WebResult] = []
        for block in blocks:
            link, snippet = _part(block, "result__a"), _part(block, "result__snippet")
            url = _target(link.get("href") or "") if link is not None else ""
            if link is None or not is_web(url) or "result--ad" in _classes(block):
                continue
            told = text_of(snippet) if snippet is not None else ""
            results.append(WebResult(title=text_of(link), url=url, snippet=told))
        return results

    def _unexpected(self) -> PayloadError:
        return PayloadError(
            f"Unexpected answer ({self._api.name}): the page has no list of results. "
            "Try a different provider.",
            provider=self._api.name,
        )


def _classes(element: "Element") -> list[str]:
    return (element.get("class") or "").split()


def _part(block: "Element", name: str) -> "Element | None":
    return next((e for e in block.iter("a", "div", "td", "span") if name in _classes(e)), None)


def _target(href: str) -> str:
    """Return where a result leads, without the detour that counts clicks; empty for ads."""
    parts = urlsplit(href)
    if parts.path == "/l/":
        return next(iter(parse_qs(parts.query).get("uddg", ())), "")
    return "" if parts.path == "/y.js" else href
