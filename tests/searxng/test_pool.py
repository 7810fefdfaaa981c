"""The pool over instances that fail in every way there is."""

import random
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

import anyio
import pytest

from tests.replay import FakeClock
from tests.searxng import pages
from tests.searxng.fakes import (
    PLAIN,
    A,
    Answers,
    B,
    C,
    Setup,
    World,
    body,
    down,
    finds,
    results,
    says,
    text,
    world,
)
from webquarry.errors import (
    BadInputError,
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.searxng.instance import Instance
from webquarry.searxng.instance_client import USER_AGENTS, InstanceClient
from webquarry.searxng.latency import RequestTimer
from webquarry.searxng.maintenance import InstanceSources, PoolMaintenance
from webquarry.searxng.pool import Pool
from webquarry.searxng.pool_report import describe
from webquarry.searxng.pool_state_store import PoolStateStore
from webquarry.searxng.query_values import (
    AttemptOutcome,
    DirectAnswer,
    Hit,
    InstancePage,
    PoolResult,
    SearxngQuery,
)
from webquarry.searxng.selection import InstanceSelection
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
OWLS = SearxngQuery(text="owls", count=1)
ONE = "https://example.org/1"
NO_PAGE = "Unexpected response (https://a.example): its page has no list of results."


async def test_an_answer_says_where_it_came_from_and_why() -> None:
    pool = Setup(world(a=finds(ONE, number_of_results=8450))).pool

    assert await pool.search(OWLS) == PoolResult(
        hits=(Hit(title="Title 1", url=ONE, description="About 1", score=1.0, engines=("bing",)),),
        instance=A,
        instances=(A,),
        selection_reason="configured instance, the only one of its grade available",
        total=8450,
        milliseconds=0,
        engines=("bing",),
        attempts=(AttemptOutcome(instance=A, outcome="ok"),),
    )


async def test_the_request_is_what_the_api_documents() -> None:
    setup = Setup(world(a=finds(ONE)))
    query = SearxngQuery(
        text="owls & co",
        category="news",
        language="de-AT",
        safe_search=2,
        time_range="week",
        count=1,
    )

    await setup.pool.search(query)

    (sent,) = setup.world.requests
    assert sent.method == "GET"
    assert sent.full_url == (
        "https://a.example/search?q=owls+%26+co&categories=news&language=de-AT&safesearch=2"
        "&time_range=week&format=json"
    )
    assert sent.headers["Accept-Language"] == "de-AT,de;q=0.8,en;q=0.5"
    assert sent.headers["User-Agent"] in USER_AGENTS


async def test_credentials_go_to_the_operators_instances_only() -> None:
    catalogue = {
        "instances": {
            f"{B}/": {"http": {"grade": "A+", "status_code": 200}, "tls": {"grade": "A+"}}
        }
    }
    there = world(a=down(), b=finds(ONE), list=says(body(catalogue)))
    setup = Setup(
        there,
        SEARXNG_URL=A,
        SEARXNG_CATALOGUE="https://list.example/x.json",
        SEARXNG_BASIC_AUTH="me:secret",
        SEARXNG_HEADERS="X-Key: k",
    )
    await setup.pool.maintenance.prepare()
    await setup.pool.maintenance.wait_idle()

    found = await setup.pool.search(OWLS)

    assert found.instance == B
    sent = {r.url: r.headers for r in there.requests}
    assert sent[f"{A}/search"]["Authorization"] == "Basic bWU6c2VjcmV0"
    assert sent[f"{A}/search"]["X-Key"] == "k"
    assert sent[f"{B}/search"].keys().isdisjoint({"Authorization", "X-Key"})


async def test_searches_rotate_over_the_instances() -> None:
    setup = Setup(world(a=finds(ONE), b=finds(ONE), c=finds(ONE)))

    for _ in range(4):
        await setup.pool.search(OWLS)

    assert setup.world.asked == [A, B, C, A]


@pytest.mark.parametrize(
    ("fails", "outcome"),
    [
        (down(), "the connection was refused"),
        (says(text("busy", 503)), "Unavailable (https://a.example): HTTP 503: busy. Retry later, "
         "or try a different provider."),
        (says(text("slow down", 429)), "Rate limited (https://a.example). Wait 60 seconds and "
         "retry, or try a different provider."),
        (says(text("no", 401)), "Access refused (https://a.example): HTTP 401."),
        (says(text("gone", 404)), "Not found (https://a.example): HTTP 404: gone."),
        (says(body({"error": "x"})), "Unexpected response (https://a.example): results: Field "
         "required. Try a different provider."),
        (says(text(pages.CHALLENGE)), NO_PAGE),
        (says(text(pages.INDEX)), NO_PAGE),
        (says(text("")), "Unexpected response (https://a.example): the response is empty. Try a "
         "different provider."),
    ],
)  # fmt: skip
async def test_the_next_instance_answers_when_one_fails(fails: Answers, outcome: str) -> None:
    pool = Setup(world(a=fails, b=finds(ONE))).pool

    found = await pool.search(OWLS)

    assert (found.instance, found.hits[0].url) == (B, ONE)
    assert found.attempts == (
        AttemptOutcome(instance=A, outcome=outcome),
        AttemptOutcome(instance=B, outcome="ok"),
    )
    assert found.selection_reason.endswith("tried after another failed")


async def test_a_failed_instance_is_left_alone_and_a_limit_is_respected() -> None:
    setup = Setup(world(a=says(text("", 429, retry_after="90")), b=finds(ONE)))
    await setup.pool.search(OWLS)
    setup.world.put(A, finds(ONE))

    for _ in range(3):
        await setup.pool.search(OWLS)
    assert setup.world.asked == [A, A, B, B, B, B]  # its page after its JSON

    setup.time.time += 90
    await setup.pool.search(OWLS)
    assert setup.world.asked[-1] == A


async def test_a_limit_inside_a_refusal_is_a_limit_too() -> None:
    setup = Setup(world(a=says(text("", 403, retry_after="30")), b=finds(ONE)))

    await setup.pool.search(OWLS)

    assert setup.pool.instances.by_url[A].rate_limited_until == setup.time.time + 30


@pytest.mark.parametrize("refusal", [text("Forbidden", 403), text(pages.INDEX), text("", 406)])
async def test_without_json_the_page_is_read_and_remembered(refusal: FetchedResponse) -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        return refusal if "format=json" in request.full_url else text(pages.SIMPLE)

    setup = Setup(world(a=answer))

    first = await setup.pool.search(replace(OWLS, count=2))
    await setup.pool.search(replace(OWLS, count=2))

    assert [hit.title for hit in first.hits] == ["Async Rust", "Tokio"]
    assert first.warnings == ("1 result(s) without a web URL were left out",)
    formats = ["format=json" in r.full_url for r in setup.world.requests]
    assert formats == [True, False, False]
    assert not setup.pool.instances.by_url[A].offers_json(setup.time.time)


async def test_access_refused_to_pages_too_is_a_failure() -> None:
    setup = Setup(world(a=says(text("", 403))))

    with pytest.raises(ProviderError) as caught:
        await setup.pool.search(OWLS)

    assert caught.value.details["reasons"] == {A: "Access refused (https://a.example): HTTP 403."}


async def test_pages_are_turned_until_there_are_enough_results() -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        page = int(str(request.params.get("pageno") or 1))
        urls = [f"https://example.org/{page}-{n}" for n in range(4)]
        return body(results(*urls, "https://example.org/repeated?utm_source=x"))

    setup = Setup(world(a=answer))

    found = await setup.pool.search(replace(OWLS, count=10))

    assert len({hit.url for hit in found.hits}) == 10
    assert [r.params.get("pageno") for r in setup.world.requests] == [None, 2, 3]


async def test_turning_pages_ends_when_nothing_new_comes() -> None:
    setup = Setup(world(a=finds(ONE, "https://example.org/2")))

    found = await setup.pool.search(replace(OWLS, count=50))

    assert len(found.hits) == 2
    assert len(setup.world.requests) == 2


async def test_a_missing_further_page_is_told_and_the_rest_delivered() -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        return text("", 500) if request.params.get("pageno") else body(results(ONE))

    found = await Setup(world(a=answer)).pool.search(replace(OWLS, count=5))

    assert [hit.url for hit in found.hits] == [ONE]
    (warning,) = found.warnings
    assert warning.startswith("page 2 of the results is missing: Unavailable (https://a.example)")


async def test_an_instance_whose_engines_all_failed_is_only_the_last_resort() -> None:
    empty = finds(unresponsive_engines=[["bing", "timeout"]])
    setup = Setup(world(a=empty, b=finds(ONE)))
    found = await setup.pool.search(OWLS)
    assert found.instance == B
    assert found.attempts[0] == AttemptOutcome(instance=A, outcome="none of its engines responded")

    alone = await Setup(world(a=empty)).pool.search(OWLS)
    assert (alone.hits, alone.unresponsive) == ((), (("bing", "timeout"),))


async def test_an_empty_answer_does_not_end_the_search() -> None:
    setup = Setup(world(a=finds(), b=finds(ONE)))

    found = await setup.pool.search(OWLS)

    assert (found.instance, found.instances, found.hits[0].url) == (B, (B,), ONE)
    assert found.attempts == (
        AttemptOutcome(instance=A, outcome="no results"),
        AttemptOutcome(instance=B, outcome="ok"),
    )
    assert found.selection_reason.endswith("asked because another found little")


async def test_nothing_is_found_when_two_instances_find_nothing() -> None:
    setup = Setup(world(a=finds(), b=finds(), c=finds(ONE)))

    found = await setup.pool.search(OWLS)

    assert (found.hits, found.warnings) == ((), ())
    assert setup.world.asked == [A, B]


async def test_few_results_are_completed_and_fused_with_those_of_another_instance() -> None:
    two, three = "https://example.org/2", "https://example.org/3"
    setup = Setup(world(a=finds(ONE, two), b=finds(two, three), c=finds("https://c.example/x")))

    found = await setup.pool.search(replace(OWLS, count=10))

    assert [(hit.url, hit.score) for hit in found.hits] == [
        (two, 0.9919),
        (ONE, 0.5),
        (three, 0.4919),
    ]
    assert found.instances == (A, B)
    assert set(setup.world.asked) == {A, B}


async def test_enough_results_are_not_completed() -> None:
    setup = Setup(world(a=finds(ONE, "https://example.org/2"), b=finds("https://example.org/3")))

    found = await setup.pool.search(replace(OWLS, count=4))

    assert len(found.hits) == 2
    assert set(setup.world.asked) == {A}


async def test_a_direct_answer_is_enough() -> None:
    setup = Setup(world(a=finds(answers=["42"]), b=finds(ONE)))

    found = await setup.pool.search(OWLS)

    assert (found.hits, found.extras.answers) == ((), (DirectAnswer(text="42"),))
    assert setup.world.asked == [A]


async def test_results_are_ranked_by_score_and_scores_are_at_most_1() -> None:
    rows = [
        {"title": "Third", "url": "https://example.org/3", "score": 0.05},
        {"title": "First", "url": ONE, "score": 4.0, "engines": ["bing", "brave"]},
        {"title": "Second", "url": "https://example.org/2", "score": 1.5},
    ]
    setup = Setup(world(a=says(body({"results": rows}))))

    found = await setup.pool.search(replace(OWLS, count=3))

    assert [(hit.title, hit.score) for hit in found.hits] == [
        ("First", 1.0),
        ("Second", 0.9839),
        ("Third", 0.9683),
    ]


async def test_a_limit_for_json_is_no_limit_for_pages() -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        limited = "format=json" in request.full_url
        return text("Too Many Requests", 429) if limited else text(pages.SIMPLE)

    setup = Setup(world(a=answer))

    first = await setup.pool.search(replace(OWLS, count=2))
    await setup.pool.search(replace(OWLS, count=2))
    setup.time.time += 3600  # the limiter counts requests for JSON per hour
    await setup.pool.search(replace(OWLS, count=2))

    assert [hit.title for hit in first.hits] == ["Async Rust", "Tokio"]
    formats = ["format=json" in r.full_url for r in setup.world.requests if "search" in r.url]
    assert formats == [True, False, False, True, False]
    assert setup.pool.instances.by_url[A].failures == 0


async def test_a_limit_with_retry_after_stops_json_for_that_time() -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        limited = "format=json" in request.full_url
        return text("", 429, retry_after="90") if limited else text(pages.SIMPLE)

    setup = Setup(world(a=answer))

    await setup.pool.search(replace(OWLS, count=2))

    assert setup.pool.instances.by_url[A].json_off_until == setup.time.time + 90


@pytest.mark.parametrize("page", [text(pages.CHALLENGE), text("", 403), text("", 500)])
async def test_a_limit_is_a_limit_if_no_page_comes_instead(page: FetchedResponse) -> None:
    def answer(request: ApiRequest) -> FetchedResponse:
        return text("", 429, retry_after="90") if "format=json" in request.full_url else page

    setup = Setup(world(a=answer))

    with pytest.raises(RateLimitError):
        await setup.pool.search(OWLS)

    assert setup.pool.instances.by_url[A].rate_limited_until == setup.time.time + 90


async def test_an_empty_page_with_response_times_is_an_honest_answer() -> None:
    setup = Setup(world(a=says(text(pages.EMPTY_WITH_TIMINGS)), b=finds(ONE)))

    found = await setup.pool.search(OWLS)

    assert found.attempts[0] == AttemptOutcome(instance=A, outcome="no results")
    assert found.unresponsive == ()


async def test_when_none_is_left_the_error_says_what_seed_003_wants() -> None:
    setup = Setup(world(a=down(), b=says(text("", 429, retry_after="30"))))

    with pytest.raises(ProviderError, match="No available SearXNG instances") as caught:
        await setup.pool.search(OWLS)

    error = caught.value
    assert error.provider == "searxng"
    assert error.details == {
        "error_type": "no_instances_available",
        "error_details": "All configured SearXNG instances are unavailable or rate limited",
        "attempted_instances": [A, B],
        "retry_after": 30,
        "reasons": {
            A: "the connection was refused",
            B: "Rate limited (https://b.example). Wait 30 seconds and retry, or try a different "
            "provider.",
        },
    }


async def test_an_instance_that_is_not_asked_is_named_with_its_reason() -> None:
    setup = Setup(world(a=down(), b=says(text("", 429, retry_after="30"))))
    with pytest.raises(ProviderError):
        await setup.pool.search(OWLS)
    setup.time.time += 5

    with pytest.raises(ProviderError) as caught:
        await setup.pool.search(OWLS)

    assert caught.value.details["attempted_instances"] == [A, B]
    assert caught.value.details["reasons"] == {
        A: "backing off for 120 s more after 2 failure(s) in a row: the connection was refused",
        B: "rate limited for 25 s more",
    }


async def test_when_all_limit_us_it_is_a_rate_limit_and_nobody_is_asked() -> None:
    setup = Setup(world(a=says(text("", 429, retry_after="40"))))
    with pytest.raises(RateLimitError):
        await setup.pool.search(OWLS)

    with pytest.raises(RateLimitError) as caught:
        await setup.pool.search(OWLS)

    assert len(setup.world.requests) == 2  # JSON and a page, both for the first search
    assert caught.value.retry_after == 40
    assert caught.value.details["reasons"] == {A: "rate limited for 40 s more"}


async def test_without_any_instance_the_error_says_what_to_set() -> None:
    setup = Setup(world(), SEARXNG_CATALOGUE="off")

    with pytest.raises(ProviderError) as caught:
        await setup.pool.search(OWLS)

    assert caught.value.details["error_details"] == (
        "No SearXNG instance is known: set SEARXNG_URL or SEARXNG_CATALOGUE"
    )
    assert caught.value.details["retry_after"] == 300


async def test_the_only_instance_is_looked_at_again_before_giving_up() -> None:
    setup = Setup(world(a=down()))
    with pytest.raises(ProviderError):
        await setup.pool.search(OWLS)
    setup.world.put(A, finds(ONE))
    setup.time.time += 3

    found = await setup.pool.search(OWLS)

    assert found.instance == A
    assert [r.url for r in setup.world.requests] == [f"{A}/search", f"{A}/healthz", f"{A}/search"]


async def test_an_instance_that_stays_down_is_blacklisted_for_longer_and_longer() -> None:
    setup = Setup(world(a=down()))
    waits: list[int] = []
    for _ in range(4):
        with pytest.raises(ProviderError) as caught:
            await setup.pool.search(OWLS)
        waits.append(caught.value.details["retry_after"])
        setup.time.time += 3

    assert waits == [60, 120, 240, 480]
    objection = setup.pool.instances.by_url[A].unavailable_reason(setup.time.time, 3)
    assert objection.startswith("blacklisted for 477 s more after 4 failure(s) in a row")


async def test_a_forged_certificate_blacklists_a_strangers_instance_at_once() -> None:
    setup = Setup(world(a=down("tls"), b=finds(ONE)))
    await setup.pool.maintenance.prepare()
    setup.pool.instances.update(A, lambda i: replace(i, grade="A+"))
    setup.pool.instances.update(B, lambda i: replace(i, grade="A"))

    assert (await setup.pool.search(OWLS)).instance == B
    assert setup.pool.instances.by_url[A].blacklisted(3)
    assert not setup.pool.instances.by_url[A].unreachable


async def test_a_question_an_instance_does_not_take_is_not_held_against_it() -> None:
    setup = Setup(world(a=says(body({"error": "Invalid value"}, 400)), b=finds(ONE)))

    assert (await setup.pool.search(OWLS)).instance == B
    assert setup.pool.instances.by_url[A] == Instance(url=A)


async def test_a_query_that_would_leave_for_another_engine_is_refused() -> None:
    setup = Setup(world(a=finds(ONE)))

    with pytest.raises(BadInputError, match="'!!' would redirect"):
        await setup.pool.search(SearxngQuery(text="owls !!g"))

    assert setup.world.requests == []


async def test_requests_to_one_instance_are_spaced_out_at_random() -> None:
    options = replace(PLAIN, request_delay_range=(100, 500))
    setup = Setup(world(a=finds(ONE), b=finds(ONE)), options=options)

    for _ in range(4):
        await setup.pool.search(OWLS)

    # chance is 0.5: 300 ms; the first request to each waits for nobody
    assert setup.time.slept == pytest.approx([0.3])  # pyright: ignore[reportUnknownMemberType]


class Stopwatch(InstanceClient):
    """A client that records the time limit of each attempt."""

    allowed: ClassVar[list[float]] = []

    async def search(
        self,
        instance: Instance,
        query: SearxngQuery,
        page: int,
        seconds: float,
        timer: RequestTimer | None = None,
    ) -> InstancePage:
        self.allowed.append(seconds)
        return await super().search(instance, query, page, seconds, timer)


async def test_an_instance_gets_a_third_of_the_time_while_another_waits() -> None:
    Stopwatch.allowed.clear()
    clock = FakeClock().clock()
    client = Stopwatch(world(a=down(), b=finds(ONE)), PLAIN, clock, own_headers={})
    instances = InstanceSelection(clock, shuffle=False, max_failures=3)
    sources = InstanceSources(own=(A, B))
    maintenance = PoolMaintenance(client, instances, PoolStateStore(None), sources)
    pool = Pool(client, instances, maintenance)

    assert (await pool.search(OWLS)).instance == B
    assert Stopwatch.allowed == [10.0, 30.0]


async def test_an_instance_that_does_not_answer_is_given_up_in_time() -> None:
    class Silent(World):
        async def send(self, request: ApiRequest) -> FetchedResponse:
            if request.url.startswith(A):
                await anyio.sleep_forever()
            return await super().send(request)

    there = Silent(**{A: finds(ONE), B: finds(ONE)})
    clock = FakeClock().clock()
    client = InstanceClient(there, PLAIN, clock, own_headers={})

    with pytest.raises(NetworkError, match=r"no response within 0\.01 seconds"):
        await client.search(Instance(url=A), OWLS, 1, 0.01)


async def test_engines_are_counted() -> None:
    setup = Setup(world(a=finds(ONE, unresponsive_engines=[["qwant", "CAPTCHA"]])))
    for _ in range(2):
        await setup.pool.search(OWLS)

    assert setup.pool.engines.report() == [
        {"engine": "bing", "results": 2, "searches": 2, "failures": 0, "last_error": ""},
        {"engine": "qwant", "results": 0, "searches": 0, "failures": 2, "last_error": "CAPTCHA"},
    ]


async def test_no_search_is_lost_while_one_of_four_instances_works() -> None:
    # seeded: the test must see the same failures every time
    chance = random.Random(4)  # noqa: S311
    failures: list[Answers] = [
        down(),
        says(text("", 500)),
        says(text("", 429)),
        says(text("", 429, retry_after="20")),
        says(text("", 403)),
        says(text(pages.CHALLENGE)),
        says(body({})),
        says(body(None)),
    ]

    def moody(request: ApiRequest) -> FetchedResponse:
        return chance.choice(failures)(request)

    setup = Setup(world(a=moody, b=moody, c=moody, d=finds(ONE)))
    for _ in range(500):
        found = await setup.pool.search(OWLS)
        assert [hit.url for hit in found.hits] == [ONE]
        setup.time.time += 5

    failed = [r for r in setup.world.requests if not r.url.startswith("https://d.example")]
    assert len(failed) < 400  # they are asked, but ever less often


MARKED = SearxngQuery(text="zebra-4711 clinic", count=1)


def _echoes(status: int) -> Answers:
    """Answer with an error that repeats the query."""
    return lambda request: body({"error": f"no engine for {request.params['q']}"}, status)


def _raises(error: ProviderError) -> Answers:
    def answer(request: ApiRequest) -> FetchedResponse:
        raise type(error)(f"{error} ({request.full_url})", details=error.details)

    return answer


def _says_page(request: ApiRequest) -> FetchedResponse:
    return text(f"<p>{request.params['q']}</p>")


def _says_text(request: ApiRequest) -> FetchedResponse:
    return text(f"{{'q': '{request.params['q']}'}}")


def _says_wrong_json(request: ApiRequest) -> FetchedResponse:
    return body({"results": request.params["q"]})


def _says_engine_error(request: ApiRequest) -> FetchedResponse:
    return body(results(unresponsive_engines=[["bing", f"HTTP error {request.full_url}"]]))


@pytest.mark.parametrize(
    "fails",
    [
        *(_echoes(status) for status in (301, 401, 403, 404, 418, 429, 500, 503)),
        _raises(NetworkError("connection reset", details={"detail": "reset"})),
        _raises(PayloadError("the response is larger than 4 bytes")),
        _says_page,
        _says_text,
        _says_wrong_json,
        _says_engine_error,
    ],
)
async def test_nothing_that_is_shared_or_stored_contains_a_query(fails: Answers) -> None:
    store = MemoryStore()
    tried = Setup(world(a=fails), store=store)

    with suppress(ProviderError):
        await tried.pool.search(MARKED)
    other = await describe(tried.pool)
    with suppress(ProviderError):
        await tried.pool.search(OWLS)  # of another tenant; says why the instance is not used
    await tried.pool.close()

    stored = [entry.value async for key in store.scan("") if (entry := await store.get(key))]
    known = [instance.record() for instance in tried.pool.instances.ranked()]
    assert len(stored) == 1
    assert [text for text in (repr(other), repr(stored), repr(known)) if "zebra" in text] == []
