"""Reads the source of a reference: an open copy, its page, or else its abstract."""

from collections.abc import Iterable
from dataclasses import dataclass

from webquarry.content.citations.identifiers import doi_url
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.document_check import SourceKind, SourceRead
from webquarry.models.links import LinkCheck
from webquarry.models.reading import Reading
from webquarry.models.works import Paper
from webquarry.reading.service import ReadingService
from webquarry.services.link_check import left_for_root
from webquarry.services.trust.bibliography_audit import ReferenceAudit

_MAX_BYTES = 400 * 1024
_MAX_URLS = 3
_LINK_SECONDS = 20.0  # a slower page is read later, and its link checked by a shorter request
_NO_WORK = "No registry lists the cited work."
_NOTHING = "There is neither a page nor an abstract to read."


@dataclass(frozen=True)
class SourceText:
    """The text of a source."""

    read: SourceRead
    text: str = ""
    reading: Reading | None = None  # None: an abstract of a registry
    title: str = ""


class SourceTexts:
    """Reads the sources of references that were audited."""

    def __init__(self, reading: ReadingService) -> None:
        self._reading = reading

    async def read(self, audit: ReferenceAudit, caller: Caller) -> SourceText:
        """Return the text; one that cannot be read has the reasons instead."""
        record = audit.existence.record
        reasons: list[str] = []
        for kind, url in list(_urls(audit))[:_MAX_URLS]:
            try:
                scraped = await self._reading.scrape(url, "full", _MAX_BYTES, caller)
            except WebquarryError as error:
                reasons.append(str(error))
                continue
            reading, text = scraped.reading, scraped.page.content
            if reading is not None and not reading.wall and text.strip():
                return SourceText(SourceRead(kind=kind, url=reading.final_url), text, reading)
            reasons.append(f"{url} shows no text to read.")
        if record and record.abstract:
            read = SourceRead(kind="abstract", url=record.url)
            return SourceText(read, record.abstract, title=record.title)
        if audit.existence.standing == "not_found":
            reasons = [_NO_WORK]
        why = " ".join(dict.fromkeys(reasons)) or audit.reason or _NOTHING
        return SourceText(SourceRead(reason=why))

    async def link(self, url: str, caller: Caller) -> LinkCheck | None:
        """Return that a link is alive if its page can be read, which is then in the cache."""
        try:
            page = await self._reading.read(
                url, seconds=_LINK_SECONDS, max_bytes=_MAX_BYTES, owner=caller
            )
        except WebquarryError:  # the check of the link finds out why
            return None
        if left_for_root(url, page.url):
            return None
        return LinkCheck(url=url, outcome="live", finalUrl=page.url if page.url != url else None)


def _urls(audit: ReferenceAudit) -> Iterable[tuple[SourceKind, str]]:
    """Yield the URLs where the source may be read, best first."""
    record = audit.existence.record
    found: dict[str, SourceKind] = {}
    if record and record.pdfUrl:
        found[record.pdfUrl] = "open_copy"
    for url in (*(audit.link.readable_urls if audit.link else ()), *_record_urls(record)):
        found.setdefault(url, "page")
    return [(kind, url) for url, kind in found.items() if url.startswith("http")]


def _record_urls(record: Paper | None) -> tuple[str, ...]:
    if record is None:
        return ()
    return (record.url, doi_url(record.doi) if record.doi else "")
