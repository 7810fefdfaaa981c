"""Crawl traps: a crawl of a site full of them ends and reports the skipped URLs."""

from collections import Counter
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Reply, page, running_site
from webquarry.crawl.traps import Traps
from webquarry.models.crawl import CrawlRequest

pytestmark = pytest.mark.anyio

LINKS = [
    "/calendar?day=1", "/session/1?token=1", "/loop/a", "/endless/1", "/big", "/drip", "/private/1",
    "/flaky", "/dead", "/twin/1", "/twin/2", "/file.zip", "/picture", "/deep/", "/good",
]  # fmt: skip
BODY = "The same words, over and over, for everybody who comes along here. " * 8


class TrapSite:
    """A site full of crawl traps."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()

    def __call__(self, path: str, headers: dict[str, str]) -> Reply:
        head = path.partition("?")[0]
        area = head.split("/")[1]
        respond = getattr(self, f"_{area.partition('.')[0]}", None)
        if respond:
            return respond(path)
        return page(path, LINKS) if path in {"/", "/good"} else MISSING

    def _robots(self, path: str) -> Reply:
        lines = b"User-agent: *\nDisallow: /private/\n"
        return Reply(lines, headers=(("content-type", "text/plain"),))

    def _calendar(self, path: str) -> Reply:
        day = int(path.rpartition("=")[2])
        return page(f"Day {day}", [f"/calendar?day={day + step}" for step in (1, 2, 7, 31)])

    def _session(self, path: str) -> Reply:
        number = int(path.rpartition("=")[2])
        return page("Session", [f"/session/1?token={number * 3 + k}" for k in range(3)], BODY)

    def _loop(self, path: str) -> Reply:
        other = "/loop/b" if path.endswith("a") else "/loop/a"
        return Reply(status=302, headers=(("location", other),))

    def _endless(self, path: str) -> Reply:
        next_path = f"/endless/{int(path.rpartition('/')[2]) + 1}"
        return Reply(status=302, headers=(("location", next_path),))

    def _big(self, path: str) -> Reply:
        return Reply(b"<p>x</p>" * (10 * 2**20 // 8))

    def _drip(self, path: str) -> Reply:
        return Reply(endless=True)

    def _private(self, path: str) -> Reply:
        raise AssertionError("robots.txt was ignored")

    def _flaky(self, path: str) -> Reply:
        self.requests[path] += 1
        return page("Flaky", []) if self.requests[path] == 3 else Reply(b"", status=503)

    def _dead(self, path: str) -> Reply:
        return Reply(b"", status=500)

    def _twin(self, path: str) -> Reply:
        return page("Twin", [], BODY + BODY)

    def _picture(self, path: str) -> Reply:
        return Reply(b"\x89PNG", headers=(("content-type", "image/png"),))

    def _deep(self, path: str) -> Reply:
        return page(f"Deep {len(path)}", [f"{path}deep/"])


async def test_a_crawl_of_a_site_full_of_traps_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.05, 0.05, 0.05))
    with running_site(TrapSite()) as site:
        async with open_crawl_service(tmp_path, {"CRAWL_TIMEOUT": "1s"}) as crawling:
            request = CrawlRequest(url=f"{site.url}/", max_depth=90, max_pages=5000)
            job = await run_crawl(crawling, request)
            failures = await crawling.failures(job.id, ALICE, 1000)
            pages, total = await crawling.pages(job.id, ALICE, 0, 1000, ())

    reasons = {one.url.removeprefix(site.url): one.reason for one in failures}
    assert job.state == "completed"
    assert total == len(pages) == job.progress.pagesCrawled
    read = {one.url.removeprefix(site.url).partition("?")[0] for one in pages}
    assert read == {"/", "/good", "/calendar", "/session/1", "/flaky", "/deep/", "/deep/deep/",
                    "/deep/deep/deep/"} | ({"/twin/1", "/twin/2"} & read)  # fmt: skip
    assert len({"/twin/1", "/twin/2"} & read) == 1
    assert sum(one.url.startswith(f"{site.url}/calendar") for one in pages) <= 60
    assert sum(one.url.startswith(f"{site.url}/session") for one in pages) <= 30
    assert reasons["/big"] == "too_large"
    assert reasons["/drip"] == "timeout"
    assert reasons["/private/1"] == "robots"
    assert reasons["/dead"] == "http_500"
    assert reasons["/file.zip"] == reasons["/picture"] == "content_type"
    assert reasons["/loop/a"] == reasons["/loop/b"] == "redirect"
    assert reasons["/endless/11"] == "redirect_loop"
    assert reasons["/deep/deep/deep/deep/"] == "trap"
    assert job.progress.skipped["trap"] > 0
    assert job.progress.skipped["duplicate"] == 1
    assert job.progress.errors == sum(
        one.reason.startswith(("http_", "timeout", "redirect_loop")) for one in failures
    )
    assert sum(job.progress.skipped.values()) + job.progress.errors == len(failures)
    assert site.request_counts()["/big"] == 1
    assert "/file.zip" not in site.request_counts()


@pytest.mark.parametrize(
    ("url", "caught"),
    [
        ("http://a/x/y/z", False),
        ("http://a/blog/2024/05/12/title", False),
        ("http://a/a/b/a/b/a/b/a/b", True),
        ("http://a/" + "s/" * 30, True),
        ("http://a/?" + "q" * 3000, True),
    ],
)
def test_repeating_deep_and_long_urls_are_traps(url: str, caught: bool) -> None:  # noqa: FBT001
    assert Traps().is_trap(url) is caught


def test_numbered_articles_are_not_a_trap() -> None:
    traps = Traps()

    assert not any(traps.is_trap(f"http://a/article-{n}.html") for n in range(5000))
    assert not any(traps.is_trap(f"http://a/2024/05/{n}/story") for n in range(5000))


def test_numbers_may_repeat_in_a_path() -> None:
    assert not Traps().is_trap("http://a/2001/01/01/01/01/01.html")
