"""URLs of a crawl: normalised, so that each page has one URL; resolving links fast."""

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.net.url import Url, parse

MAX_URL_LENGTH = 2_000
# tracking and session parameters: they never select a page
_NOISE = re.compile(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|msclkid|yclid|mc_[ce]id|_ga|_gl|igshid|ref_src|"
    r"_hs(?:enc|mi)|mkt_tok|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid)(?:=|$)"
    # these names also select pages: only a value that looks like a session id is removed
    r"|(?:sid|s_id|session|session_?id)=(?=[a-z_-]{0,128}\d)(?=[\d_-]{0,128}[a-z])[\w-]{16,}$",
    re.IGNORECASE,
)
_SESSION_PATH = re.compile(r";jsessionid=[^/?#;]*|/\(s\([^()]*\)\)(?=/)", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_RELATIVE = re.compile(r"https?:(?!//)", re.IGNORECASE)  # relative in spite of the scheme
_PLAIN_ABSOLUTE = re.compile(r"https?://([a-z0-9.-]+)(?::\d+)?(?=[/?#]|$)")
# no escapes, no character that needs one, no empty segment
_PLAIN_PATH = re.compile(r"(/(?:[\w.~-]+/)*[\w.~-]*(?:\?[\w.~=&-]+)?)(?:#\S*)?", re.ASCII)
_FILES = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp4|webm|m4v|mov|avi|mkv|mp3|m4a|ogg|wav|"
    r"flac|woff2?|ttf|otf|eot|css|m?js|map|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|deb|rpm|apk|"
    r"iso|bin|jar|whl|pdf|docx?|xls[xb]?|pptx?|od[tsp]|epub|rtf|psd|ics|torrent)$",
    re.IGNORECASE,
)
_DOCUMENTS = re.compile(r"\.(?:pdf|docx|xls[xb]?|pptx|od[ts]|epub|rtf)$", re.IGNORECASE)


class CrawlUrl(NamedTuple):
    """A normalised URL with its parts."""

    href: str
    host: str
    authority: str  # host and port as written; delays and limits apply to it


class BasePage:
    """The base URL of a page, split so that most links on it need no parser."""

    __slots__ = ("_folder", "_path", "authority", "base", "host", "origin")

    def __init__(self, base: str) -> None:
        """Split a normalised URL."""
        self.base = base
        self.origin, self.host, self.authority = _split_origin(base[: base.find("/", 8) + 1])
        self._path = base.partition("?")[0][len(self.origin) :]
        self._folder = self._path[: self._path.rfind("/") + 1]

    def path_on_site(self, href: str) -> str:
        """Return the path of a link from the root of the site, as written; '' for other sites."""
        first = href[0]
        if first == "/":
            return href
        if first in "hH" and ":" in href[4:6]:
            start = len(self.origin)
            return href[start:] if href[:start].lower() == self.origin else ""
        if first in "?#":
            return self._path + href if first == "?" else ""
        return self._folder + href

    def link_key(self, href: str) -> str:
        """Return a key that is equal for equal links with the same target."""
        first = href[0]
        scheme = _SCHEME.match(href)
        if first == "/" or (scheme and not _RELATIVE.match(href)):
            return href
        in_folder = not scheme and (first.isalnum() or first in "._-%~")
        return (self._folder if in_folder else self.base) + href


def resolve(href: str, base: str) -> CrawlUrl | None:
    """Return the URL of a link; None if it is not an http(s) URL."""
    page = BasePage(base)
    if page.origin and href and (path := simple_path(page.path_on_site(href))):
        return CrawlUrl(page.origin + path, page.host, page.authority)
    return resolve_with_parser(href, base)


def simple_path(path: str) -> str:
    """Return a path and its query normalised; '' if that needs a parser."""
    match = _PLAIN_PATH.fullmatch(path)
    if match is None:
        return ""
    path = match[1]
    return _without_noise(_without_dot_segments(path) if "/." in path else path)


def resolve_with_parser(href: str, base: str) -> CrawlUrl | None:
    """Return the same as `resolve`, for any spelling of a link."""
    import ada_url

    text = href.strip()
    if not text or text[0] == "#" or _OTHER_SCHEME.match(text):
        return None
    try:
        joined = ada_url.join_url(base, text)
    except ValueError:
        return None
    return split_url(_without_noise(joined.partition("#")[0]))


@lru_cache(maxsize=64)
def _split_origin(start: str) -> tuple[str, str, str]:
    """Return origin, host and authority of a URL without a path; '' for others."""
    url = split_url(start)
    if url is None or url.href != start or not start.endswith("/"):
        return "", "", ""
    return start[:-1], url.host, url.authority


def _without_dot_segments(path: str) -> str:
    """Return a path without `.` and `..` segments."""
    head, mark, query = path.partition("?")
    resolved: list[str] = []
    segments = head.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del resolved[-1:]
        elif segment != ".":
            resolved.append(segment)
    if segments[-1] in {".", ".."}:
        resolved.append("")
    return f"/{'/'.join(resolved)}{mark}{query}"


def split_url(href: str) -> CrawlUrl | None:
    """Return the parts of a normalised URL; None if it is not an http(s) URL."""
    scheme, mark, rest = href.partition("://")
    if not mark or scheme not in {"http", "https"}:
        return None
    authority = rest.partition("/")[0]
    if "@" in authority:  # credentials in links are not sent
        href = f"{scheme}://{rest.partition('@')[2]}"
        authority = authority.rpartition("@")[2]
    if "]" in authority:  # an IPv6 address
        host = authority[: authority.rfind("]") + 1].strip("[]")
    else:
        host = authority.partition(":")[0]
    return CrawlUrl(href, host, authority)


def start_url(url: str) -> CrawlUrl:
    """Return the URL where a crawl starts; `BadInputError` if it is not an http(s) URL."""
    href = parse(url).href
    return split_url(_without_noise(href)) or CrawlUrl(href, "", "")


def network_url(href: str) -> Url:
    """Return a normalised URL as a `Url`, without parsing it again."""
    url = split_url(href)
    if url is None:
        return parse(href)
    scheme, default_port = ("https", 443) if href.startswith("https") else ("http", 80)
    _, colon, port = url.authority.rpartition("]")[2].rpartition(":")
    return Url(href, scheme, url.host, int(port) if colon and port.isdigit() else default_port)


@lru_cache(maxsize=1024)
def simple_host(start: str) -> str:
    """Return the host of an absolute link; '' if that needs a parser."""
    match = _PLAIN_ABSOLUTE.match(start)
    return match[1] if match else ""


def is_file(url: str) -> bool:
    """Whether the file extension is not that of a web page."""
    return _extension_matches(url, _FILES)


def is_document_url(url: str) -> bool:
    """Whether the file extension is that of a document that can be read."""
    return _extension_matches(url, _DOCUMENTS)


def _extension_matches(url: str, extensions: re.Pattern[str]) -> bool:
    path = url.partition("?")[0]
    dot = path.rfind(".", path.rfind("/"))
    return dot > 0 and extensions.match(path, dot) is not None


def _without_noise(href: str) -> str:
    """Return the URL without tracking and session parameters."""
    if ";" in href or "/(" in href:
        href = _SESSION_PATH.sub("", href)
    if "?" in href:
        head, _, query = href.partition("?")
        parts = [part for part in query.split("&") if part and not _NOISE.match(part)]
        return f"{head}?{'&'.join(parts)}" if parts else head
    return href
