"""How the pages of a site are requested, as the caller of a crawl or batch chooses."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from webquarry.models.model import Model

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_COOKIE_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_COOKIE_SEPARATOR = re.compile(r"[\x00-\x20\x7f;,\"\\]")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_COORDINATES = re.compile(r"\s*(-?\d{1,3}(?:\.\d{1,8})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,8})?)\s*")
_MAX_FIELDS = 50
_MAX_VALUE = 8_192
_MAX_PROXIES = 100
HEADERS_HELP = "Request headers, sent to the requested site only."
COOKIES_HELP = "Cookies, sent to the requested site only."
_PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")
# they belong to the connection or are set by us
_OWN_HEADERS = frozenset(
    {
        "host", "connection", "content-length", "content-type", "transfer-encoding", "upgrade",
        "te", "trailer", "expect", "keep-alive", "accept-encoding", "cookie", "if-none-match",
        "if-modified-since", "range",
    }
)  # fmt: skip


def _headers(value: dict[str, str]) -> dict[str, str]:
    if len(value) > _MAX_FIELDS:
        raise ValueError(f"at most {_MAX_FIELDS} headers are allowed")
    for name, text in value.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a header")
        if name.lower() in _OWN_HEADERS or name.lower().startswith("proxy-"):
            hint = "; use cookies" if name.lower() == "cookie" else ""
            raise ValueError(f"the header {name} cannot be set{hint}")
        # reject CR and LF: prevents header injection
        if _CONTROL.search(text) or len(text) > _MAX_VALUE:
            raise ValueError(f"the value of {name} has control characters or is too long")
        if not text.isascii():
            raise ValueError(f"the value of {name} must be ASCII")
    return value


def _cookies(value: dict[str, str]) -> dict[str, str]:
    if len(value) > _MAX_FIELDS:
        raise ValueError(f"at most {_MAX_FIELDS} cookies are allowed")
    for name, text in value.items():
        if not _COOKIE_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a cookie")
        if _COOKIE_SEPARATOR.search(text) or not text.isascii() or len(text) > _MAX_VALUE:
            raise ValueError(
                f"the value of the cookie {name} must be ASCII without spaces, quotes, commas,"
                " semicolons and backslashes; percent-encode them"
            )
    return value


def _proxy(value: str) -> str:
    parts = urlsplit(value)
    try:
        valid = parts.scheme in _PROXY_SCHEMES and parts.hostname and parts.port != 0
    except ValueError:  # the port is not a number
        valid = False
    if not valid or " " in value:
        # without the value: it may hold a password
        raise ValueError("a proxy is a URL that starts with http://, https:// or socks5://")
    return value


def _locale(value: str) -> str:
    if value and not _LOCALE.fullmatch(value):
        raise ValueError(f"{value!r} is not a language tag like de-DE")
    return value


def _location(value: str) -> str:
    if value:
        coordinates(value)
    return value


def coordinates(value: str) -> tuple[float, float]:
    """Return latitude and longitude; `ValueError` if they are not valid."""
    match = _COORDINATES.fullmatch(value)
    if match is None or abs(float(match[1])) > 90 or abs(float(match[2])) > 180:
        raise ValueError(f"{value!r} is not latitude,longitude like 48.137,11.575")
    return float(match[1]), float(match[2])


HeaderFields = Annotated[dict[str, str], AfterValidator(_headers)]
CookieFields = Annotated[dict[str, str], AfterValidator(_cookies)]
ProxyUrls = Annotated[
    tuple[Annotated[str, AfterValidator(_proxy)], ...], Field(max_length=_MAX_PROXIES)
]
Locale = Annotated[str, AfterValidator(_locale)]
Location = Annotated[str, AfterValidator(_location)]


class PageOptions(Model):
    """Headers, cookies, proxies and the device that pages are requested with."""

    headers: HeaderFields = Field(
        default_factory=dict[str, str], description="Sent to the site that was asked for only."
    )
    cookies: CookieFields = Field(
        default_factory=dict[str, str], description="Sent to the site that was asked for only."
    )
    proxies: ProxyUrls = Field(default=(), description="Proxies, used in turn.")
    locale: Locale = Field(default="", description="Preferred language, like de-DE.")
    location: Location = Field(
        default="", description="latitude,longitude of the browser; needs render."
    )
    mobile: bool = Field(default=False, description="Request pages as a phone does.")

    @property
    def own_headers(self) -> dict[str, str]:
        """The headers and cookies that only the requested site may receive."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return dict(self.headers) | ({"Cookie": cookies} if cookies else {})

    @property
    def common_headers(self) -> dict[str, str]:
        """The headers that every site receives."""
        headers: dict[str, str] = {}
        if self.locale:
            headers["Accept-Language"] = accept_language(self.locale)
        if self.mobile:
            headers["Sec-CH-UA-Mobile"] = "?1"
        return headers


def accept_language(locale: str) -> str:
    """Return the Accept-Language header of a browser with this language."""
    language = locale.partition("-")[0].lower()
    names = dict.fromkeys((locale, language))
    if language != "en":
        names["en"] = None
    return ", ".join(
        name if number == 0 else f"{name};q={0.9 - 0.1 * (number - 1):.1f}"
        for number, name in enumerate(names)
    )
