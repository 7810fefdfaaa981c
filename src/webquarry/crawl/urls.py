"""Addresses as a crawl tells them apart: one spelling for each page."""

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.net.url import Url, parse

LONGEST = 2_000
# these say where a reader came from or who it is, never what the page is
_NOISE = re.compile(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|msclkid|yclid|mc_[ce]id|_ga|_gl|igshid|ref_src|"
    r"_hs(?:enc|mi)|mkt_tok|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid|session_id|"
    r"s_id|cfid|cftoken|zenid|oscsid)(?:=|$)",
    re.IGNORECASE,
)
_SESSION_PATH = re.compile(r";jsessionid=[^/?#;]*|/\(s\([^)]*\)\)(?=/)", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_RELATIVE = re.compile(r"https?:(?!//)", re.IGNORECASE)  # to the page, in spite of its scheme
_PLAIN_ABSOLUTE = re.compile(r"https?://([a-z0-9.-]+)(?::\d+)?(?=[/?#]|$)")
# nothing escaped, nothing that would have to be, no segment without a name
_PLAIN_PATH = re.compile(r"(/(?:[\w.~-]+/)*[\w.~-]*(?:\?[\w.~=&-]+)?)(?:#\S*)?", re.ASCII)
_FILES = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp4|webm|m4v|mov|avi|mkv|mp3|m4a|ogg|wav|"
    r"flac|woff2?|ttf|otf|eot|css|m?js|map|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|deb|rpm|apk|"
    r"iso|bin|jar|whl|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|rtf|psd|ics|torrent)$",
    re.IGNORECASE,
)


class CrawlUrl(NamedTuple):
    """A web address in the one spelling that a crawl uses for it."""

    href: str
    host: str
    place: str  # host and port as written, which politeness is about


class BasePage:
    """Where a page is, so that the usual links on it need no parser."""

    __slots__ = ("_folder", "_here", "base", "host", "place", "site")

    def __init__(self, base: str) -> None:
        """Take the normal form of a web address."""
        self.base = base
        self.site, self.host, self.place = _site(base[: base.find("/", 8) + 1])
        self._here = base.partition("?")[0][len(self.site) :]
        self._folder = self._here[: self._here.rfind("/") + 1]

    def rooted(self, href: str) -> str:
        """Return a link from the root of the site on, as written; '' if it leads elsewhere."""
        first = href[0]
        if first == "/":
            return href
        if first in "hH" and ":" in href[4:6]:
            start = len(self.site)
            return href[start:] if href[:start].lower() == self.site else ""
        if first in "?#":
            return self._here + href if first == "?" else ""
        return self._folder + href

    def name(self, href: str) -> str:
        """Return a name for a link that is the same wherever it leads to the same address."""
        first = href[0]
        scheme = _SCHEME.match(href)
        if first == "/" or (scheme and not _RELATIVE.match(href)):
            return href
        near = not scheme and (first.isalnum() or first in "._-%~")
        return (self._folder if near else self.base) + href


def resolve(href: str, base: str) -> CrawlUrl | None:
    """Return what a link points to; None for what is not a web address."""
    page = BasePage(base)
    if page.site and href and (path := plain_path(page.rooted(href))):
        return CrawlUrl(page.site + path, page.host, page.place)
    return parsed(href, base)


def plain_path(rooted: str) -> str:
    """Return a path and its query as a crawl spells them; '' where that takes a parser."""
    plain = _PLAIN_PATH.fullmatch(rooted)
    if plain is None:
        return ""
    path = plain[1]
    return _clean(_undotted(path) if "/." in path else path)


def parsed(href: str, base: str) -> CrawlUrl | None:
    """Return the same as `resolve`, for links that are written in unusual ways."""
    import ada_url

    text = href.strip()
    if not text or text[0] == "#" or _OTHER_SCHEME.match(text):
        return None
    try:
        whole = ada_url.join_url(base, text)
    except ValueError:
        return None
    return address_of(_clean(whole.partition("#")[0]))


@lru_cache(maxsize=64)
def _site(start: str) -> tuple[str, str, str]:
    """Return scheme and place, host, and place of an address without a path; '' for others."""
    address = address_of(start)
    if address is None or address.href != start or not start.endswith("/"):
        return "", "", ""
    return start[:-1], address.host, address.place


def _undotted(path: str) -> str:
    """Return a path without the segments that lead here or up."""
    head, mark, query = path.partition("?")
    kept: list[str] = []
    segments = head.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return f"/{'/'.join(kept)}{mark}{query}"


def address_of(href: str) -> CrawlUrl | None:
    """Return the parts of a URL in normal form; None for what a crawl does not read."""
    scheme, mark, rest = href.partition("://")
    if not mark or scheme not in {"http", "https"}:
        return None
    place = rest.partition("/")[0]
    if "@" in place:  # credentials belong to whoever wrote the link
        href = f"{scheme}://{rest.partition('@')[2]}"
        place = place.rpartition("@")[2]
    host = place[: place.rfind("]") + 1].strip("[]") if "]" in place else place.partition(":")[0]
    return CrawlUrl(href, host, place)


def start_of(url: str) -> CrawlUrl:
    """Return where a crawl starts; `BadInputError` for what is not a web address."""
    href = parse(url).href
    return address_of(_clean(href)) or CrawlUrl(href, "", "")


def url_of(href: str) -> Url:
    """Return an address that is in normal form already, as the network wants it."""
    address = address_of(href)
    if address is None:
        return parse(href)
    secure = href.startswith("https")
    port = address.place[len(address.place.rpartition("]")[0]) :].rpartition(":")[2]
    number = int(port) if port.isdigit() and ":" in address.place else 443 if secure else 80
    return Url(href, "https" if secure else "http", address.host, number)


@lru_cache(maxsize=1024)
def host_written(start: str) -> str:
    """Return the host at the start of a plain link; '' where it must be parsed."""
    found = _PLAIN_ABSOLUTE.match(start)
    return found[1] if found else ""


def is_file(url: str) -> bool:
    """Whether the end of the path says that it is no web page."""
    path = url.partition("?")[0]
    dot = path.rfind(".", path.rfind("/"))
    return dot > 0 and _FILES.match(path, dot) is not None


def _clean(href: str) -> str:
    """Return the address without what does not belong to it."""
    if ";" in href or "/(" in href:
        href = _SESSION_PATH.sub("", href)
    if "?" in href:
        head, _, query = href.partition("?")
        kept = [part for part in query.split("&") if part and not _NOISE.match(part)]
        return f"{head}?{'&'.join(kept)}" if kept else head
    return href
