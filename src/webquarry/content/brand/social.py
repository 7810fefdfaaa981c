"""The profiles a company links to from its own page."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.html.dom import Element, name_of

_HOSTS = {
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
_FRAME = frozenset(("footer", "header", "nav"))
_ROLES = frozenset(("contentinfo", "banner", "navigation"))
_SOCIAL = re.compile(r"\b(social|follow)", re.IGNORECASE)


def socials_of(page: BrandPage, same_as: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """Return one profile for each network: the stated one, else the only one of its frame.

    `names` are the company's, to tell its own profile from others on the page.
    """
    keys = {_key(name) for name in names} - {""}
    found: dict[str, str] = {}
    for addresses in (same_as, _claimed(page), _framed(page), _named(page, keys)):
        for network, profiles in _profiles(addresses).items():
            if network not in found and (chosen := _chosen(profiles, keys)):
                found[network] = chosen
    return found


def _claimed(page: BrandPage) -> Iterator[str]:
    """Yield what the page declares to be its own: rel=me and twitter:site."""
    for element in page.root.iter("a", "link"):
        if "me" in (element.get("rel") or "").lower().split():
            yield page.absolute(element.get("href")) or ""
    handle = (page.meta("twitter:site") or "").removeprefix("@")
    if re.fullmatch(r"\w{1,15}", handle) and not handle.isdecimal():
        yield f"https://twitter.com/{handle}"


def _framed(page: BrandPage) -> Iterator[str]:
    """Yield the links of header and footer, and of lists that call themselves social."""
    for link in _anchors(page):
        if any(map(_is_frame, link.iterancestors())):
            yield page.absolute(link.get("href")) or ""


def _named(page: BrandPage, keys: set[str]) -> Iterator[str]:
    for link in _anchors(page):
        address = page.absolute(link.get("href")) or ""
        network, handle = _profile(address)
        if network and _key(handle) in keys:
            yield address


def _anchors(page: BrandPage) -> Iterator[Element]:
    return page.root.iter("a")


def _is_frame(element: Element) -> bool:
    if name_of(element) in ("article", "body", "html", "main"):
        return False
    marks = f"{element.get('class') or ''} {element.get('id') or ''}"
    label = f"{marks} {element.get('aria-label') or ''}".replace("-", " ").replace("_", " ")
    return (
        name_of(element) in _FRAME
        or (element.get("role") or "") in _ROLES
        or bool(_SOCIAL.search(label))
    )


def _profiles(addresses: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return network -> handle -> the first address of it."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for address in addresses:
        network, handle = _profile(address)
        if network:
            found[network].setdefault(handle.lower(), address)
    return found


def _profile(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    host = (parts.hostname or "").lower()
    network = next((_HOSTS[h] for h in _HOSTS if host == h or host.endswith(f".{h}")), "")
    match = _PROFILES[network].fullmatch(parts.path) if network else None
    if match is None or match[1].lower() in _NOT_PROFILES or host.startswith("gist."):
        return "", ""
    return network, match[1]


def _chosen(profiles: dict[str, str], keys: set[str]) -> str | None:
    """Return the only profile, or of several the one that bears the company's name."""
    if len(profiles) == 1:
        return next(iter(profiles.values()))
    own = [address for handle, address in profiles.items() if _key(handle) in keys]
    return own[0] if len(own) == 1 else None


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
