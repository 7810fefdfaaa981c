"""The pages of a crawl or batch as the rows of a table: JSON lines, CSV and Parquet."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from importlib import import_module
from typing import Any

from webquarry.content.export.csv_rows import csv_row
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import SettingsError
from webquarry.models.crawl import CrawledPage, Format
from webquarry.services.cinder.cinder_crawls import rfc3339_of
from webquarry.services.exports.byte_sink import ByteSink

Pages = AsyncGenerator[CrawledPage]

_ROWS_PER_GROUP = 200  # pages that Parquet compresses together
# columns before those of the formats, with the type of each in Parquet
_COLUMNS: dict[str, tuple[str, Callable[[CrawledPage], object]]] = {
    "url": ("string", lambda page: page.url),
    "title": ("string", lambda page: page.title),
    "status": ("int32", lambda page: page.status),
    "depth": ("int32", lambda page: page.depth),
    "media_type": ("string", lambda page: page.media_type),
    "words": ("int64", lambda page: page.words),
    "bytes": ("int64", lambda page: page.bytes),
    "link_count": ("int64", lambda page: page.links),
    "fetched": ("string", lambda page: rfc3339_of(page.fetched_at)),
    "hash": ("string", lambda page: page.hash),
    "changed": ("bool_", lambda page: page.changed),
    "near_duplicate_of": ("string", lambda page: page.near_duplicate_of),
}


async def jsonl(lines: AsyncIterator[str]) -> AsyncGenerator[bytes]:
    """Yield the lines of JSON, one for each page."""
    async for line in lines:
        yield _bytes(line)


async def csv(pages: Pages, formats: Sequence[Format]) -> AsyncGenerator[bytes]:
    """Yield the rows of a CSV file, the first with the names of the columns."""
    yield _bytes(csv_row((*_COLUMNS, *formats)))
    async for page in pages:
        values = [value(page) for _, value in _COLUMNS.values()]
        yield _bytes(csv_row((*values, *(page.content.get(name) for name in formats))))


async def parquet(pages: Pages, formats: Sequence[Format]) -> AsyncGenerator[bytes]:
    """Yield the parts of a Parquet file."""
    arrow, arrow_parquet = load_arrow()
    schema = arrow.schema(
        [(name, getattr(arrow, kind)()) for name, (kind, _) in _COLUMNS.items()]
        + [(name, arrow.string()) for name in formats]
    )
    sink = ByteSink()
    rows: list[dict[str, object]] = []
    with arrow_parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        async for page in pages:
            rows.append(_record(page, formats))
            if len(rows) == _ROWS_PER_GROUP:
                writer.write_table(arrow.Table.from_pylist(rows, schema))
                rows = []
                yield sink.take()
        if rows:
            writer.write_table(arrow.Table.from_pylist(rows, schema))
    yield sink.take()


def load_arrow() -> tuple[Any, Any]:
    """Return the modules that write Parquet; `SettingsError` if they are not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise SettingsError(
            "Parquet needs the package pyarrow: pip install 'webquarry[parquet]'. "
            "JSON lines and CSV need no package."
        ) from error


def _record(page: CrawledPage, formats: Sequence[Format]) -> dict[str, object]:
    record = {name: _valid(value(page)) for name, (_, value) in _COLUMNS.items()}
    return record | {name: _cell(page.content.get(name)) for name in formats}


def _cell(value: object) -> object:
    """Return a text as it is, anything else as JSON: one column has one type."""
    is_text = value is None or isinstance(value, str)
    return _valid(value if is_text else json.dumps(value, ensure_ascii=False, default=_plain))


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json", exclude_none=True)


def _valid(value: object) -> object:
    return _bytes(value).decode() if isinstance(value, str) else value


def _bytes(text: str) -> bytes:
    return without_invisible(text).encode("utf-8", "replace")
