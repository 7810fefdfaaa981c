"""Passages that can be checked later: linked, quoted, and kept as they were."""

import difflib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from webquarry.content.claims.text_fragments import (
    PageText,
    directives_in,
    normalised,
    with_fragment,
    without_fragment,
)
from webquarry.content.markdown.parse import visible_text
from webquarry.content.text.sentences import sentences_of
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.reading import Reading
from webquarry.models.research import Anchor, QuoteCheck, Stored
from webquarry.reading.read_many import failure_of
from webquarry.storage.captures import Captures

_SIMILAR = 0.6  # share of equal letters from which a sentence is a changed quotation
_HEX = frozenset("0123456789abcdef")


class RereadsPages(Protocol):
    """Reads a page as it is now, whatever is remembered of it."""

    async def reread(self, url: str, caller: Caller) -> Reading:
        """Return the page; raise an error of ours when it cannot be read."""
        ...


@dataclass(frozen=True)
class Quotable:
    """A page from which may be quoted."""

    url: str
    sha256: str
    text: PageText

    def anchor(self, passage: str) -> Anchor | None:
        """Return the passage with its link; None when the page does not say that."""
        span = self.text.span_of(passage)
        if span is None:
            return None
        directive = self.text.directive_for(span)
        return Anchor(
            url=with_fragment(self.url, directive) if directive else self.url,
            quote=self.text.text[span.start : span.end],
            sha256=self.sha256,
        )

    def anchors(self, passages: Iterable[str]) -> list[Anchor]:
        """Return the passages that are there, with their links."""
        return [anchor for passage in passages if (anchor := self.anchor(passage))]


class Evidence:
    """Keeps what was quoted and checks quotations."""

    def __init__(
        self, captures: Captures, reading: RereadsPages, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.captures = captures
        self._reading = reading
        self._clock = clock

    async def quotable(self, reading: Reading, caller: Caller) -> Quotable:
        """Keep the page as it is and return it ready to be quoted."""
        text = PageText(visible_text(reading.markdown))
        page = without_fragment(reading.address)
        capture = await self.captures.keep(
            page,
            reading.metadata.title,
            text.text,
            tenant=caller.tenant,
            owner=caller.user,
        )
        return Quotable(page, capture.sha256, text)

    async def verify(self, anchor: Anchor, caller: Caller, *, live: bool = False) -> QuoteCheck:
        """Look for the quotation in the kept capture and, when asked, on the page of today."""
        anchor = _checked(anchor)
        page = without_fragment(anchor.url)
        capture = None
        if anchor.sha256:
            capture = await self.captures.get(
                page, anchor.sha256, tenant=caller.tenant, owner=caller.user
            )
        finding = QuoteCheck(url=page, quote=anchor.quote, stored="no_capture")
        if capture:
            there = PageText(capture.text).span_of(anchor.quote) is not None
            verdict: Stored = "verified" if there else "not_in_capture"
            moment = datetime.fromtimestamp(capture.captured_at, UTC)
            finding = finding.model_copy(
                update={
                    "stored": verdict if capture.is_intact else "altered",
                    "capturedAt": moment.isoformat(timespec="seconds").replace("+00:00", "Z"),
                }
            )
        return await self._seen_live(finding, caller) if live else finding

    async def _seen_live(self, finding: QuoteCheck, caller: Caller) -> QuoteCheck:
        try:
            reading = await self._reading.reread(finding.url, caller)
        except WebquarryError as error:
            failed = failure_of(finding.url, error)
            return finding.model_copy(update={"live": "unreachable", "failure": failed})
        text = PageText(visible_text(reading.markdown))
        if text.span_of(finding.quote):
            return finding.model_copy(update={"live": "found"})
        nearest = _nearest(finding.quote, text.text)
        changed = {"live": "changed" if nearest else "gone", "nearest": nearest}
        return finding.model_copy(update=changed)


def _checked(anchor: Anchor) -> Anchor:
    """Return the anchor with a quotation, from its link if need be; refuse one without any."""
    sha256 = anchor.sha256.strip().lower()
    if sha256 and (len(sha256) != 64 or not _HEX.issuperset(sha256)):
        raise BadInputError("sha256: must be the 64 hexadecimal digits of an anchor")
    passage = normalised(anchor.quote)
    if not passage:
        found = directives_in(anchor.url)
        if not found or found[0].end:
            raise BadInputError(
                "quote: is missing, and the link has no text fragment that spells it out"
            )
        passage = normalised(found[0].start)
    return anchor.model_copy(update={"quote": passage, "sha256": sha256})


def _nearest(passage: str, text: str) -> str | None:
    """Return the sentence that the passage may have become."""
    best, found = _SIMILAR, None
    for sentence in sentences_of(text, shortest=12):
        matcher = difflib.SequenceMatcher(None, passage, sentence, autojunk=False)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            ratio = matcher.ratio()
            if ratio > best:
                best, found = ratio, sentence
    return found
