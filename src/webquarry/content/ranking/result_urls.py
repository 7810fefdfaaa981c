"""Web addresses as search results carry them: their host, and whether two mean one page."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

# what campaigns, mail programs and share buttons append; none of it chooses a page
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
_WEB = ("http", "https")
# scheme and host; a whole parser takes ten times as long, and there are ten results a search
_HOST = re.compile(
    r"\s*([a-z][a-z0-9+.-]*)://(?:[^/?#\\@\s]*@)?(\[[0-9a-f:.]+\]|[^/?#\\:@\s]+)", re.IGNORECASE
)
_TWIN_LABELS = ("www", "m", "mobile", "amp")
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)
_AMP_CACHE = re.compile(r"/(?:amp/s|amp|[cv]/s|[cv])/(.+)")


def host_of(url: str) -> str:
    """Return the host in lower case; empty for what is no address."""
    return _scheme_and_host(url)[1]


def is_web(url: str) -> bool:
    """Tell whether this is an http or https address with a host."""
    scheme, host = _scheme_and_host(url)
    return scheme in _WEB and bool(host)


@lru_cache(maxsize=4096)  # every result of a search is looked at several times
def _scheme_and_host(url: str) -> tuple[str, str]:
    found = _HOST.match(url)
    return (found[1].lower(), found[2].lower().strip("[].")) if found else ("", "")


@lru_cache(maxsize=4096)
def canonical(url: str) -> str:
    """Return a key that addresses of one page share: tracking, fragments and twins removed."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").rstrip(".")
        port = "" if parts.port in (None, 80, 443) else f":{parts.port}"
    except ValueError:
        return url
    if (inner := _inside_amp_cache(host, parts.path)) is not None:
        return canonical(inner)
    path = _INDEX.sub("/", parts.path)
    path = re.sub(r"/amp/?$|\.amp(?=\.html?$|$)", "", path).rstrip("/")
    kept = sorted(
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _tracks(name.lower())
    )
    query = f"?{urlencode(kept)}" if kept else ""
    # a fragment with a slash or a bang is a page of its own in a single-page application
    fragment = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{_plain_host(host)}{port}{quote(unquote(path), safe='/')}{query}{fragment}"


def site_of(text: str) -> str:
    """Return what a caller wrote for a site as `host` or `host/path`."""
    bare = re.sub(r"^[a-z][a-z0-9+.-]*://", "", text.strip(), flags=re.IGNORECASE)
    bare = bare.partition("?")[0].partition("#")[0].strip("/")
    host, slash, path = bare.partition("/")
    return f"{host.lower().rstrip('.').removeprefix('*.').removeprefix('www.')}{slash}{path}"


def within(url: str, sites: Iterable[str]) -> bool:
    """Tell whether the page is on one of the sites, below one, or below its path."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return False
    path = parts.path.strip("/").lower()
    return any(_covers(site, host, path) for site in sites)


def _covers(site: str, host: str, path: str) -> bool:
    domain, _, prefix = site.partition("/")
    prefix = prefix.lower()
    below = host == domain or host.endswith(f".{domain}")
    return below and (not prefix or path == prefix or path.startswith(f"{prefix}/"))


def _tracks(name: str) -> bool:
    return name in _TRACKING or name.startswith(_TRACKING_PREFIXES)


def _plain_host(host: str) -> str:
    labels = host.split(".")
    # "m.com" is a site, "m.example.com" is the mobile twin of another
    while len(labels) > 2 and labels[0] in _TWIN_LABELS:
        labels = labels[1:]
    # en.m.wikipedia.org
    if len(labels) > 3 and labels[1] == "m":
        labels = [labels[0], *labels[2:]]
    return ".".join(labels)


def _inside_amp_cache(host: str, path: str) -> str | None:
    """Return the address a copy in an AMP cache was made from."""
    if not (host.endswith(".cdn.ampproject.org") or (host in _GOOGLE and path[:5] == "/amp/")):
        return None
    match = _AMP_CACHE.match(path)
    return f"https://{match[1]}" if match else None


_GOOGLE = ("google.com", "www.google.com")
