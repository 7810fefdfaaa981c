"""A crawl or batch in one of the forms that it can be exported in, as a stream of bytes."""

import time
import zipfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from webquarry.content.export.llms_text import full_text_part
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.crawl.service import CrawlService
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawledPage, CrawlJob, Format
from webquarry.services.exports import page_rows
from webquarry.services.exports.byte_sink import ByteSink
from webquarry.services.exports.site_export import SiteExport, listed_page

ExportForm = Literal["jsonl", "csv", "parquet", "markdown", "llms", "llms-full"]
EXPORT_FORMS: tuple[ExportForm, ...] = get_args(ExportForm)
# file name and media type of each form
_FILES: dict[ExportForm, tuple[str, str]] = {
    "jsonl": ("crawl-{id}.jsonl", "application/x-ndjson"),
    "csv": ("crawl-{id}.csv", "text/csv; charset=utf-8"),
    "parquet": ("crawl-{id}.parquet", "application/vnd.apache.parquet"),
    "markdown": ("crawl-{id}.zip", "application/zip"),
    "llms": ("llms.txt", "text/plain; charset=utf-8"),
    "llms-full": ("llms-full.txt", "text/plain; charset=utf-8"),
}
_FORMATS: tuple[Format, ...] = get_args(Format)
_ROW_FORMS = ("jsonl", "csv", "parquet")  # those with a column for each format
_DEFAULT_FORMATS: tuple[Format, ...] = ("markdown",)
_BATCH = 20  # pages


@dataclass(frozen=True)
class ExportStream:
    """A file that is made while it is sent."""

    name: str
    media_type: str
    chunks: AsyncGenerator[bytes]


def media_types() -> tuple[str, ...]:
    """Return the media types of all forms."""
    return tuple(media_type.partition(";")[0] for _, media_type in _FILES.values())


def export_form(name: str) -> ExportForm:
    """Return the form of this name; `BadInputError` if there is none."""
    for form in EXPORT_FORMS:
        if form == name:
            return form
    raise BadInputError(
        f"as: {name!r} is none of {', '.join(EXPORT_FORMS)}", details={"fields": ["as"]}
    )


def page_formats(values: Sequence[str]) -> tuple[Format, ...]:
    """Return the formats in a list, or in texts with commas; `BadInputError` for others."""
    names = [name.strip() for value in values for name in value.split(",")]
    if unknown := [name for name in names if name not in _FORMATS]:
        raise BadInputError(
            f"formats: {unknown[0]!r} is none of {', '.join(_FORMATS)}",
            details={"fields": ["formats"]},
        )
    return tuple(name for name in _FORMATS if name in names)


def export_stream(
    crawling: CrawlService,
    job: CrawlJob,
    caller: Caller,
    form: ExportForm,
    formats: Sequence[Format] = (),
) -> ExportStream:
    """Return the pages of a job as one file. `formats` are the contents of the row forms."""
    if formats and form not in _ROW_FORMS:
        raise BadInputError(
            f"formats: {form} has Markdown only; use {', '.join(_ROW_FORMS)}",
            details={"fields": ["formats"]},
        )
    if form == "parquet":
        page_rows.load_arrow()  # an error now, not in the middle of the stream
    name, media_type = _FILES[form]
    chunks = _chunks(crawling, job, caller, form, formats)
    return ExportStream(name.format(id=job.id), media_type, chunks)


def _chunks(
    crawling: CrawlService,
    job: CrawlJob,
    caller: Caller,
    form: ExportForm,
    formats: Sequence[Format],
) -> AsyncGenerator[bytes]:
    selected = tuple(formats) or job.request.formats or _DEFAULT_FORMATS
    export = SiteExport(crawling, job, caller)
    match form:
        case "jsonl":
            return page_rows.jsonl(crawling.export(job.id, caller, selected))
        case "csv":
            return page_rows.csv(_pages(crawling, job, caller, selected), selected)
        case "parquet":
            return page_rows.parquet(_pages(crawling, job, caller, selected), selected)
        case "markdown":
            return _zip(export)
        case "llms":
            return _llms(export)
        case "llms-full":
            return _llms_full(export)


async def _pages(
    crawling: CrawlService, job: CrawlJob, caller: Caller, formats: Sequence[Format]
) -> AsyncGenerator[CrawledPage]:
    place = 0
    while True:
        batch, _ = await crawling.pages(job.id, caller, place, _BATCH, formats)
        for page in batch:
            yield page
        if len(batch) < _BATCH:
            return
        place += len(batch)


async def _zip(export: SiteExport) -> AsyncGenerator[bytes]:
    sink = ByteSink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        async for file in export.files(await export.paths()):
            entry = zipfile.ZipInfo(file.path, time.gmtime()[:6])
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.content)
            yield sink.take()
    yield sink.take()


async def _llms(export: SiteExport) -> AsyncGenerator[bytes]:
    yield (await export.llms()).encode("utf-8", "replace")


async def _llms_full(export: SiteExport) -> AsyncGenerator[bytes]:
    async for _, page, markdown in export.pages():
        listed = listed_page(page, "", link=page.url)
        text = full_text_part(listed, markdown)
        yield without_invisible(text).encode("utf-8", "replace")
