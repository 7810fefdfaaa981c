"""Finds the social profiles of a company on its own page."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.html.dom import Element, tag_of

_NETWORKS = {
    "twitter.com": "twitter", "x.com": "twitter", "linkedin.com": "linkedin",
    "github.com": "github", "youtube.com": "youtube", "facebook.com": "facebook",
    "instagram.com": "instagram",
}  # fmt: skip
_PROFILES = {
    "twitter": re.compile(r"/@?(\w{1,15})/?"),
    "linkedin": re.compile(r"/(?:company|school|showcase)/([\w%.-]+)/?"),
    "github": re.compile(r"/(?:orgs/)?([A-Za-z0-9-]{1,39})/?"),
    "youtube": re.compile(r"/(?:@|c/|user/|channel/)([\w.%-]+)/?"),
    "facebook": re.compile(r"/([\w.-]{3,80})/?"),
    "instagram": re.compile(r"/([\w.]{1,30})/?"),
}
_NOT_PROFILES = frozenset((
    "intent", "share", "sharer", "sharer.php", "home", "search", "hashtag", "login", "signup",
    "features", "pricing", "about", "explore", "watch", "p", "reel", "dialog", "plugins", "tr",
    "groups", "events", "pages", "profile.php", "i", "orgs", "sponsors", "marketplace", "topics",
))  # fmt: skip
_CONTENT_TAGS = frozenset(("article", "body", "html", "main"))
_FRAME_TAGS = frozenset(("footer", "header", "nav"))
_FRAME_ROLES = frozenset(("contentinfo", "banner", "navigation"))
_SOCIAL = re.compile(r"\b(social|follow)", re.IGNORECASE)


def social_profiles(
    page: BrandPage, same_as: Iterable[str], names: Iterable[str]
) -> dict[str, str]:
    """Return one profile URL for each network: the declared one, else that of header or footer.

    `names` are the company's, to distinguish its own profile from others on the page.
    """
    keys = {_name_key(name) for name in names} - {""}
    chosen: dict[str, str] = {}
    for urls in (same_as, _declared_urls(page), _frame_urls(page), _urls_with_name(page, keys)):
        for network, profiles in _profiles(urls).items():
            if network not in chosen and (url := _choose(profiles, keys)):
                chosen[network] = url
    return chosen


def _declared_urls(page: BrandPage) -> Iterator[str]:
    """Yield the profiles that the page declares: rel=me and twitter:site."""
    for element in page.root.iter("a", "link"):
        if "me" in element.get("rel", "").lower().split():
            yield page.absolute_url(element.get("href")) or ""
    handle = (page.meta("twitter:site") or "").removeprefix("@")
    if re.fullmatch(r"\w{1,15}", handle) and not handle.isdecimal():
        yield f"https://twitter.com/{handle}"


def _frame_urls(page: BrandPage) -> Iterator[str]:
    """Yield the links in header, footer, navigation and elements labelled as social."""
    for link in page.root.iter("a"):
        if any(map(_is_page_frame, link.iterancestors())):
            yield page.absolute_url(link.get("href")) or ""


def _urls_with_name(page: BrandPage, keys: set[str]) -> Iterator[str]:
    for link in page.root.iter("a"):
        url = page.absolute_url(link.get("href")) or ""
        network, handle = _profile(url)
        if network and _name_key(handle) in keys:
            yield url


def _is_page_frame(element: Element) -> bool:
    tag = tag_of(element)
    if tag in _CONTENT_TAGS or tag in _FRAME_TAGS or element.get("role") in _FRAME_ROLES:
        return tag not in _CONTENT_TAGS
    label = " ".join(element.get(name, "") for name in ("class", "id", "aria-label"))
    return _SOCIAL.search(re.sub(r"[-_]", " ", label)) is not None


def _profiles(urls: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return network -> handle -> its first URL."""
    profiles: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for url in urls:
        network, handle = _profile(url)
        if network:
            profiles[network].setdefault(handle.lower(), url)
    return profiles


def _profile(url: str) -> tuple[str, str]:
    """Return network and handle of a profile URL; empty for other URLs."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    host = parts.hostname or ""
    networks = (name for domain, name in _NETWORKS.items() if f".{host}".endswith(f".{domain}"))
    network = "" if host.startswith("gist.") else next(networks, "")
    match = _PROFILES[network].fullmatch(parts.path) if network else None
    if match is None or match[1].lower() in _NOT_PROFILES:
        return "", ""
    return network, match[1]


def _choose(profiles: dict[str, str], keys: set[str]) -> str | None:
    """Return the only profile, or the one that has the company's name."""
    if len(profiles) == 1:
        return next(iter(profiles.values()))
    own = [url for handle, url in profiles.items() if _name_key(handle) in keys]
    return own[0] if len(own) == 1 else None


def _name_key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
