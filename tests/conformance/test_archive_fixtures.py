"""The archive adapter against bodies that the real service sent."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import Replay, StillClock
from webquarry.net.upstreams import Upstreams
from webquarry.providers.wayback import Wayback

pytestmark = pytest.mark.anyio

FIXTURES = Path(__file__).parents[2].parent / "shared" / "fixtures" / "wayback_available"
BODIES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FIXTURES.glob("*.json"))
}


@pytest.mark.skipif(not BODIES, reason="the recorded answers are not on this machine")
@pytest.mark.parametrize("name", BODIES)
async def test_every_recorded_answer_is_read(name: str) -> None:
    told = BODIES[name]
    exchange = {
        "origin": "recorded",
        "request": {"url": "https://archive.org/wayback/available?url=x"},
        "status": 200,
        "body": told,
    }
    replay = Replay([exchange])
    found = await Wayback(Upstreams(replay, clock=StillClock().clock()), {}).snapshot("x")
    replay.finish()

    closest = told["archived_snapshots"].get("closest")
    if closest is None:
        assert found is None
        return
    assert found is not None
    assert found.url.partition("://")[2] == closest["url"].partition("://")[2]
    digits = "".join(c for c in found.takenAt if c.isdigit())
    assert digits == closest["timestamp"]
