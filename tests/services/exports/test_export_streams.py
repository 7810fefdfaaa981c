"""A crawl as one file: JSON lines, CSV, Parquet, a zip of Markdown, llms.txt."""

import csv
import io
import json
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import running_site
from tests.services.exports.sample_site import broken_links, handle
from webquarry.crawl.service import CrawlService
from webquarry.errors import BadInputError, SettingsError
from webquarry.models.crawl import CrawlJob, CrawlRequest, Format
from webquarry.services.exports import page_rows
from webquarry.services.exports.export_streams import (
    ExportForm,
    export_form,
    export_stream,
)

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def crawled(directory: Path) -> AsyncGenerator[tuple[CrawlService, CrawlJob]]:
    with running_site(handle) as site:
        async with open_crawl_service(directory) as crawling:
            request = CrawlRequest(url=f"{site.url}/", max_depth=9)
            yield crawling, await run_crawl(crawling, request)


async def exported(directory: Path, form: ExportForm, *formats: Format) -> bytes:
    async with crawled(directory) as (crawling, job):
        stream = export_stream(crawling, job, ALICE, form, formats)
        return b"".join([chunk async for chunk in stream.chunks])


async def test_csv_has_a_row_for_each_page_and_no_formula(tmp_path: Path) -> None:
    text = (await exported(tmp_path, "csv", "markdown", "links")).decode()

    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    assert len(rows) == 6
    lower = next(row for row in rows if row["url"].endswith("/a"))
    assert lower["title"] == "'=Lower"
    assert (lower["status"], lower["changed"]) == ("200", "")
    assert "Lower case." in lower["markdown"]
    start = next(row for row in rows if row["depth"] == "1")
    assert len(start["links"].split("\n")) == 7


async def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    table = parquet.read_table(arrow.BufferReader(await exported(tmp_path, "parquet", "links")))

    rows = table.to_pylist()
    assert len(rows) == 6
    assert {row["status"] for row in rows} == {200}
    assert len(json.loads(next(row["links"] for row in rows if row["depth"] == 1))) == 7
    assert table.schema.names[-1] == "links"


async def test_parquet_is_written_in_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(page_rows, "_ROWS_PER_GROUP", 4)

    content = await exported(tmp_path, "parquet")

    file = parquet.ParquetFile(arrow.BufferReader(content))
    assert (file.num_row_groups, file.metadata.num_rows) == (2, 6)


async def test_without_pyarrow_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(page_rows, "import_module", missing)
    async with crawled(tmp_path) as (crawling, job):
        with pytest.raises(SettingsError, match=r"pip install 'webquarry\[parquet\]'"):
            export_stream(crawling, job, ALICE, "parquet")


async def test_the_zip_is_the_folder(tmp_path: Path) -> None:
    content = await exported(tmp_path, "markdown")

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "site")
    assert len(list((tmp_path / "site").rglob("*.md"))) == 6
    assert [link for link in broken_links(tmp_path / "site") if "#none" not in link] == []


async def test_json_lines_have_all_fields(tmp_path: Path) -> None:
    lines = (await exported(tmp_path, "jsonl", "text")).decode().splitlines()

    rows = [json.loads(line) for line in lines]
    assert len(rows) == 6
    assert set(rows[0]["content"]) == {"text"}


async def test_llms_txt_lists_the_site(tmp_path: Path) -> None:
    text = (await exported(tmp_path, "llms")).decode()

    head, pages, guide = text.split("\n## ")
    assert head.startswith("# Heat\n\n> Heat pumps move heat from the air")
    assert pages.startswith("Pages\n\n- [Heat](http://127.0.0.1:")
    assert guide.startswith("Guide\n\n- [Guide](http://127.0.0.1:")
    assert guide.count("\n- [") == 2


async def test_llms_full_txt_has_the_text_of_every_page(tmp_path: Path) -> None:
    text = (await exported(tmp_path, "llms-full")).decode()

    assert text.count("\nSource: http://127.0.0.1:") == 6
    assert "## Valve" in text


async def test_formats_are_refused_where_they_would_be_ignored(tmp_path: Path) -> None:
    async with crawled(tmp_path) as (crawling, job):
        with pytest.raises(BadInputError, match="formats: llms has Markdown only"):
            export_stream(crawling, job, ALICE, "llms", ("html",))


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(BadInputError, match="as: 'xml' is none of jsonl, csv, parquet"):
        export_form("xml")
