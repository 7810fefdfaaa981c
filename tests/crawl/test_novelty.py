"""Large sites are read completely; sites that never end are read until nothing new comes."""

import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import MISSING, Handler, Reply, running_site
from webquarry.crawl.traps import TrapLimits, Traps, words_of
from webquarry.models.crawl import CrawlJob, CrawlRequest

pytestmark = pytest.mark.anyio

WORDS = [a + b + c for a, b, c in product(("ka", "lo", "mi", "su"), ("ren", "tal", "vop"), "aeiou")]


def seeded(seed: object) -> random.Random:
    # the same pages in every run of the test
    return random.Random(str(seed))  # noqa: S311


FRAME = " ".join(seeded(7).choices(WORDS, k=250))  # what every page of a site has


def html(title: str, body: str, links: list[str]) -> Reply:
    """Return a page that is mostly the frame of its site."""
    items = "".join(f'<li><a href="{link}">more</a></li>' for link in links)
    return Reply(
        f"<html><head><title>{title}</title></head><body><p>{FRAME}</p><h1>{title}</h1>"
        f"<p>{body}</p><ul>{items}</ul></body></html>".encode()
    )


def text(seed: object, words: int = 12) -> str:
    """Return a text of its own for each seed."""
    chosen = seeded(str(seed))
    return " ".join(
        "".join(chosen.choices("abcdefghijklmnop", k=chosen.randint(4, 9))) for _ in range(words)
    )


def number(path: str, name: str) -> int:
    match = re.search(rf"[?&/]{name}[=/](\d+)", path)
    return int(match[1]) if match else 0


def catalogue(path: str) -> Reply:
    if path.startswith("/item?id="):
        return html(f"Item {number(path, 'id')}", text(path, 3), ["/catalogue?page=1"])
    at = number(path, "page")
    links = [f"/item?id={n}" for n in range(at * 20, at * 20 + 20)]
    following = [f"/catalogue?page={at + 1}"] if at < 15 else []
    return html("Catalogue", "", links + following)


def numbered_items(path: str) -> Reply:
    at = number(path, "id")
    return html(f"Part {at}", f"Part {at} costs {at % 9} euros.", [
        f"/part?id={n}" for n in (2 * at + 1, 2 * at + 2) if n < 300
    ])  # fmt: skip


def forum(path: str) -> Reply:
    session = f"sid={seeded(path).randbytes(16).hex()}"
    if path.startswith("/viewtopic.php"):
        topic = number(path, "t")
        return html(f"Topic {topic}", text(topic), [f"/viewforum.php?f=1&{session}"])
    start = number(path, "start")
    links = [f"/viewtopic.php?t={n}&{session}" for n in range(start, start + 25)]
    following = [f"/viewforum.php?f=1&start={start + 25}&{session}"] if start < 225 else []
    return html("Forum", "", links + following)


def list_without_links(path: str) -> Reply:
    start = number(path, "start")
    entries = " ".join(f"Entry {n}: {text(n, 2)}." for n in range(start, start + 5))
    return html("List", entries, [f"/list?start={n}" for n in (start + 5, start + 10) if n < 600])


def articles(path: str) -> Reply:
    at = number(path, "sid")
    return html(text(at, 2), text(at), [f"/article.pl?sid={at + 1}"] if at < 99 else [])


@pytest.mark.parametrize(
    ("handler", "start", "prefix", "expected"),
    [
        (catalogue, "/catalogue?page=0", "/item", 320),
        (numbered_items, "/part?id=0", "/part", 300),
        (forum, "/viewforum.php?f=1", "/viewtopic", 250),
        (list_without_links, "/list?start=0", "/list", 120),
        (articles, "/article.pl?sid=0", "/article", 100),
    ],
)
async def test_a_large_site_is_read_completely(
    tmp_path: Path, handler: Callable[[str], Reply], start: str, prefix: str, expected: int
) -> None:
    job, counts, _ = await crawl(tmp_path, handler, start)

    assert sum(path.startswith(prefix) for path in counts) == expected
    assert max(counts.values()) == 1
    assert job.progress.skipped.get("trap", 0) == 0
    assert job.stop_reason == "frontier_exhausted"


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def calendar(path: str) -> Reply:
    day = number(path, "day")
    date = f"{DAYS[day % 7]} {day % 28 + 1}.{day // 28 % 12 + 1}.{2020 + day // 336}"
    months = [f"/calendar/month/{(day // 28) + step}" for step in (0, 1)]
    if "/month/" in path:
        day = 28 * number(path, "month")
        return html(f"Month {day // 28}", "Choose a day.", [
            f"/calendar/day/{day + n}" for n in range(28)
        ] + [f"/calendar/month/{day // 28 + 1}"])  # fmt: skip
    return html(date, f"Nothing happens on {date}.", [f"/calendar/day/{day + 1}", *months])


COLOURS, SIZES = ("red", "blue", "green", "black", "white"), ("s", "m", "l", "xl")
FACETS = {"colour": COLOURS, "size": SIZES, "sort": ("price", "name", "new"),
          "brand": ("acme", "umbra", "zeta", "orion"), "view": ("list", "grid"),
          "stock": ("1", "0"), "sale": ("1", "0"), "rating": ("1", "2", "3", "4")}  # fmt: skip


