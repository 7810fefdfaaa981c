"""Icons, theme colors and the web app manifest of a site."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.color_codes import as_hex
from webquarry.content.html.json_ld import as_list, as_node

_ICON_RELATIONS = ("apple-touch-icon", "apple-touch-icon-precomposed", "icon", "mask-icon")
_SIZES = re.compile(r"(\d{1,5})x(\d{1,5})", re.IGNORECASE)
FORMATS = {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "svg": "svg", "webp": "webp",
           "gif": "gif", "ico": "ico"}  # fmt: skip


@dataclass(frozen=True)
class Icon:
    """An icon with its declared size."""

    url: str
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class Manifest:
    """The name, icons and colors of a web app manifest."""

    name: str | None = None
    icons: tuple[Icon, ...] = ()
    colours: dict[str, str] = field(default_factory=dict[str, str])


def format_of(url: str) -> str | None:
    """Return the image format by the extension of a URL."""
    return FORMATS.get(urlsplit(url).path.rpartition(".")[2].lower())


def icons_of(page: BrandPage) -> list[Icon]:
    """Return the icons that the page declares."""
    links = [link for rel in _ICON_RELATIONS for link in page.links(rel)]
    return [_icon(url, link.get("sizes", "")) for url, link in links]


def best_icon(icons: Iterable[Icon]) -> Icon | None:
    """Return an SVG icon, else the widest one."""
    return max(icons, key=lambda i: (format_of(i.url) == "svg", (i.width or 0)), default=None)


def theme_colours(page: BrandPage) -> list[str]:
    """Return the colors of theme-color metas, except those for dark mode."""
    colors: list[str] = []
    for meta in page.root.iter("meta"):
        is_theme = meta.get("name", "").strip().lower() == "theme-color"
        if is_theme and "dark" not in meta.get("media", ""):
            colors += filter(None, [as_hex(meta.get("content", ""))])
    return list(dict.fromkeys(colors))


def manifest_of(source: str, url: str) -> Manifest:
    """Return the parsed manifest; an invalid one is empty."""
    try:
        node = as_node(json.loads(source))
    except (ValueError, RecursionError):
        return Manifest()
    colours = {
        key: hex_
        for key in ("theme_color", "background_color")
        if isinstance(node.get(key), str) and (hex_ := as_hex(node[key]))
    }
    name = node.get("name") or node.get("short_name")
    return Manifest(
        name=" ".join(name.split()) or None if isinstance(name, str) else None,
        icons=tuple(_manifest_icons(node.get("icons"), url)),
        colours=colours,
    )


def _manifest_icons(value: Any, url: str) -> Iterator[Icon]:
    for each in as_list(value):
        node = as_node(each)
        source, purpose = node.get("src"), str(node.get("purpose") or "any")
        if isinstance(source, str) and source and "any" in purpose.split():
            yield _icon(urljoin(url, source), str(node.get("sizes") or ""))


def _icon(url: str, sizes: str) -> Icon:
    pairs = [(int(width), int(height)) for width, height in _SIZES.findall(sizes)]
    return Icon(url, *max(pairs, default=()))
