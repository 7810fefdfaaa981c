"""Checks a bundle: its integrity, and each quotation in the source that was captured."""

import asyncio
from pathlib import Path

from webquarry.content.text.length_limits import cap_text
from webquarry.errors import WebquarryError
from webquarry.models.evidence_bundle import BundleCheck, BundleQuote, BundleVerdict, FoundQuote
from webquarry.models.research import Anchor
from webquarry.reading.response_reader import ResponseReader
from webquarry.services.bundles.bundle_archive import BundleArchive
from webquarry.services.bundles.bundle_check import IntegrityCheck
from webquarry.services.bundles.bundle_reading import ArchiveReader, holds
from webquarry.services.bundles.bundle_writing import PACKAGE
from webquarry.services.bundles.stamp_check import StampCheck


async def check_bundle(
    path: Path, responses: ResponseReader, stamps: StampCheck, *, key: str = ""
) -> BundleCheck:
    """Return what is wrong with a bundle; `key` is the fingerprint that must have signed it."""
    integrity = IntegrityCheck(path)
    await asyncio.to_thread(integrity.run)
    notes: list[str] = []
    signature = integrity.signature
    if signature is None:
        notes.append("Not signed by Webquarry: only the hashes that the file states were checked.")
    stamp = await asyncio.to_thread(stamps.run, integrity)
    wrong_key = bool(key) and not (signature and signature.fingerprint == key.strip().lower())
    if wrong_key:
        notes.append(f"Not signed with the key {key}.")
    quotes: list[BundleQuote] = []
    missing: list[str] = []
    pages = 0
    try:
        with await asyncio.to_thread(BundleArchive.open, path, tolerant=True) as archive:
            reader = ArchiveReader(archive, responses)
            quotes = [await find_quote(reader, quote) for quote in archive.quotes]
            pages = sum(1 for _ in archive.pages())
            missing = _not_captured(archive)
    except WebquarryError as error:
        if not integrity.problems:
            raise
        notes.append(f"Quotations could not be looked up: {error}")
    return BundleCheck(
        file=path.name,
        verdict=_verdict(integrity, quotes, wrong_key=wrong_key),
        signature=signature,
        timestamp=stamp,
        records=integrity.records,
        pages=pages,
        problems=integrity.problems,
        quotes=quotes,
        notCaptured=tuple(missing),
        notes=tuple(notes),
    )


async def find_quote(reader: ArchiveReader, quote: Anchor) -> BundleQuote:
    """Return whether a quotation is in a captured source, and else why not."""
    if not reader.captures(quote.url):
        reason = "the bundle has no capture of this page"
        return BundleQuote(url=quote.url, quote=quote.quote, status="no_capture", reason=reason)
    texts = await reader.texts(quote.url)
    for record, text in texts:
        if holds(text, quote.quote):
            return BundleQuote(
                url=quote.url, quote=quote.quote, status="found", capturedAt=record.date
            )
    status: FoundQuote = "not_in_capture" if texts else "unreadable"
    reason = "the captured page does not have these words"
    if not texts:
        reason = "the captured page could not be read"
    return BundleQuote(url=quote.url, quote=quote.quote, status=status, reason=reason)


def _not_captured(archive: BundleArchive) -> list[str]:
    package = archive.read_json(PACKAGE)
    try:
        return [cap_text(str(url), 2000) for url in package["evidence"]["notCaptured"]]
    except (KeyError, TypeError):  # a bundle of another program
        return []


def _verdict(
    integrity: IntegrityCheck, quotes: list[BundleQuote], *, wrong_key: bool
) -> BundleVerdict:
    statuses = {quote.status for quote in quotes}
    if integrity.problems or wrong_key or "not_in_capture" in statuses:
        return "altered"
    if integrity.signature is None:
        return "unsigned"
    return "incomplete" if statuses & {"no_capture", "unreadable"} else "intact"
