"""The pool over real metasearch servers: one killed, one limiting us, one without JSON."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.searxng.fakes import PLAIN
from tests.searxng.servers import (
    PAGES,
    PER_PAGE,
    Reply,
    Searx,
    hanging,
    in_front,
    index,
    searx,
    serving,
)
from webquarry.net.upstream.http_port import WreqHttp
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.pool import Pool
from webquarry.searxng.pool_report import describe
from webquarry.searxng.query_values import DirectAnswer, PoolResult, SearxngQuery

pytestmark = pytest.mark.anyio


@dataclass
class Street:
    """The servers of this test, by what they are like."""

    good: Searx
    doomed: Searx
    limiting: str
    pages_only: str

    def all(self) -> str:
        return ";".join((self.good.url, self.doomed.url, self.limiting, self.pages_only))


def _limits(path: str) -> Reply | None:
    return (429, {"Retry-After": "120"}, b"Too Many Requests") if "/search" in path else None


def _without_json(path: str) -> Reply | None:
    return (403, {}, b"<title>403 Forbidden</title>") if "format=json" in path else None


@pytest.fixture
def street(tmp_path: Path) -> Generator[Street]:
    with (
        serving(index) as found,
        searx(tmp_path / "one", found, theme="simple") as one,
        searx(tmp_path / "two", found, theme="oscar") as two,
        in_front(one.url, _limits) as limiting,
        in_front(one.url, _without_json) as pages_only,
    ):
        yield Street(one, two, limiting, pages_only)


def _expected(query: str, count: int) -> list[str]:
    places = [f"{page}-{n}" for page in range(1, PAGES + 1) for n in range(1, PER_PAGE + 1)]
    return [f"https://example.org/{query}/{place}" for place in places][:count]


async def _search(pool: Pool, number: int) -> PoolResult:
    found = await pool.search(
        SearxngQuery(text=f"owl{number}", language="en", safe_search=1, count=5)
    )
    assert [hit.url for hit in found.hits] == _expected(f"owl{number}", 5)
    assert [hit.title for hit in found.hits] == [f"owl{number} 1-{n}" for n in range(1, 6)]
    assert {hit.engine for hit in found.hits} == {"our index"}
    return found


async def test_no_search_is_lost_while_servers_fail(street: Street) -> None:
    http = WreqHttp()
    pool = open_pool(http, {"SEARXNG_URL": street.all()}, options=PLAIN)
    try:
        answers: list[PoolResult] = []
        for batch in range(12):
            if batch == 6:
                street.doomed.kill()
            numbers = range(batch * 5, batch * 5 + 5)
            answers += await asyncio.gather(*(_search(pool, number) for number in numbers))
    finally:
        await pool.close()
        http.close()

    used = Counter(found.instance for found in answers)
    assert len(answers) == 60
    assert used[street.limiting] == 0
    assert min(used[street.good.url], used[street.doomed.url], used[street.pages_only]) >= 5
    state = {i["url"]: i for i in (await describe(pool))["instances"]}
    assert state[street.limiting]["why_not"].startswith("rate limited for")
    assert not state[street.doomed.url]["available"]
    assert state[street.pages_only]["format"] == "html"
    assert state[street.good.url]["available"]


async def test_a_killed_server_that_is_back_is_used_again(tmp_path: Path) -> None:
    http = WreqHttp()
    with serving(index) as found, searx(tmp_path / "one", found) as server:
        shut = True

        def closed(_: str) -> Reply | None:
            return (502, {}, b"Bad Gateway") if shut else None

        with in_front(server.url, closed) as door:
            # no time is waited for: a check before giving up brings it back
            pool = open_pool(http, {"SEARXNG_URL": door}, options=PLAIN)
            with pytest.raises(Exception, match="No available SearXNG instances"):
                await _search(pool, 1)
            shut = False
            pool.instances.update(door, lambda i: replace(i, last_checked=0.0))
            again = await _search(pool, 1)
    http.close()

    assert again.instance == door


async def test_pages_of_a_real_server_are_turned(street: Street) -> None:
    http = WreqHttp()
    for url in (street.good.url, street.pages_only):
        pool = open_pool(http, {"SEARXNG_URL": url}, options=PLAIN)
        found = await pool.search(SearxngQuery(text="owls", language="en", count=50))
        assert [hit.url for hit in found.hits] == _expected("owls", 50)

        nothing = await pool.search(SearxngQuery(text="nothing", language="en"))
        assert nothing.hits == ()
    http.close()


class Limiter:
    """SearXNG's limiter: a few requests for JSON per hour, many more for pages."""

    def __init__(self, allowed: int = 4) -> None:
        self.allowed = allowed
        self.refused = 0

    def __call__(self, path: str) -> Reply | None:
        if "format=json" not in path:
            return None
        self.allowed -= 1
        if self.allowed >= 0:
            return None
        self.refused += 1
        return 429, {}, b"Too Many Requests"


