"""The archive adapters against recorded responses of the real services."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock, Replay
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


@pytest.mark.skipif(not BODIES, reason="the recorded responses are not on this machine")
@pytest.mark.parametrize("name", BODIES)
async def test_every_recorded_wayback_response_is_parsed(name: str) -> None:
    body = BODIES[name]
    exchange = {
        "origin": "recorded",
        "request": {"url": "https://archive.org/wayback/available?url=x"},
        "status": 200,
        "body": body,
    }
    replay = Replay([exchange])
    found = await Wayback(Upstreams(replay, clock=FakeClock().clock()), {}).snapshot("x")
    replay.finish()

    closest = body["archived_snapshots"].get("closest")
    if closest is None:
        assert found is None
        return
    assert found is not None
    assert found.url.partition("://")[2] == closest["url"].partition("://")[2]
    digits = "".join(c for c in found.takenAt if c.isdigit())
    assert digits == closest["timestamp"]


@pytest.mark.skipif(not SAVED, reason="the recorded responses are not on this machine")
@pytest.mark.parametrize("name", SAVED)
async def test_every_recorded_save_page_now_response_is_parsed(name: str) -> None:
    body = SAVED[name]
    status = 401 if name.endswith("401") else 200
    exchange = {
        "origin": "recorded",
        "request": {
            "method": "POST",
            "url": "https://web.archive.org/save",
            "form": {"url": "https://example.org/"},
        },
        "status": status,
        "body": body,
    }
    replay = Replay([exchange])
    keys = {"IA_ACCESS_KEY": "me", "IA_SECRET_KEY": "word"}
    archive = SavePageNow(Upstreams(replay, clock=FakeClock().clock()), keys)

    if status == 401:
        with pytest.raises(AccessError):
            await archive.save("https://example.org/")
    else:
        found = await archive.save("https://example.org/")
        assert found == ArchiveResult(state="pending", job=body["job_id"], status=200)
    replay.finish()
