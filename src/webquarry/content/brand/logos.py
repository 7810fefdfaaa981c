"""Finds the logos that a page about a brand offers, by the use in their labels."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.icons import Icon, format_of
from webquarry.content.brand.keywords import LOGOS
from webquarry.content.html.dom import HEADINGS, Element, tag_of, text_of
from webquarry.content.text.company_names import name_words

_DARK = re.compile(
    r"\b(?:on|for|over) (?:a )?dark\b|\bdark (?:backgrounds?|mode|grounds?|surfaces?)\b"
    r"|\b(?:reversed?|inverse|inverted|negative|knockout)\b",
    re.IGNORECASE,
)
_ICON = re.compile(r"\b(?:icon|symbol|logomark|glyph|emblem|app icon|monogram)\b", re.IGNORECASE)
_PRIMARY = re.compile(
    r"\b(?:primary|main|full|master|principal) (?:logo|logotype|wordmark|lockup)\b", re.IGNORECASE
)
_MISUSE = re.compile(
    r"\b(don[\u2019']?ts?|do not|never|avoid|misuse|incorrect|unacceptable|wrong|old|former"
    r"|previous|retired|partner|customer|client|sponsor|product)s?\b",
    re.IGNORECASE,
)
_VARIANT = re.compile(r"\b(black|white|mono\w*|stacked|vertical|secondary|alternate|co-?brand\w*"
                    r"|clear ?space|minimum|construction|anatomy|placement)\b", re.I)  # fmt: skip
_USES = {"dark": _DARK, "icon": _ICON, "primary": _PRIMARY}
# words of a label that do not make the image a variant of the logo
_PLAIN_WORDS = frozenset((
    "logo", "logos", "our", "the", "download", "svg", "png", "logotype", "wordmark", "as",
    "brand", "file", "files", "package", "pack", "color", "colour",
))  # fmt: skip
_PREFERRED_FORMATS = ("svg", "png", "webp", "jpeg", "gif")


@dataclass(frozen=True)
class _LogoImage:
    icon: Icon
    label: str  # text of the image and of the element around it
    heading: str  # the nearest heading before it


def logos_of(page: BrandPage, name: str) -> dict[str, Icon]:
    """Return the logo of each use that the page states for exactly one image."""
    by_use: defaultdict[str, list[_LogoImage]] = defaultdict(list)
    for image in _logo_images(page):
        if use := _use(image, name):
            by_use[use].append(image)
    chosen = {use: _single_image(images) for use, images in by_use.items()}
    if "logo" in chosen and "primary" not in chosen:
        chosen["primary"] = chosen["logo"]
    return {use: icon for use, icon in chosen.items() if icon and use != "logo"}


def _use(image: _LogoImage, name: str) -> str | None:
    if _MISUSE.search(f"{image.heading} {image.label}"):
        return None
    for text in (image.label, image.heading):
        stated = [use for use, pattern in _USES.items() if pattern.search(text)]
        if stated:
            return stated[0] if len(stated) == 1 else None
    return "logo" if _is_plain_logo(image, name) else None


def _is_plain_logo(image: _LogoImage, name: str) -> bool:
    """Tell whether the label is only `logo`, the name of the brand and a format."""
    if not LOGOS.search(image.label) or _VARIANT.search(image.label):
        return False
    return set(name_words(image.label)) - set(name_words(name)) <= _PLAIN_WORDS


def _single_image(images: list[_LogoImage]) -> Icon | None:
    """Return the preferred format if all are versions of one image, else None."""
    names = (image.icon.url.partition("?")[0].rpartition("/")[2] for image in images)
    if len({re.sub(r"(@\dx)?\.\w+$", "", name).lower() for name in names}) > 1:
        return None
    icons = (image.icon for image in images)
    return min(icons, key=lambda icon: _PREFERRED_FORMATS.index(format_of(icon.url) or "gif"))


def _logo_images(page: BrandPage) -> Iterator[_LogoImage]:
    heading = ""
    for element in page.root.iter():
        tag = tag_of(element)
        if tag in HEADINGS:
            heading = text_of(element)
        if tag not in ("a", "img") or [*element.iterancestors("nav", "footer", "header")]:
            continue
        image = _logo_image(page, element, heading)
        if image and LOGOS.search(f"{heading}\n{image.label}"):
            yield image


def _logo_image(page: BrandPage, element: Element, heading: str) -> _LogoImage | None:
    url = page.absolute_url(element.get("href" if tag_of(element) == "a" else "src"))
    if not url or format_of(url) not in _PREFERRED_FORMATS:
        return None
    icon = Icon(url, _pixels(element, "width"), _pixels(element, "height"))
    return _LogoImage(icon, _label(element), heading)


def _label(element: Element) -> str:
    """Return the texts of the image itself and of the small elements around it."""
    is_image = tag_of(element) == "img"
    own = element.get("alt") if is_image else text_of(element) or element.get("download")
    texts = [own, element.get("title"), element.get("aria-label"), *_nearby_texts(element)]
    return " ".join(dict.fromkeys(filter(None, texts)))


def _nearby_texts(element: Element) -> Iterator[str]:
    for ancestor in islice(element.iterancestors(), 2):
        if tag_of(ancestor) in ("body", "main", "section", "ul", "table"):
            return
        images = list(ancestor.iter("img"))
        text = text_of(ancestor)
        if len(images) <= 1 and len(text) <= 80:
            yield from (text, *(image.get("alt", "") for image in images))


def _pixels(element: Element, name: str) -> int | None:
    text = element.get(name, "").removesuffix("px")
    return int(text) if text.isdecimal() and tag_of(element) == "img" else None
