"""The JSON of a SearXNG or searx instance (https://docs.searxng.org/dev/search_api.html)."""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from webquarry.content.ranking.result_urls import is_web
from webquarry.content.text.snippets import plain
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.json_payload import decode
from webquarry.searxng.query_values import Hit, InstancePage

_RESOLUTION = re.compile(r"(\d{1,6})\s*[x\u00d7*]\s*(\d{1,6})")


def read_json(response: Response, *, name: str, now: float) -> InstancePage:
    """Return the results; `PayloadError` for anything that is not an answer to a search."""
    answer = decode(_Answer, response, provider=name)
    hits = tuple(result.to_hit(now) for result in answer.results if is_web(result.url or ""))
    return InstancePage(
        hits=hits,
        total=int(answer.number_of_results or 0),
        unresponsive=tuple(
            (row[0], row[1]) for row in map(_reason, answer.unresponsive_engines or ()) if row
        ),
        unusable=len(answer.results) - len(hits),
    )


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Result(_Wire):
    title: str | None = None
    url: str | None = None
    content: str | None = None
    score: float | None = None
    engine: str | None = None
    engines: tuple[str, ...] | None = None
    # searx writes the moment into `pubdate` and words like "2 hours ago" into the other
    pubdate: str | None = None
    published_date: str | None = Field(default=None, alias="publishedDate")
    img_src: str | None = None
    thumbnail: str | None = None
    thumbnail_src: str | None = None
    source: str | None = None
    resolution: str | None = None
    filesize: Any = None  # text in some engines, a number in others

    def to_hit(self, now: float) -> Hit:
        url = self.url or ""
        pixels = _RESOLUTION.search(self.resolution) if self.resolution else None
        moment = to_rfc3339(self.pubdate, now) if self.pubdate else None
        return Hit(
            title=plain(self.title) or url,
            url=url,
            description=plain(self.content),
            score=self.score or 0.0,
            engines=_engines(self.engine, self.engines or ()),
            published=moment or to_rfc3339(self.published_date, now),
            image=self.img_src or "",
            thumbnail=self.thumbnail_src or self.thumbnail or "",
            source=self.source or "",
            width=int(pixels[1]) if pixels else None,
            height=int(pixels[2]) if pixels else None,
            size=str(self.filesize or ""),
        )


class _Answer(_Wire):
    results: tuple[_Result, ...]
    number_of_results: float | None = None
    unresponsive_engines: tuple[Any, ...] | None = None


def _engines(first: str | None, others: tuple[str, ...]) -> tuple[str, ...]:
    if len(others) == 1 and first in {None, "", others[0]}:  # nearly always
        return others
    return tuple(dict.fromkeys((first, *others) if first else others))


def _reason(row: Any) -> tuple[str, str] | None:
    """Return the engine and its failure; instances write pairs, and some of them more."""
    parts = [str(part) for part in row] if isinstance(row, list | tuple) else [str(row)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return (parts[0], " ".join(parts[1:])) if parts else None