def facets(path: str) -> Reply:
    if path.startswith("/product/"):
        return html(f"Product {path[9:]}", text(path), ["/shop"])
    chosen = dict(part.split("=") for part in path.partition("?")[2].split("&") if part)
    links = [
        "/shop?" + "&".join(f"{name}={value}" for name, value in {**chosen, facet: other}.items())
        for facet, values in FACETS.items()
        for other in values
    ]
    products = seeded(path).sample(range(40), 12)
    listed = " ".join(text(f"/product/{n}", 3) for n in products)
    return html("Shop", listed, [*(f"/product/{n}" for n in products), *links])


def path_facets(path: str) -> Reply:
    parts = [part for part in path.split("/")[2:] if part]
    values = [value for values in FACETS.values() for value in values if len(value) > 2]
    links = [f"/shop/{'/'.join([*parts, value])}" for value in values if value not in parts]
    return html("Shop", " ".join(sorted(parts)), links)


def sessions_in_paths(path: str) -> Reply:
    made = seeded(path)
    links = [f"/s/{made.randbytes(12).hex()}/{name}" for name in ("home", "about", "help")]
    return html(path.rpartition("/")[2] or "home", "The same for everybody.", links)


def unknown_session_parameter(path: str) -> Reply:
    made = seeded(path)
    pages = [f"/{name}?zz={made.getrandbits(40)}" for name in ("home", "about", "help")]
    name = path.partition("?")[0]
    return html(f"Welcome to {name}", f"{made.randint(1, 500)} guests are online.", pages)


def list_without_end(path: str) -> Reply:
    at = number(path, "page")
    links = [f"/news/{text(at * 3 + n, 1)}" for n in range(3)] if at < 20 else []
    if path.startswith("/news/"):
        return html(path, text(path), [])
    return html("News", f"Page {at}", [*links, *(f"/list?page={at + n}" for n in (1, 2, 3, 4))])


@pytest.mark.parametrize(
    ("handler", "start", "most"),
    [
        (calendar, "/calendar/day/0", 200),
        (facets, "/shop", 500),
        (path_facets, "/shop/", 500),
        (sessions_in_paths, "/", 250),
        (unknown_session_parameter, "/home", 250),
        (list_without_end, "/list?page=0", 160),
    ],
)
async def test_a_site_without_end_is_read_until_nothing_new_comes(
    tmp_path: Path, handler: Callable[[str], Reply], start: str, most: int
) -> None:
    job, counts, reasons = await crawl(tmp_path, handler, start)

    assert job.state == "completed"
    assert job.stop_reason == "frontier_exhausted"
    assert sum(counts.values()) <= most
    assert reasons["trap"] == job.progress.skipped["trap"] > 0


async def test_the_real_pages_beside_a_trap_are_read(tmp_path: Path) -> None:
    _, counts, _ = await crawl(tmp_path, list_without_end, "/list?page=0")

    assert sum(path.startswith("/news/") for path in counts) == 60


async def test_traps_can_be_allowed(tmp_path: Path) -> None:
    job, counts, _ = await crawl(
        tmp_path, list_without_end, "/list?page=0", settings={"CRAWL_TRAP_WINDOW": "0"}, pages=300
    )

    assert job.stop_reason == "page_limit"
    assert sum(counts.values()) == 301  # and robots.txt


async def test_a_restarted_crawl_knows_its_traps(tmp_path: Path) -> None:
    requests = 0
    with running_site(served(calendar)) as site:
        request = CrawlRequest(url=f"{site.url}/calendar/day/0", max_depth=100, max_pages=5000)
        async with open_crawl_service(tmp_path) as crawling:
            job = await crawling.start(request, ALICE)
        for _ in range(40):  # each service is closed after a few pages
            async with open_crawl_service(tmp_path) as crawling:
                crawling.resume()
                async for update in crawling.watch(job.id, ALICE):
                    if len(site.log) >= requests + 12:
                        break
                    job = update
                requests = len(site.log)
            if job.ended:
                break

    assert (job.state, job.stop_reason) == ("completed", "frontier_exhausted")
    assert requests <= 400


def test_a_shape_recovers_when_something_new_comes() -> None:
    traps = Traps(TrapLimits(window=8))

    def read(at: int, body: str) -> bool:
        url = f"http://a/list?page={at}"
        if traps.is_exhausted(url):
            return False
        traps.note_page(url, lambda: words_of("", body), list, is_new=False)
        return True

    dull = [read(at, "nothing to see") for at in range(60)]
    lively = [read(at, f"news {text(at, 3)}") for at in range(60, 200)]

    assert 5 < sum(dull) < 20
    assert all(lively[-60:])


async def crawl(
    directory: Path,
    handler: Callable[[str], Reply],
    start: str,
    *,
    settings: dict[str, str] | None = None,
    pages: int = 5000,
) -> tuple[CrawlJob, Counter[str], Counter[str]]:
    """Return the job, how often each path was requested, and the reasons of skipped URLs."""
    with running_site(served(handler)) as site:
        async with open_crawl_service(directory, settings) as crawling:
            request = CrawlRequest(url=f"{site.url}{start}", max_depth=100, max_pages=pages)
            job = await run_crawl(crawling, request)
            failures = await crawling.failures(job.id, ALICE, 100_000)
    assert sum(job.progress.skipped.values()) + job.progress.errors == len(failures)
    return job, site.request_counts(), Counter(one.reason for one in failures)


def served(handler: Callable[[str], Reply]) -> Handler:
    return lambda path, headers: MISSING if path == "/robots.txt" else handler(path)
