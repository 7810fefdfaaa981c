"""JSON results of a SearXNG or searx instance (https://docs.searxng.org/dev/search_api.html)."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from webquarry.content.ranking.result_urls import is_http_url
from webquarry.content.text.snippets import plain_text
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.json_payload import decode_json
from webquarry.searxng.json_extras import read_extras
from webquarry.searxng.query_values import Hit, InstancePage

_RESOLUTION = re.compile(r"(\d{1,6})\s*[x\u00d7*]\s*(\d{1,6})")


def read_json(response: FetchedResponse, *, name: str, now: float) -> InstancePage:
    """Return the results; `PayloadError` for anything that is not a search response."""
    payload = decode_json(_SearchResponse, response, provider=name)
    hits = _hits(payload.results, now)
    return InstancePage(
        hits=hits,
        total=int(payload.number_of_results or 0),
        unresponsive=tuple(
            failure for row in payload.unresponsive_engines or () if (failure := _failure(row))
        ),
        unusable=len(payload.results) - len(hits),
        extras=read_extras(
            payload.answers, payload.infoboxes, payload.suggestions, payload.corrections
        ),
    )


def _parse_resolution(text: Any) -> "_Resolution":
    match = _RESOLUTION.search(text) if isinstance(text, str) else None
    return (int(match[1]), int(match[2])) if match else _NO_RESOLUTION


_Resolution = tuple[int, int] | tuple[None, None]
_NO_RESOLUTION = (None, None)


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Result(_Wire):
    title: str | None = None
    url: str | None = None
    content: str | None = None
    score: float | None = None
    engine: str | None = None
    engines: tuple[str, ...] | None = None
    # searx writes a timestamp to `pubdate` and text like "2 hours ago" to the other
    pubdate: str | None = None
    published_date: str | None = Field(default=None, alias="publishedDate")
    img_src: str | None = None
    thumbnail: str | None = None
    thumbnail_src: str | None = None
    source: str | None = None
    resolution: Annotated[_Resolution, BeforeValidator(_parse_resolution)] = _NO_RESOLUTION
    filesize: Any = None  # text in some engines, a number in others


class _SearchResponse(_Wire):
    results: tuple[_Result, ...]
    number_of_results: float | None = None
    unresponsive_engines: tuple[Any, ...] | None = None
    # whatever these are, they do not make the results invalid
    answers: Any = None
    infoboxes: Any = None
    suggestions: Any = None
    corrections: Any = None


def _hits(results: Sequence[_Result], now: float) -> tuple[Hit, ...]:
    """Return the results that have a web URL."""
    return tuple(
        Hit(
            title=plain_text(result.title) or url,
            url=url,
            description=plain_text(result.content),
            score=result.score or 0.0,
            engines=engines
            if (engines := result.engines or ()) == (result.engine,)  # nearly always
            else tuple(dict.fromkeys(filter(None, (result.engine, *engines)))),
            published=to_rfc3339(result.pubdate, now) or to_rfc3339(result.published_date, now),
            image=result.img_src or "",
            thumbnail=result.thumbnail_src or result.thumbnail or "",
            source=result.source or "",
            width=result.resolution[0],
            height=result.resolution[1],
            size=str(result.filesize or ""),
        )
        for result in results
        if is_http_url(url := result.url or "")
    )


def _failure(row: Any) -> tuple[str, str] | None:
    """Return an engine and why it failed; instances write pairs, some with further parts."""
    parts = [str(part) for part in row] if isinstance(row, list | tuple) else [str(row)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return (parts[0], " ".join(parts[1:])) if parts else None
