"""Quotations that can be verified later: anchors, captures and live checks."""

import difflib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Concatenate, Protocol

from webquarry.content.claims.text_fragments import (
    PageText,
    directives_in,
    normalize_text,
    with_fragment,
    without_fragment,
)
from webquarry.content.markdown.parse import visible_text
from webquarry.content.text.sentences import sentences_of
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.reading import Reading
from webquarry.models.research import Anchor, QuoteCheck, Stored
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import P, ParseTask, T
from webquarry.reading.read_many import source_failure
from webquarry.storage.captures import Capture, Captures

_MIN_SIMILARITY = 0.6  # share of equal letters of a changed quotation
_HEX = frozenset("0123456789abcdef")


class RereadsPages(Protocol):
    """Reads a page without the cache."""

    async def reread(self, url: str, caller: Caller) -> Reading:
        """Return the page; a `WebquarryError` if it cannot be read."""
        ...


@dataclass(frozen=True)
class Quotable:
    """A captured page, ready to be quoted."""

    url: str
    sha256: str
    text: str  # normalized

    @cached_property
    def _page(self) -> PageText:
        return PageText(self.text)

    def anchor(self, passage: str) -> Anchor | None:
        """Return the passage with its link; None if it is not on the page."""
        span = self._page.span_of(passage)
        if span is None:
            return None
        directive = self._page.directive_for(span)
        return Anchor(
            url=with_fragment(self.url, directive) if directive else self.url,
            quote=self._page.text[span.start : span.end],
            sha256=self.sha256,
        )


def anchors_of(_content: bytes, *, page: Quotable, passages: tuple[str, ...]) -> tuple[Anchor, ...]:
    """Return the passages that are on the page, with their links."""
    return tuple(anchor for passage in passages if (anchor := page.anchor(passage)))


def normalized_text(content: bytes) -> str:
    """Return the visible text of Markdown as it is captured."""
    return normalize_text(visible_text(content.decode("utf-8", "replace")))


def compare_quote(content: bytes, *, quote: str) -> tuple[bool, str | None]:
    """Return whether Markdown has the quotation, and else its most similar sentence."""
    text = PageText(normalized_text(content))
    if text.span_of(quote):
        return True, None
    return False, _nearest(quote, text.text)


class Evidence:
    """Stores captures of quoted pages and verifies quotations."""

    def __init__(
        self,
        captures: Captures,
        reading: RereadsPages,
        *,
        clock: Callable[[], float] = time.time,
        parsers: Parsers | None = None,
    ) -> None:
        self.captures = captures
        self._reading = reading
        self._clock = clock
        self._parsers = parsers or Parsers()

    async def quotable(self, reading: Reading, caller: Caller) -> Quotable:
        """Store a capture of the page and return it, ready to be quoted."""
        title = reading.metadata.title
        return await self.quotable_text(reading.final_url, title, reading.markdown, caller)

    async def quotable_text(self, url: str, title: str, markdown: str, caller: Caller) -> Quotable:
        """Store a capture of a text from this URL and return it, ready to be quoted."""
        task = _task(normalized_text, url)
        text = await self._parsers.run(task, markdown.encode("utf-8", "replace"))
        page = without_fragment(url)
        capture = await self.captures.save(
            page, title, text, tenant=caller.tenant, owner=caller.user
        )
        return Quotable(page, capture.sha256, text)

    async def anchors(self, page: Quotable, passages: Iterable[str]) -> tuple[Anchor, ...]:
        """Return the passages that are on the page, with their links."""
        task = _task(anchors_of, page.url)
        return await self._parsers.compute(
            task, len(page.text), page=page, passages=tuple(passages)
        )

    async def verify(self, anchor: Anchor, caller: Caller, *, live: bool = False) -> QuoteCheck:
        """Look up the quotation in the stored capture and, with `live`, on the current page."""
        anchor = _checked(anchor)
        page = without_fragment(anchor.url)
        capture = await self._capture(page, anchor.sha256, caller) if anchor.sha256 else None
        check = QuoteCheck(url=page, quote=anchor.quote, stored="no_capture")
        if capture:
            is_present = PageText(capture.text).span_of(anchor.quote) is not None
            status: Stored = "verified" if is_present else "not_in_capture"
            captured_at = datetime.fromtimestamp(capture.captured_at, UTC)
            check = check.model_copy(
                update={
                    "stored": status if capture.is_intact else "altered",
                    "capturedAt": captured_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
                }
            )
        return await self._check_live(check, caller) if live else check

    async def _capture(self, url: str, sha256: str, caller: Caller) -> Capture | None:
        for user in caller.users:
            found = await self.captures.get(url, sha256, tenant=caller.tenant, owner=user)
            if found:
                return found
        return None

    async def _check_live(self, check: QuoteCheck, caller: Caller) -> QuoteCheck:
        try:
            reading = await self._reading.reread(check.url, caller)
        except WebquarryError as error:
            failed = source_failure(check.url, error)
            return check.model_copy(update={"live": "unreachable", "failure": failed})
        task = _task(compare_quote, check.url)
        content = reading.markdown.encode("utf-8", "replace")
        is_found, nearest = await self._parsers.run(task, content, quote=check.quote)
        if is_found:
            return check.model_copy(update={"live": "found"})
        changed = {"live": "changed" if nearest else "gone", "nearest": nearest}
        return check.model_copy(update=changed)


def _task(function: Callable[Concatenate[bytes, P], T], url: str) -> ParseTask[P, T]:
    return ParseTask(function, f"The page {url}")


def _checked(anchor: Anchor) -> Anchor:
    """Return the anchor with its quotation; `BadInputError` if it has none."""
    sha256 = anchor.sha256.strip().lower()
    if sha256 and (len(sha256) != 64 or not _HEX.issuperset(sha256)):
        raise BadInputError("sha256: must be the 64 hexadecimal digits of an anchor")
    passage = normalize_text(anchor.quote)
    if not passage:
        found = directives_in(anchor.url)
        if not found or found[0].end:
            raise BadInputError(
                "quote: is missing, and the link has no text fragment that spells it out"
            )
        passage = normalize_text(found[0].start)
    return anchor.model_copy(update={"quote": passage, "sha256": sha256})


def _nearest(passage: str, text: str) -> str | None:
    """Return the sentence most similar to the passage."""
    best, found = _MIN_SIMILARITY, None
    for sentence in sentences_of(text, min_length=12):
        matcher = difflib.SequenceMatcher(None, passage, sentence, autojunk=False)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            ratio = matcher.ratio()
            if ratio > best:
                best, found = ratio, sentence
    return found
