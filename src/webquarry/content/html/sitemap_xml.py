"""Sitemaps (https://www.sitemaps.org): the addresses in them, and the sitemaps they point to."""

import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

MOST_BYTES = 50 * 2**20  # as the protocol has it
_PIECE = 2**16


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One address in a sitemap."""

    url: str
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a sitemap lists: pages, or further sitemaps."""

    pages: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[str, ...] = ()


def read_sitemap(raw: bytes, most: int = 50_000) -> Sitemap:
    """Return up to `most` entries; of a damaged file those before the damage."""
    body = _unpacked(raw)
    if not body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return Sitemap(pages=tuple(_lines(body, most)))
    # entities are of no use in a list of addresses, and expanding them can take for ever
    if b"<!DOCTYPE" in body[:4096] or b"<!ENTITY" in body:
        return Sitemap()
    pages: list[SitemapEntry] = []
    further: list[str] = []
    parser = cast("Any", ET.XMLPullParser(("end",)))
    try:
        for start in range(0, len(body), _PIECE):
            parser.feed(body[start : start + _PIECE])
            _collect(parser.read_events(), pages, further)
            if len(pages) >= most:
                break
    except ET.ParseError:
        pass  # what came before is as good as ever
    return Sitemap(tuple(pages[:most]), tuple(further))


def _collect(
    events: Iterable[tuple[Any, ...]], pages: list[SitemapEntry], further: list[str]
) -> None:
    for _, element in events:
        name = _name(element)
        if name == "url":
            given = {_name(part): (part.text or "").strip() for part in element}
            if given.get("loc"):
                pages.append(SitemapEntry(given["loc"], given.get("lastmod") or None))
            element.clear()
        elif name == "sitemap":
            given = {_name(part): (part.text or "").strip() for part in element}
            if given.get("loc"):
                further.append(given["loc"])
            element.clear()
        elif name in {"item", "entry"}:  # feeds serve as sitemaps too
            pages.extend(_feed_links(element))
            element.clear()


def _feed_links(element: ET.Element) -> list[SitemapEntry]:
    for part in element:
        if _name(part) == "link":
            address = (part.text or "").strip() or part.get("href", "")
            if address:
                return [SitemapEntry(address)]
    return []


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _lines(body: bytes, most: int) -> list[SitemapEntry]:
    lines = body.decode("utf-8-sig", "replace").split()
    return [SitemapEntry(line) for line in lines[:most] if line.startswith(("http://", "https://"))]


def _unpacked(raw: bytes) -> bytes:
    if not raw.startswith(b"\x1f\x8b"):
        return raw
    try:
        return zlib.decompressobj(31).decompress(raw, MOST_BYTES)
    except zlib.error:
        return b""
