"""Sitemaps (https://www.sitemaps.org): XML, plain text or feed, with the sitemaps they list."""

import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from webquarry.content.text.length_limits import cap_text

MAX_BYTES = 50 * 2**20  # limit of the protocol
_CHUNK = 2**16


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One URL in a sitemap."""

    url: str
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a sitemap lists: pages, or further sitemaps."""

    pages: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[str, ...] = ()


def read_sitemap(raw: bytes, max_entries: int = 50_000) -> Sitemap:
    """Return up to `max_entries` pages; of a damaged file those before the damage."""
    body = _decompressed(raw)
    if not body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return Sitemap(pages=tuple(_text_entries(body, max_entries)))
    # a sitemap needs no entities, and expanding them can take exponential time
    if b"<!DOCTYPE" in cap_text(body, 4096) or b"<!ENTITY" in body:
        return Sitemap()
    pages: list[SitemapEntry] = []
    sitemaps: list[str] = []
    parser = cast("Any", ET.XMLPullParser(("end",)))
    try:
        for start in range(0, len(body), _CHUNK):
            parser.feed(body[start : start + _CHUNK])
            _collect(parser.read_events(), pages, sitemaps)
            if len(pages) >= max_entries:
                break
    except (ET.ParseError, LookupError, ValueError):
        pass  # damaged, or in an unknown or unsupported encoding: the entries before it are valid
    return Sitemap(tuple(pages[:max_entries]), tuple(sitemaps))


def _collect(
    events: Iterable[tuple[Any, ...]], pages: list[SitemapEntry], sitemaps: list[str]
) -> None:
    for _, element in events:
        name = _local_name(element)
        if name == "url":
            fields = _fields(element)
            if fields.get("loc"):
                pages.append(SitemapEntry(fields["loc"], fields.get("lastmod") or None))
        elif name == "sitemap":
            url = _fields(element).get("loc")
            if url:
                sitemaps.append(url)
        elif name in {"item", "entry"}:  # feeds serve as sitemaps too
            url = _feed_link(element)
            if url:
                pages.append(SitemapEntry(url))
        else:
            continue
        element.clear()  # frees memory


def _fields(element: ET.Element) -> dict[str, str]:
    return {_local_name(child): (child.text or "").strip() for child in element}


def _feed_link(element: ET.Element) -> str:
    links = (child for child in element if _local_name(child) == "link")
    urls = ((link.text or "").strip() or link.get("href", "") for link in links)
    return next(filter(None, urls), "")


def _local_name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _text_entries(body: bytes, max_entries: int) -> list[SitemapEntry]:
    lines = body.decode("utf-8-sig", "replace").split()[:max_entries]
    return [SitemapEntry(line) for line in lines if line.startswith(("http://", "https://"))]


def _decompressed(raw: bytes) -> bytes:
    if not raw.startswith(b"\x1f\x8b"):
        return raw
    try:
        return zlib.decompressobj(31).decompress(raw, MAX_BYTES)
    except zlib.error:
        return b""
