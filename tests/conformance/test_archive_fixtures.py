"""The archive adapters against bodies that the real service sent."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import Replay, StillClock
from webquarry.errors import AccessError
from webquarry.models.links import ArchiveResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.savepagenow import SavePageNow
from webquarry.providers.wayback import Wayback

pytestmark = pytest.mark.anyio

FIXTURES = Path(__file__).parents[2].parent / "shared" / "fixtures"


def bodies(folder: str) -> dict[str, dict[str, Any]]:
    paths = sorted((FIXTURES / folder).glob("*.json"))
    return {path.stem: json.loads(path.read_text("utf-8")) for path in paths}


BODIES, SAVED = bodies("wayback_available"), bodies("spn2")


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


@pytest.mark.skipif(not SAVED, reason="the recorded answers are not on this machine")
@pytest.mark.parametrize("name", SAVED)
async def test_every_recorded_answer_to_a_capture_is_read(name: str) -> None:
    told = SAVED[name]
    status = 401 if name.endswith("401") else 200
    exchange = {
        "origin": "recorded",
        "request": {
            "method": "POST",
            "url": "https://web.archive.org/save",
            "form": {"url": "https://example.org/"},
        },
        "status": status,
        "body": told,
    }
    replay = Replay([exchange])
    keys = {"IA_ACCESS_KEY": "me", "IA_SECRET_KEY": "word"}
    archive = SavePageNow(Upstreams(replay, clock=StillClock().clock()), keys)

    if status == 401:
        with pytest.raises(AccessError):
            await archive.save("https://example.org/")
    else:
        found = await archive.save("https://example.org/")
        assert found == ArchiveResult(state="pending", job=told["job_id"], status=200)
    replay.finish()
