"""`stats://sessions`, `research://session/{id}` and `stats://rate-limits`."""

import json
from typing import Any

import pytest

from tests.services.sessions.builders import findings, source, step
from tests.support import ALICE, BOB, services
from webquarry.calls.limits import Limiter, LocalCallCounter, http_limits, personal_limit
from webquarry.errors import NotFoundError
from webquarry.models.caller import Caller
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.wiring.container import Services

pytestmark = pytest.mark.anyio


async def read(uri: str, over: Services, caller: Caller = ALICE) -> Any:
    reading = await ResourceRegistry(RESOURCES).read(uri, caller, over)
    return json.loads(reading.body)


async def test_live_sessions_are_counted_for_their_owner_alone() -> None:
    over = services()
    first = await over.sessions.start(ALICE, "Owls", step(1))
    await over.sessions.start(ALICE, "Bats", step(1, more=False))
    await over.sessions.record(ALICE, first.id, findings(source(1)))
    told = await read("stats://sessions", over)
    assert (told["activeSessions"], told["liveSessions"]) == (1, 2)
    assert {
        "sessionId": first.id,
        "researchGoal": "Owls",
        "startedAt": first.started_at,
        "isComplete": False,
        "stepCount": 1,
        "sourceCount": 1,
    } in told["sessions"]
    assert await read("stats://sessions", over, BOB) == {
        "activeSessions": 0,
        "liveSessions": 0,
        "sessions": [],
    }


async def test_a_session_can_be_read_whole() -> None:
    over = services()
    begun = await over.sessions.start(ALICE, "Owls", step(1))
    told = await read(f"research://session/{begun.id}", over)
    assert (told["id"], told["tenantId"], len(told["steps"])) == (begun.id, "acme", 1)


async def test_a_session_of_somebody_else_is_no_resource() -> None:
    over = services()
    begun = await over.sessions.start(ALICE, "Owls", step(1))
    for uri in (f"research://session/{begun.id}", "research://session/none"):
        with pytest.raises(NotFoundError, match="Session not found"):
            await read(uri, over, BOB)


async def test_limits_are_told_without_being_used_up() -> None:
    over = services()
    limits = (*http_limits(per_tenant=3, overall=0, daily=10), personal_limit(2))
    limiter = Limiter(limits, LocalCallCounter(lambda: 90.0), lambda: 90.0)
    over.quotas.register(limiter.quotas)
    await limiter.take(ALICE)
    await read("stats://rate-limits", over)
    told = await read("stats://rate-limits", over)
    assert told["config"] == {
        "RATE_LIMIT_PER_TENANT": 3,
        "DAILY_QUOTA_PER_TENANT": 10,
        "MAX_CALLS_PER_DAY": 2,
    }
    assert told["limits"] == [
        {"name": "RATE_LIMIT_PER_TENANT", "limit": 3, "windowSeconds": 60, "remaining": 2,
         "resetsInSeconds": 30},
        {"name": "DAILY_QUOTA_PER_TENANT", "limit": 10, "windowSeconds": 86400, "remaining": 9,
         "resetsInSeconds": 86310},
        {"name": "MAX_CALLS_PER_DAY", "limit": 2, "windowSeconds": 86400, "remaining": 1,
         "resetsInSeconds": 86310},
    ]  # fmt: skip
    theirs = await read("stats://rate-limits", over, BOB)
    assert [limit["remaining"] for limit in theirs["limits"]] == [2, 9, 2]


async def test_without_limits_that_is_said() -> None:
    told = await read("stats://rate-limits", services())
    assert told == {
        "config": {},
        "limits": [],
        "guidance": "No rate limits apply to you. Providers have their own limits.",
    }


def test_every_promised_resource_is_listed() -> None:
    library = ResourceRegistry(RESOURCES)
    fixed = {entry["uri"] for entry in library.listing(templates=False)}
    templates = {entry["uriTemplate"] for entry in library.listing(templates=True)}
    assert fixed >= {
        "stats://tools", "stats://sessions", "stats://rate-limits", "stats://providers",
        "lenses://catalog", "diagnostics://errors/recent", "diagnostics://health",
    }  # fmt: skip
    assert templates == {
        "monitor://{id}", "research://artifact/{id}", "research://crawl/{id}/screenshots/{number}",
        "research://session/{id}",
    }  # fmt: skip
