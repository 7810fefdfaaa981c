import json

import pytest

from tests.searxng.fakes import A, B, Setup, finds, says, text, world
from webquarry.searxng.pool_report import describe
from webquarry.searxng.query_values import SearxngQuery

pytestmark = pytest.mark.anyio


async def test_the_state_explains_the_last_choice_without_the_query() -> None:
    setup = Setup(world(a=says(text("", 429, retry_after="60")), b=finds("https://example.org/1")))
    for _ in range(2):
        await setup.pool.search(SearxngQuery(text="secret owls", count=1))

    state = await describe(setup.pool)

    assert state == {
        "preference": "your instances, then public ones graded A+, A (95 %+ uptime), B; "
        "within a grade the slow ones last, the others in fixed rotation",
        "instances": [
            {
                "url": A,
                "grade": "own",
                "uptime": None,
                "response_time": None,
                "last_checked": "2023-11-14T22:13:20Z",
                "rate_limited_until": "2023-11-14T22:14:20Z",
                "consecutive_failures": 0,
                "available": False,
                "why_not": "rate limited for 60 s more",
                "format": "json",
                "answers": 0,
                "failures": 1,
            },
            {
                "url": B,
                "grade": "own",
                "uptime": None,
                "response_time": 0,
                "last_checked": "2023-11-14T22:13:20Z",
                "rate_limited_until": None,
                "consecutive_failures": 0,
                "available": True,
                "why_not": None,
                "format": "json",
                "answers": 2,
                "failures": 0,
            },
        ],
        "last_choice": {
            "at": "2023-11-14T22:13:20Z",
            "instance": B,
            "why": "configured instance, the only one of its grade available",
            "passed_over": [{"instance": A, "why": "rate limited for 60 s more"}],
        },
        "engines": [
            {"engine": "bing", "results": 2, "searches": 2, "failures": 0, "last_error": ""}
        ],
        "catalogue": {
            "source": None,
            "read_at": None,
            "problem": None,
            "built_in_list_used": False,
        },
        "health_checks": {"every_seconds": 300.0, "last_at": "2023-11-14T22:13:20Z"},
    }
    assert "owls" not in json.dumps(state)


async def test_before_the_first_search_nothing_was_chosen_and_nothing_sent() -> None:
    setup = Setup(world(a=finds()))

    state = await describe(setup.pool)

    assert [i["url"] for i in state["instances"]] == [A]
    assert state["last_choice"] is None
    assert setup.world.requests == []