async def test_a_limiter_of_json_does_not_stop_searches(tmp_path: Path) -> None:
    http, limiter = WreqHttp(), Limiter()
    with (
        serving(index) as found,
        searx(tmp_path / "one", found) as server,
        in_front(server.url, limiter) as limited,
    ):
        pool = open_pool(http, {"SEARXNG_URL": limited}, options=PLAIN)
        for number in range(12):
            assert (await _search(pool, number)).instance == limited
        (state,) = (await describe(pool))["instances"]
    http.close()

    assert limiter.refused == 1
    assert (state["format"], state["available"], state["failures"]) == ("html", True, 0)


@pytest.mark.parametrize("theme", ["simple", "oscar"])
async def test_an_instance_without_json_reports_what_json_would(tmp_path: Path, theme: str) -> None:
    http = WreqHttp()
    with (
        serving(index) as found,
        searx(tmp_path / "one", found, theme=theme) as usual,
        in_front(usual.url, _without_json) as pages_only,
    ):
        pools = [
            open_pool(http, {"SEARXNG_URL": url}, options=PLAIN) for url in (pages_only, usual.url)
        ]
        for text in ("owls", "nothing", "broken"):
            of_page, of_json = [
                await pool.search(SearxngQuery(text=text, language="en", count=5)) for pool in pools
            ]
            assert of_page.hits == of_json.hits
            assert of_page.extras == of_json.extras
            assert of_page.unresponsive == of_json.unresponsive
            assert of_page.attempts[0].outcome == of_json.attempts[0].outcome
            assert bool(of_page.unresponsive) == (text == "broken")
            suggested = () if text == "broken" else (f"{text} at night",)
            assert of_page.extras.suggestions == suggested
        # an answer of searx itself; its JSON has only "hash"
        hashed = await pools[0].search(SearxngQuery(text="md5 owls", language="en", count=5))
        state = (await describe(pools[0]))["instances"][0]
    http.close()

    assert hashed.extras.answers == (
        DirectAnswer(text="md5 hash digest: 7b4601ac7f6fe54f86669548acc46286"),
    )
    assert state["format"] == "html"


async def test_a_hanging_server_does_not_hold_up_a_search(tmp_path: Path) -> None:
    http = WreqHttp()
    with serving(index) as found, searx(tmp_path / "one", found) as server, hanging() as silent:
        pool = open_pool(http, {"SEARXNG_URL": f"{silent};{server.url}"}, options=PLAIN)
        first = await _search(pool, 1)
        others = [await _search(pool, number) for number in range(2, 6)]
        await pool.close()
        state = {i["url"]: i for i in (await describe(pool))["instances"]}
    http.close()

    outcomes = {attempt.instance: attempt.outcome for attempt in first.attempts}
    assert outcomes == {server.url: "ok", silent: "cancelled: another instance responded first"}
    # from now on the fast one goes first, and nobody waits
    assert [len(found.attempts) for found in others] == [1, 1, 1, 1]
    assert (state[silent]["failures"], state[silent]["answers"]) == (0, 0)


def _small_index(*names: str) -> Callable[[str, dict[str, str]], Reply]:
    """Return an index that has only these pages."""

    def reply(path: str, _: dict[str, str]) -> Reply:
        first = parse_qs(urlsplit(path).query).get("page", ["1"])[0] == "1"
        found = [
            {"url": f"https://example.org/{name}", "title": name, "content": f"About {name}."}
            for name in names
            if first
        ]
        body = json.dumps({"results": found, "hints": []}).encode()
        return 200, {"Content-Type": "application/json"}, body

    return reply


async def test_the_few_results_of_one_server_are_fused_with_those_of_another(
    tmp_path: Path,
) -> None:
    http = WreqHttp()
    with (
        serving(_small_index("barn-owls", "tawny-owls")) as left,
        serving(_small_index("tawny-owls", "little-owls")) as right,
        searx(tmp_path / "one", left) as one,
        searx(tmp_path / "two", right) as two,
    ):
        pool = open_pool(http, {"SEARXNG_URL": f"{one.url};{two.url}"}, options=PLAIN)
        found = await pool.search(SearxngQuery(text="owls", language="en", count=5))
        await pool.close()
    http.close()

    # the page that both have comes first, and stands there once
    assert found.hits[0].url == "https://example.org/tawny-owls"
    assert sorted(hit.url.rpartition("/")[2] for hit in found.hits) == [
        "barn-owls",
        "little-owls",
        "tawny-owls",
    ]
    assert sorted(found.instances) == sorted((one.url, two.url))
    assert [attempt.outcome for attempt in found.attempts] == ["ok", "ok"]
    assert all(0 <= hit.score <= 1 for hit in found.hits)
