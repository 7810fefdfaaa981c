"""Headers of requests to instances: nothing in them tells who asks."""

import base64
import re
from collections.abc import Mapping

from webquarry.net.clock import Clock

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# a comma ends a value only where another "Name:" follows
_PAIRS = re.compile(r",\s*(?=[A-Za-z0-9!#$%&'*+.^_`|~-]+\s*:)")
_FIREFOX = "Mozilla/5.0 ({platform}; rv:{version}.0) Gecko/20100101 Firefox/{version}.0"
_CHROME = (
    "Mozilla/5.0 ({platform}) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{version}.0.0.0 Safari/537.36"
)
_WINDOWS = "Windows NT 10.0; Win64; x64"
_MAC = "Macintosh; Intel Mac OS X 10_15_7"
_LINUX = "X11; Linux x86_64"
USER_AGENTS = (
    *(_FIREFOX.format(platform=p, version=v) for p in (_WINDOWS, _LINUX) for v in (143, 144, 145)),
    *(_CHROME.format(platform=p, version=v) for p in (_WINDOWS, _MAC, _LINUX) for v in (152, 154)),
)


class AnonymousHeaders:
    """Makes the headers of each request anew; no cookie, referrer or name of ours is among them."""

    def __init__(self, clock: Clock, *, rotate: bool) -> None:
        self._clock = clock
        self._rotate = rotate

    def headers(self, language: str) -> dict[str, str]:
        """Return headers of a browser that opens a page in this language."""
        place = int(self._clock.chance() * len(USER_AGENTS)) if self._rotate else 0
        base = language.partition("-")[0] or "en"
        said = f"{language},{base};q=0.8" if "-" in language else base
        return {
            "User-Agent": USER_AGENTS[min(place, len(USER_AGENTS) - 1)],
            # instances refuse as robots those who do not take pages
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": said if base == "en" else f"{said},en;q=0.5",
            "DNT": "1",
            "Sec-GPC": "1",
            "Sec-Fetch-Dest": "document",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Site": "none",
        }


def own_headers(basic_auth: str, headers: str) -> Mapping[str, str]:
    """Return what the operator's own instances get: credentials and further headers."""
    sent: dict[str, str] = {}
    if basic_auth:
        sent["Authorization"] = f"Basic {base64.b64encode(basic_auth.encode()).decode()}"
    for name, value in parse_headers(headers):
        # a header given by hand replaces ours under any spelling
        sent = {known: kept for known, kept in sent.items() if known.lower() != name.lower()}
        sent[name] = value
    return sent


def parse_headers(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `Name: value, Other: value`; `ValueError` when it is not that."""
    pairs: list[tuple[str, str]] = []
    for part in _PAIRS.split(text.strip()):
        name, colon, value = part.partition(":")
        if not part:
            continue
        if not colon or not _TOKEN.fullmatch(name.strip()) or not value.strip().isprintable():
            raise ValueError("not a list of headers")
        pairs.append((name.strip(), value.strip()))
    return pairs


def merge(*several: Mapping[str, str]) -> dict[str, str]:
    """Return all headers; a later one replaces an earlier one under any spelling."""
    merged: dict[str, tuple[str, str]] = {}
    for headers in several:
        merged |= {name.lower(): (name, value) for name, value in headers.items()}
    return dict(merged.values())
