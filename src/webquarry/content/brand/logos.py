"""The logos a page about a brand offers, by what their labels say they are for."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.icons import Icon, format_of
from webquarry.content.brand.keywords import LOGOS
from webquarry.content.html.dom import HEADINGS, Element, name_of, text_of
from webquarry.content.text.company_names import name_words

_DARK = re.compile(
    r"\b(?:on|for|over) (?:a )?dark\b|\bdark (?:backgrounds?|mode|grounds?|surfaces?)\b"
    r"|\b(?:reversed?|inverse|inverted|negative|knockout)\b",
    re.IGNORECASE,
)
_ICON = re.compile(r"\b(?:icon|symbol|logomark|glyph|emblem|app icon|monogram)\b", re.IGNORECASE)
_MAIN = re.compile(r"\b(?:primary|main|full|master|principal) (?:logo|logotype|wordmark|lockup)\b",
                   re.IGNORECASE)  # fmt: skip
_MISUSE = re.compile(
    r"\b(don[\u2019']?ts?|do not|never|avoid|misuse|incorrect|unacceptable|wrong|old|former"
    r"|previous|retired|partner|customer|client|sponsor|product)s?\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\b(black|white|mono\w*|stacked|vertical|secondary|alternate|co-?brand\w*"
                    r"|clear ?space|minimum|construction|anatomy|placement)\b", re.I)  # fmt: skip
_RANK = ("svg", "png", "webp", "jpeg", "gif")


@dataclass(frozen=True)
class _Offer:
    icon: Icon
    label: str  # what the image and its own frame say
    heading: str  # the nearest heading


def logos_of(page: BrandPage, name: str) -> dict[str, Icon]:
    """Return the logo of each use that the page states for exactly one image."""
    found: defaultdict[str, list[_Offer]] = defaultdict(list)
    for offer in _offers(page):
        if use := _use(offer, name):
            found[use].append(offer)
    chosen = {use: _one(offers) for use, offers in found.items()}
    if "logo" in chosen and "primary" not in chosen:
        chosen["primary"] = chosen["logo"]
    return {use: icon for use, icon in chosen.items() if icon and use != "logo"}


def _use(offer: _Offer, name: str) -> str | None:
    both = f"{offer.heading} {offer.label}"
    if _MISUSE.search(both):
        return None
    for text in (offer.label, offer.heading):
        stated = [
            use
            for use, words in (("dark", _DARK), ("icon", _ICON), ("primary", _MAIN))
            if words.search(text)
        ]
        if stated:
            return stated[0] if len(stated) == 1 else None
    return "logo" if _is_the_logo(offer, name) else None


def _is_the_logo(offer: _Offer, name: str) -> bool:
    """Tell whether the label is no more than `logo`, with the name of the brand or a format."""
    if not LOGOS.search(offer.label) or _OTHER.search(offer.label):
        return False
    plain = set(name_words(offer.label)) - set(name_words(name))
    usual = {"logo", "logos", "our", "the", "download", "svg", "png", "logotype", "wordmark", "as",
             "brand", "file", "files", "package", "pack", "color", "colour"}  # fmt: skip
    return plain <= usual


def _one(offers: list[_Offer]) -> Icon | None:
    """Return the best format of what is one image; None for several images."""
    stems = {_stem(offer.icon.url) for offer in offers}
    if len(stems) > 1:
        return None
    return min(
        (offer.icon for offer in offers),
        key=lambda icon: _RANK.index(format_of(icon.url) or "gif"),
    )


def _stem(url: str) -> str:
    return re.sub(r"(@\dx)?\.\w+$", "", url.partition("?")[0].rpartition("/")[2]).lower()


def _offers(page: BrandPage) -> Iterator[_Offer]:
    heading = ""
    for element in page.root.iter():
        tag = name_of(element)
        if tag in HEADINGS:
            heading = text_of(element)
        elif tag in ("a", "img") and not _is_framed(element):
            url = page.absolute(element.get("href" if tag == "a" else "src"))
            if url and format_of(url) in _RANK:
                label = _label(element, tag)
                if LOGOS.search(heading) or LOGOS.search(label):
                    yield _Offer(Icon(url, _pixels(element, "width"), _pixels(element, "height")),
                                 label, heading)  # fmt: skip


def _label(element: Element, tag: str) -> str:
    """Return the words of the image itself, else of the small frame it stands in."""
    own = element.get("alt") if tag == "img" else text_of(element) or element.get("download")
    words = [own or "", element.get("title") or "", element.get("aria-label") or ""]
    frame = element.getparent()
    for _ in range(2):
        if frame is None or name_of(frame) in ("body", "main", "section", "ul", "table"):
            break
        images = list(frame.iter("img"))
        text = text_of(frame)
        if len(images) <= 1 and len(text) <= 80:
            words += [text, *((image.get("alt") or "") for image in images)]
        frame = frame.getparent()
    return " ".join(dict.fromkeys(filter(None, words)))


def _is_framed(element: Element) -> bool:
    return any(name_of(each) in ("nav", "footer", "header") for each in element.iterancestors())


def _pixels(element: Element, name: str) -> int | None:
    text = (element.get(name) or "").removesuffix("px")
    return int(text) if text.isdecimal() and name_of(element) == "img" else None
