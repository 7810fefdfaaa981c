"""PDF and Office files in crawls: read and stored like pages."""

from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.databases import crawl_settings, postgres_url, redis_url
from tests.crawl.site import MISSING, Reply, page, running_site
from tests.reading.chromium import needs_chromium
from tests.reading.documents.samples import docx, lines, paragraph, pdf
from webquarry.crawl.service import CrawlService
from webquarry.models.crawl import CrawlJob, CrawlRequest

__all__ = ["crawl_settings", "postgres_url", "redis_url"]

pytestmark = pytest.mark.anyio

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_REPORT = pdf(lines("Annual report of the owls"), title="Report")
_BROKEN = b"%PDF-1.4 nothing else"
_FILES = {
    "/report.pdf": (_REPORT, "application/pdf"),
    "/letter.docx": (docx(paragraph("Dear owl, about the moon.")), _WORD),
    "/download?id=1": (pdf(lines("A file without an extension")), "application/pdf"),
    "/unnamed.pdf": (pdf(lines("A file without a type")), "application/octet-stream"),
    "/broken.pdf": (_BROKEN, "application/pdf"),
    "/photo.pdf": (b"\x89PNG\r\n\x1a\n" + bytes(100), "application/pdf"),
}


def site(path: str, headers: dict[str, str]) -> Reply:
    """Serve a page that links to files of all kinds."""
    if path == "/":
        return page("Files", [*_FILES, "/archive.zip"])
    if path not in _FILES:
        return MISSING
    content, content_type = _FILES[path]
    fields = (("content-type", content_type), ("etag", '"1"'))
    if headers.get("if-none-match") == '"1"':
        return Reply(status=304, headers=fields)
    return Reply(content, headers=fields)


async def _texts(crawling: CrawlService, job: CrawlJob, url: str) -> dict[str, object]:
    pages, _ = await crawling.pages(job.id, ALICE, 0, 100, ("markdown",))
    return {each.url.removeprefix(url): each.content["markdown"] for each in pages}


async def _reasons(crawling: CrawlService, job: CrawlJob, url: str) -> dict[str, str]:
    failures = await crawling.failures(job.id, ALICE)
    return {each.url.removeprefix(url): each.reason for each in failures}


async def test_documents_are_read_and_stored_like_pages(
    tmp_path: Path, crawl_settings: dict[str, str]
) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, crawl_settings) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{running.url}/"))
            texts = await _texts(crawling, job, running.url)
            reasons = await _reasons(crawling, job, running.url)
            pages, _ = await crawling.pages(job.id, ALICE, 0, 100, ("html", "rawHtml", "links"))

    assert {path: text for path, text in texts.items() if path != "/"} == {
        "/report.pdf": "Annual report of the owls",
        "/letter.docx": "Dear owl, about the moon.",
        "/download?id=1": "A file without an extension",
        "/unnamed.pdf": "A file without a type",
    }
    assert reasons == {
        "/broken.pdf": "document", "/photo.pdf": "content_type", "/archive.zip": "content_type",
    }  # fmt: skip
    assert job.progress.errors == 1
    report = next(each for each in pages if each.url.endswith("report.pdf"))
    assert (report.title, report.media_type, report.bytes, report.words) == (
        "Report", "application/pdf", len(_REPORT), 5,
    )  # fmt: skip
    assert dict(report.content) == {
        "html": "<pre>Annual report of the owls</pre>", "rawHtml": "", "links": (),
    }  # fmt: skip


async def test_an_unchanged_document_keeps_its_text(tmp_path: Path) -> None:
    with running_site(site) as running:
        request = CrawlRequest(url=f"{running.url}/report.pdf", max_depth=1)
        async with open_crawl_service(tmp_path) as crawling:
            await run_crawl(crawling, request)
            job = await run_crawl(crawling, request)
            pages, _ = await crawling.pages(job.id, ALICE, 0, 1, ("markdown",))

    assert [(p.title, p.content["markdown"], p.changed, p.bytes) for p in pages] == [
        ("Report", "Annual report of the owls", False, len(_REPORT))
    ]


async def test_documents_can_be_skipped(tmp_path: Path) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{running.url}/", documents=False)
            job = await run_crawl(crawling, request)
            reasons = await _reasons(crawling, job, running.url)

    assert job.progress.pagesCrawled == 1
    assert set(reasons.values()) == {"content_type"}
    assert "/report.pdf" not in running.request_counts()


async def test_a_document_over_the_size_limit_is_skipped(tmp_path: Path) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(url=f"{running.url}/", max_document_bytes=len(_REPORT) - 1)
            job = await run_crawl(crawling, request)
            reasons = await _reasons(crawling, job, running.url)

    assert reasons["/report.pdf"] == "too_large"


@needs_chromium
async def test_a_rendered_crawl_reads_documents_instead_of_showing_them(tmp_path: Path) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, {"CHROME_NO_SANDBOX": "true"}) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{running.url}/", render=True))
            texts = await _texts(crawling, job, running.url)
            reasons = await _reasons(crawling, job, running.url)

    assert texts["/report.pdf"] == "Annual report of the owls"
    assert texts["/letter.docx"] == "Dear owl, about the moon."
    assert texts["/unnamed.pdf"] == "A file without a type"
    assert reasons["/broken.pdf"] == "document"


@needs_chromium
async def test_a_rendered_crawl_without_documents_stores_no_empty_pages(tmp_path: Path) -> None:
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, {"CHROME_NO_SANDBOX": "true"}) as crawling:
            url = f"{running.url}/download?id=1"
            job = await run_crawl(crawling, CrawlRequest(url=url, render=True, documents=False))

    assert (job.state, job.progress.pagesCrawled) == ("failed", 0)
    assert "content_type" in (job.error or "")
