"""URLs of search results: host, site filters, and a key for URLs of the same page."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

T = TypeVar("T")

# query parameters added by campaigns, mail programs and share buttons; none selects a page
_TRACKING = frozenset({
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid",
    "ttclid", "igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi",
    "hsctatracking", "vero_id", "vero_conv", "oly_anon_id", "oly_enc_id", "_openstat", "wickedid",
    "rb_clickid", "s_cid", "ml_subscriber", "ml_subscriber_hash", "cmpid", "ncid", "ocid",
    "ref_src", "ref_url", "spm", "scm", "srsltid", "sref", "smid", "xtor", "at_medium",
    "at_campaign", "__twitter_impression", "guccounter", "guce_referrer", "guce_referrer_sig",
    "amp", "outputtype", "usqp", "amp_js_v",
})  # fmt: skip
_TRACKING_PREFIXES = ("utm_", "pk_", "piwik_", "mtm_", "matomo_", "hsa_", "ga_", "__hs")
MAX_URL_CHARS = 16_384  # servers accept 8,192 at most
_HTTP_SCHEMES = ("http", "https")
# scheme and host only: a full URL parser takes ten times as long
_HOST = re.compile(
    r"\s*([a-z][a-z0-9+.-]*)://(?:[^/?#\\@\s]*@)?(\[[0-9a-f:.]+\]|[^/?#\\:@\s]+)", re.IGNORECASE
)
_ALTERNATE_LABELS = ("www", "m", "mobile", "amp")
_INDEX_PAGE = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)
_AMP_CACHE = re.compile(r"/(?:amp/s|amp|[cv]/s|[cv])/(.+)")


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, not IDNA-encoded; empty if it is no URL."""
    return scheme_and_host(url)[1]


def is_http_url(url: str) -> bool:
    """Tell whether this is an http or https URL with a host, and not too long for a server."""
    scheme, host = scheme_and_host(url)
    return scheme in _HTTP_SCHEMES and bool(host) and len(url) <= MAX_URL_CHARS


def unique_pages(items: Iterable[T], url_of: Callable[[T], str]) -> list[T]:
    """Return the items with an http or https URL, the first of those that mean the same page."""
    pages: dict[str, T] = {}
    for item in items:
        url = url_of(item)
        if is_http_url(url):
            pages.setdefault(canonical_key(url), item)
    return list(pages.values())


@lru_cache(maxsize=4096)  # each search result is checked several times
def scheme_and_host(url: str) -> tuple[str, str]:
    """Return scheme and host of a URL in lower case; empty strings if it is no URL."""
    match = _HOST.match(url)
    return (match[1].lower(), match[2].lower().strip("[].")) if match else ("", "")


@lru_cache(maxsize=4096)
def canonical_key(url: str) -> str:
    """Return a key that URLs of one page share: no tracking, fragment, mobile or AMP variant."""
    if len(url) > MAX_URL_CHARS:
        return url
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").rstrip(".")
        port = "" if parts.port in (None, 80, 443) else f":{parts.port}"
    except ValueError:
        return url
    if (original := _amp_original(host, parts.path)) is not None:
        return canonical_key(original)
    path = _INDEX_PAGE.sub("/", parts.path)
    path = re.sub(r"/amp/?$|\.amp(?=\.html?$|$)", "", path).rstrip("/")
    parameters = sorted(
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _is_tracking(name.lower())
    )
    query = f"?{urlencode(parameters)}" if parameters else ""
    # single-page applications route by fragments that start with a slash or a bang
    fragment = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{_main_host(host)}{port}{quote(unquote(path), safe='/')}{query}{fragment}"


def normalize_site(text: str) -> str:
    """Return a site as a caller wrote it in the form `host` or `host/path`."""
    bare = re.sub(r"^[a-z][a-z0-9+.-]*://", "", text.strip(), flags=re.IGNORECASE)
    bare = bare.partition("?")[0].partition("#")[0].strip("/")
    host, slash, path = bare.partition("/")
    return f"{host.lower().rstrip('.').removeprefix('*.').removeprefix('www.')}{slash}{path}"


def is_on_site(url: str, sites: Iterable[str]) -> bool:
    """Tell whether a URL is on one of the sites (`host` or `host/path`) or a subdomain of one."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    path = parts.path.strip("/").lower()
    return any(_is_below(site, host, path) for site in sites)


def _is_below(site: str, host: str, path: str) -> bool:
    domain, _, prefix = site.partition("/")
    prefix = prefix.lower()
    below = host == domain or host.endswith(f".{domain}")
    return below and (not prefix or path == prefix or path.startswith(f"{prefix}/"))


def _is_tracking(name: str) -> bool:
    return name in _TRACKING or name.startswith(_TRACKING_PREFIXES)


def _main_host(host: str) -> str:
    labels = host.split(".")
    # m.example.com is the mobile version of example.com, but m.com is a site
    while len(labels) > 2 and labels[0] in _ALTERNATE_LABELS:
        labels = labels[1:]
    # en.m.wikipedia.org
    if len(labels) > 3 and labels[1] == "m":
        labels = [labels[0], *labels[2:]]
    return ".".join(labels)


def _amp_original(host: str, path: str) -> str | None:
    """Return the original URL of a copy in an AMP cache."""
    if not (host.endswith(".cdn.ampproject.org") or (host in _GOOGLE and path[:5] == "/amp/")):
        return None
    match = _AMP_CACHE.match(path)
    return f"https://{match[1]}" if match else None


_GOOGLE = ("google.com", "www.google.com")
