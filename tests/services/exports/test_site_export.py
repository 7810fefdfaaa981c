"""A crawl as a folder of Markdown files, read back as a user would."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yaml

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import Reply, page, running_site
from tests.services.exports.sample_site import broken_links, handle
from webquarry.crawl.service import CrawlService
from webquarry.crawl.stored_pages import StoredScreenshot
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.services.exports.export_folder import MANIFEST, FolderSummary
from webquarry.services.exports.write_export import export_folder

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def crawled(
    directory: Path, start: str = "/"
) -> AsyncGenerator[tuple[CrawlService, CrawlJob, str]]:
    with running_site(handle) as site:
        async with open_crawl_service(directory / "data") as crawling:
            request = CrawlRequest(url=f"{site.url}{start}", max_depth=9)
            yield crawling, await run_crawl(crawling, request), site.url


async def test_pages_become_files_whose_links_lead_to_files(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    async with crawled(tmp_path) as (crawling, job, url):
        summary = await export_folder(crawling, job, ALICE, folder)

    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    upper = next(name for name in files if name.startswith("A"))
    assert files == {
        MANIFEST, "index.md", "guide/index.md", "guide/parts.md", "notes.txt.md", "A.md",
        next(name for name in files if name.startswith("a-")),
    }  # fmt: skip
    assert upper == "A.md"
    assert summary == FolderSummary(written=6)
    assert broken_links(folder) == [
        "guide/parts.md: ../" + next(name for name in files if name.startswith("a-"))
        + "#none (no such place)"  # the page has none either
    ]  # fmt: skip
    start = (folder / "index.md").read_text("utf-8")
    assert "[Guide](guide/index.md)" in start
    assert "[The valve](guide/parts.md#valve)" in start
    assert "[Other](https://other.test/x#y)" in start
    assert f"[Gone]({url}/gone)" in start
    guide = (folder / "guide/index.md").read_text("utf-8")
    assert "[Home](../index.md), [parts](parts.md), [start](../index.md), [the end](#end)" in guide
    parts = (folder / "guide/parts.md").read_text("utf-8")
    assert "[the guide](index.md)" in parts
    assert "[not a link](/guide/)" in parts
    assert '<a id="valve"></a>\n\n## Valve' in parts


async def test_the_folder_is_a_site_that_mkdocs_builds_without_a_warning(tmp_path: Path) -> None:
    async with crawled(tmp_path) as (crawling, job, _):
        await export_folder(crawling, job, ALICE, tmp_path / "docs")
    (tmp_path / "mkdocs.yml").write_text("site_name: Heat\n", "utf-8")

    built = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet",
        cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env={"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    output, _ = await built.communicate()

    assert (built.returncode, output) == (0, b"")
    html = (tmp_path / "site/guide/parts/index.html").read_text("utf-8")
    assert '<a id="valve"></a>' in html
    assert 'href="../"' in html
    assert len(list((tmp_path / "site").rglob("index.html"))) == 6


async def test_front_matter_says_where_and_when_a_page_was_read(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    async with crawled(tmp_path) as (crawling, job, url):
        await export_folder(crawling, job, ALICE, folder)
        pages, _ = await crawling.pages(job.id, ALICE)

    notes = (folder / "notes.txt.md").read_text("utf-8")
    _, head, body = notes.split("---\n", 2)
    stored = next(each for each in pages if each.url.endswith("notes.txt"))
    assert yaml.safe_load(head) == {
        "url": f"{url}/notes.txt",
        "title": stored.title,
        "fetched": yaml.safe_load(head)["fetched"],
        "hash": f"sha256:{stored.hash}",
        "words": 13,
        "http_status": 200,
    }
    assert body == (
        "\n```text\nSome *notes* about the house, as plain text without any markup at all.\n```\n"
    )


async def test_a_folder_without_a_start_page_gets_an_index(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    with running_site(handle) as site:
        async with open_crawl_service(tmp_path / "data") as crawling:
            request = CrawlRequest(url=f"{site.url}/guide/parts.html", max_depth=1)
            job = await run_crawl(crawling, request)
            await export_folder(crawling, job, ALICE, folder)

    index = (folder / "index.md").read_text("utf-8")
    assert index.startswith(f"# Pages of {site.url}/guide/parts.html\n\n")
    assert "- [Parts](guide/parts.md): Heat pumps move heat" in index
    assert broken_links(folder) == []


async def test_a_second_export_updates_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    async with crawled(tmp_path) as (crawling, job, _):
        await export_folder(crawling, job, ALICE, folder)
        (folder / "guide/index.md").write_text("my own notes", "utf-8")
        (folder / "index.md").unlink()
        (folder / "mine.md").write_text("not a page", "utf-8")
        before = (folder / "guide/parts.md").stat().st_mtime_ns

        summary = await export_folder(crawling, job, ALICE, folder)

        assert summary == FolderSummary(written=1, unchanged=4, edited=1)
        assert (folder / "guide/index.md").read_text("utf-8") == "my own notes"
        assert (folder / "mine.md").read_text("utf-8") == "not a page"
        assert (folder / "guide/parts.md").stat().st_mtime_ns == before

        forced = await export_folder(crawling, job, ALICE, folder, force=True)

    assert forced == FolderSummary(written=1, unchanged=5)
    assert (folder / "guide/index.md").read_text("utf-8").startswith("---\nurl: ")
    assert (folder / "mine.md").read_text("utf-8") == "not a page"


async def test_files_of_pages_that_are_gone_are_kept_and_counted(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    async with crawled(tmp_path) as (crawling, job, url):
        await export_folder(crawling, job, ALICE, folder)
        smaller = await run_crawl(crawling, CrawlRequest(url=f"{url}/", max_depth=1))

        summary = await export_folder(crawling, smaller, ALICE, folder)

    assert (summary.older, summary.written + summary.unchanged) == (5, 1)
    assert (folder / "guide/parts.md").is_file()
    assert len(json.loads((folder / MANIFEST).read_bytes())["files"]) == 6


async def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.md").write_text("mine", "utf-8")
    async with crawled(tmp_path) as (crawling, job, _):
        with pytest.raises(BadInputError, match=r"is not empty .* --force"):
            await export_folder(crawling, job, ALICE, folder)
        assert [path.name for path in folder.iterdir()] == ["index.md"]

        await export_folder(crawling, job, ALICE, folder, force=True)

    assert (folder / "index.md").read_text("utf-8").startswith("---\nurl: ")


async def test_a_file_that_appeared_where_a_page_belongs_is_not_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    async with crawled(tmp_path, "/a") as (crawling, job, url):
        await export_folder(crawling, job, ALICE, folder)
        (folder / "guide").mkdir()
        (folder / "guide/parts.md").write_text("mine", "utf-8")
        larger = await run_crawl(crawling, CrawlRequest(url=f"{url}/guide/", max_depth=2))

        with pytest.raises(BadInputError, match=r"parts\.md exists and is no exported page"):
            await export_folder(crawling, larger, ALICE, folder)

    assert (folder / "guide/parts.md").read_text("utf-8") == "mine"


async def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "site", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "guide").symlink_to(outside)
    async with crawled(tmp_path) as (crawling, job, _):
        with pytest.raises(BadInputError, match="is a link out of"):
            await export_folder(crawling, job, ALICE, folder, force=True)

    assert list(outside.iterdir()) == []


async def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MANIFEST).write_text("[]", "utf-8")
    async with crawled(tmp_path) as (crawling, job, _):
        with pytest.raises(BadInputError, match=r"\.webquarry\.json is damaged"):
            await export_folder(crawling, job, ALICE, folder)


async def test_hostile_paths_stay_inside_the_folder(tmp_path: Path) -> None:
    hostile = ["/%2e%2e%2f%2e%2e%2fescape", "/a/..%2f..%2fb", "/C%3A%5Cwindows", "/x%00y", "/con"]

    def hostile_site(path: str, headers: dict[str, str]) -> Reply:
        return page(path, hostile if path == "/" else [])

    folder = tmp_path / "deep" / "site"
    with running_site(hostile_site) as site:
        async with open_crawl_service(tmp_path / "data") as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/"))
            await export_folder(crawling, job, ALICE, folder)

    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"site"}
    assert broken_links(folder) == []
    assert job.progress.pagesCrawled >= 5


async def test_screenshots_are_beside_their_pages_and_updated_with_them(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    async with crawled(tmp_path) as (crawling, job, _):
        stored = crawling.stored_pages
        rows = await stored.readings(job.id, 0, 1)
        images = {1: StoredScreenshot(b"first", "image/png")}

        async def screenshot(job_id: str, number: int) -> StoredScreenshot | None:
            assert job_id == job.id
            return images.get(number)

        stored.screenshot = screenshot
        await export_folder(crawling, job, ALICE, folder)
        first = (folder / "index.png").read_bytes()
        images[1] = StoredScreenshot(b"second", "image/png")
        await export_folder(crawling, job, ALICE, folder)
        second = (folder / "index.png").read_bytes()
        (folder / "index.png").write_bytes(b"edited")
        summary = await export_folder(crawling, job, ALICE, folder)

    assert rows[0].url.endswith("/")
    assert 'screenshot: "index.png"' in (folder / "index.md").read_text("utf-8")
    assert (first, second) == (b"first", b"second")
    assert (folder / "index.png").read_bytes() == b"edited"
    assert summary.edited == 1
