"""Watches pages: their main content, a part of it, their fields, or the entries of a feed."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from webquarry.content.changes.whole_page_text import page_text
from webquarry.content.html.selected_elements import selected_page
from webquarry.errors import PageError, ParseLimitError
from webquarry.models.changes import (
    EntriesVersion,
    FieldState,
    FieldsVersion,
    PageVersion,
    Version,
    WatchedEntry,
)
from webquarry.models.extraction import ExtractedPage
from webquarry.models.monitor import Monitor, MonitorTarget
from webquarry.models.reading import PageValidators, Reading, ReadMode
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.conditional_reader import ConditionalReader
from webquarry.services.extraction.service import ExtractionService, LlmUsageTotal
from webquarry.services.watching.known_entries import with_earlier
from webquarry.services.watching.observing import EarlierVersion, Observation, owner_of

_HTML = "text/html; charset=utf-8"
_MAX_FIELDS = 500


@dataclass(frozen=True, kw_only=True)
class PageContentObserver:
    """Reads pages as every other tool does, with conditional requests first."""

    reader: ConditionalReader
    parsers: Parsers
    extraction: Callable[[], ExtractionService]
    clock: Callable[[], float] = time.time

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        """Return the page, or that it has not changed."""
        target = monitor.definition.target
        needs_source = bool(target.selector or target.has_fields or not target.words)
        mode = ReadMode(strategy="dynamic" if target.render else "smart", keep_source=needs_source)
        known = monitor.progress.validators if monitor.versions else PageValidators()
        read = await self.reader.read(target.target, known, mode)
        if read.reading is None:
            return Observation(version=None, validators=read.validators)
        version = await self._version(monitor, read.reading, earlier)
        return Observation(version=version, validators=read.validators)

    async def _version(
        self, monitor: Monitor, reading: Reading, earlier: EarlierVersion
    ) -> Version:
        target, now = monitor.definition.target, self.clock()
        if reading.document and reading.document.entries:
            return _feed(reading, await earlier.entries(), now)
        if target.has_fields:
            return await self._fields(monitor, reading, now)
        markdown = await self._selected(target, reading)
        if target.words:
            markdown = passages_with(markdown, target.words)
        version = PageVersion(
            url=reading.final_url, title=reading.metadata.title, markdown=markdown, at=now
        )
        if target.selector or target.words or _is_same(version, await earlier.get()):
            return version
        return version.model_copy(update={"page_text": await self._page_text(reading)})

    async def _page_text(self, reading: Reading) -> str:
        """Return what the page shows in and outside of its main content; empty: unknown."""
        if not reading.source:
            return ""
        task = ParseTask(page_text, subject=f"The page {reading.final_url}")
        try:
            return await self.parsers.run(
                task, reading.source.encode("utf-8", "replace"), content_type=_HTML
            )
        except ParseLimitError:  # its main content could be read, and is compared without it
            return ""

    async def _selected(self, target: MonitorTarget, reading: Reading) -> str:
        if not target.selector:
            return reading.markdown
        chosen = await self.parsers.run(
            ParseTask(selected_page, subject=f"The page {reading.final_url}"),
            reading.source.encode("utf-8", "replace"),
            url=reading.final_url,
            content_type=_HTML,
            include=(target.selector,),
        )
        if not chosen.markdown.strip():
            raise PageError(
                f"selector: {target.selector!r} matches no text on {reading.final_url} now."
            )
        return chosen.markdown

    async def _fields(self, monitor: Monitor, reading: Reading, now: float) -> FieldsVersion:
        target, service = monitor.definition.target, self.extraction()
        request = service.request(target.fields or "", target.json_schema)
        page = await service.extract(
            target.target, reading, request, owner_of(monitor), LlmUsageTotal()
        )
        return FieldsVersion(url=reading.final_url, values=field_states(page), at=now)


def _is_same(version: PageVersion, earlier: Version | None) -> bool:
    """Tell whether the main content is what it was: then nothing is compared or stored."""
    return isinstance(earlier, PageVersion) and (earlier.title, earlier.markdown) == (
        version.title, version.markdown,
    )  # fmt: skip


def passages_with(markdown: str, words: Sequence[str]) -> str:
    """Return the passages that have one of the words, in any case."""
    wanted = [word.casefold() for word in words]
    passages = (passage.strip() for passage in markdown.split("\n\n"))
    return "\n\n".join(p for p in passages if any(word in p.casefold() for word in wanted))


def field_states(page: ExtractedPage) -> dict[str, FieldState]:
    """Return the values of a page by JSON pointer, each with the words that state it."""
    states: dict[str, FieldState] = {}
    for pointer, value in _leaves(page.data, ""):
        source = page.sources.get(pointer) if page.sources else None
        states[pointer] = FieldState(value=value, quote=source.quote if source else "")
        if len(states) == _MAX_FIELDS:
            break
    return states


def _leaves(value: Any, pointer: str) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return [leaf for name, each in named.items() for leaf in _leaves(each, f"{pointer}/{name}")]
    if isinstance(value, list | tuple):
        listed = cast("Sequence[Any]", value)
        return [leaf for n, each in enumerate(listed) for leaf in _leaves(each, f"{pointer}/{n}")]
    return [(pointer, value)]


def _feed(reading: Reading, earlier: Mapping[str, WatchedEntry], now: float) -> EntriesVersion:
    entries = tuple(
        WatchedEntry(key=each.key, title=each.title, url=each.url)
        for each in (reading.document.entries if reading.document else ())
    )
    return EntriesVersion(
        url=reading.final_url, entries=with_earlier(entries, earlier), rolling=True, at=now
    )
