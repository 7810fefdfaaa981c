"""The options of Jina Reader: headers of the request, or fields of its body."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from starlette.requests import Request

from webquarry.errors import BadInputError
from webquarry.server.compat.vendor_body import VendorBody, given_fields, parse_body, unknown_fields

Json = dict[str, Any]

_FALSE = frozenset({"", "0", "false", "no", "none", "null"})
_CONTENTS = frozenset({"content", "markdown", "html", "text", "screenshot", "pageshot"})
# they would have an effect that the client relies on: never left out in silence
_REFUSED = {
    "setCookies": "cookies are not sent for one page here; crawl with cookies at /v1/crawl",
    "proxyUrl": "one page is not read through a proxy of the client; use proxies at /v1/crawl",
    "html": "HTML of the client is not converted here; send a URL",
    "pdf": "files of the client are not converted here; send a URL",
    "injectPageScript": "scripts of the client are not run",
    "injectFrameScript": "scripts of the client are not run",
}
_WITHOUT_EFFECT = (
    "withGeneratedAlt", "keepImgDataUrl", "withIframe", "withShadowDom", "proxy", "userAgent",
    "locale", "referer", "noGfm", "respondTiming", "base", "viewport", "instruction", "jsonSchema",
    "robotsTxt", "mdHeadingStyle", "mdHr", "mdBulletListMarker", "mdEmDelimiter",
    "mdStrongDelimiter", "mdLinkStyle", "mdLinkReferenceStyle", "assetTimeout",
)  # fmt: skip
_HEADERS = {
    "x-set-cookie": "setCookies",
    "x-max-output-tokens": "maxTokens",
    "x-max-tokens": "maxTokens",
    "x-return-format": "respondWith",
}


def _flag(value: Any) -> Any:
    return value.strip().lower() not in _FALSE if isinstance(value, str) else value


def _list(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


Flag = Annotated[bool, BeforeValidator(_flag)]
Selectors = Annotated[
    tuple[Annotated[str, Field(max_length=300)], ...] | None,
    Field(max_length=50),
    BeforeValidator(_list),
]


class JinaBody(VendorBody):
    """What is read, and what is returned of it."""

    url: str | None = None
    q: str | None = None
    respondWith: str = "content"
    targetSelector: Selectors = None
    removeSelector: Selectors = None
    waitForSelector: Selectors = None
    withLinksSummary: str | bool = False
    withImagesSummary: Flag = False
    retainImages: Literal["all", "none", "alt", "all_p", "alt_p"] = "all"
    timeout: Annotated[float, Field(gt=0, le=180)] | None = None
    noCache: Flag = False
    cacheTolerance: Annotated[int, Field(ge=0)] | None = None
    tokenBudget: Annotated[int, Field(ge=1)] | None = None
    maxTokens: Annotated[int, Field(ge=1)] | None = None
    engine: Literal["auto", "browser", "direct", "curl", "cf-browser-rendering"] = "auto"
    withFavicon: Flag = False
    # of a search
    count: Annotated[int, Field(ge=0, le=20)] = 5
    num: Annotated[int, Field(ge=0, le=20)] | None = None
    site: Selectors = None
    type: Literal["web", "news", "images"] = "web"
    gl: str | None = None
    hl: str | None = None
    location: str | None = None
    page: Annotated[int, Field(ge=1, le=10)] = 1
    setCookies: Any = None
    proxyUrl: Any = None
    html: Any = None
    pdf: Any = None
    injectPageScript: Any = None
    injectFrameScript: Any = None
    withGeneratedAlt: Any = None
    keepImgDataUrl: Any = None
    withIframe: Any = None
    withShadowDom: Any = None
    proxy: Any = None
    userAgent: Any = None
    locale: Any = None
    referer: Any = None
    noGfm: Any = None
    respondTiming: Any = None
    base: Any = None
    viewport: Any = None
    instruction: Any = None
    jsonSchema: Any = None
    robotsTxt: Any = None
    mdHeadingStyle: Any = None
    mdHr: Any = None
    mdBulletListMarker: Any = None
    mdEmDelimiter: Any = None
    mdStrongDelimiter: Any = None
    mdLinkStyle: Any = None
    mdLinkReferenceStyle: Any = None
    assetTimeout: Any = None


@dataclass(frozen=True)
class JinaOptions:
    """The options of one request, and what has no effect."""

    body: JinaBody
    warnings: tuple[str, ...]

    @property
    def contents(self) -> frozenset[str]:
        """The forms of the page that are wanted."""
        wanted = {part.strip() for part in self.body.respondWith.replace("+", ",").split(",")}
        return frozenset(wanted - {"", "no-content"})

    @property
    def links(self) -> str:
        """Which links are listed: none, each once, or all."""
        chosen = self.body.withLinksSummary
        if isinstance(chosen, bool):
            return "once" if chosen else ""
        return "all" if chosen.strip().lower() == "all" else "once" if _flag(chosen) else ""

    @property
    def fresh(self) -> bool:
        """Whether the page is read again."""
        return self.body.noCache or self.body.cacheTolerance == 0

    @property
    def mode(self) -> str:
        """How the page is read."""
        if self.body.waitForSelector or self.body.engine in ("browser", "cf-browser-rendering"):
            return "dynamic"
        return "static" if self.body.engine in ("direct", "curl") else "smart"


def read_options(request: Request, sent: Mapping[str, Any]) -> JinaOptions:
    """Return the options of a request; `BadInputError` for those that are impossible."""
    named = {**_from_query(request), **_from_headers(request), **sent}
    body = parse_body(JinaBody, named)
    if refused := given_fields(body, _REFUSED):
        raise BadInputError(f"{refused[0]}: {_REFUSED[refused[0]]}")
    options = JinaOptions(body, tuple(_warnings(body, named)))
    if unknown := sorted(options.contents - _CONTENTS):
        raise BadInputError(
            f"respondWith: {unknown[0]} is not possible here; "
            f"choose from {', '.join(sorted(_CONTENTS))}"
        )
    return options


def _warnings(body: JinaBody, named: Mapping[str, Any]) -> list[str]:
    found = [
        f"{name} has no effect on this server." for name in given_fields(body, _WITHOUT_EFFECT)
    ]
    found += [f"{name} is unknown: it had no effect." for name in unknown_fields(JinaBody, named)]
    return found


def _from_headers(request: Request) -> Json:
    """Return the options among the headers: x-target-selector is targetSelector."""
    found: Json = {}
    for name, value in request.headers.items():
        field = _HEADERS.get(name) or _field_of(name)
        if field in JinaBody.model_fields:
            found[field] = value
    return found


def _field_of(header: str) -> str:
    if not header.startswith("x-"):
        return ""
    first, *others = header[2:].split("-")
    return first + "".join(part.capitalize() for part in others)


def _from_query(request: Request) -> Json:
    """Return the options of a search; the query of a page belongs to the page."""
    names = ("q", "count", "num", "site", "type", "gl", "hl", "location", "page")
    return {name: request.query_params[name] for name in names if name in request.query_params}
