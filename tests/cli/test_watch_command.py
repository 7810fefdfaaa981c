"""`webquarry watch`: add, list, run, changes, pause, mute and rm."""

import json
from collections.abc import Generator

import pytest

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from tests.services.watching.kettle_shop import Shop, running_shop


@pytest.fixture
def shop(web: Stub, monkeypatch: pytest.MonkeyPatch) -> Generator[Shop]:
    monkeypatch.setenv("ALLOW_PRIVATE_IPS", "true")
    with running_shop() as shop:
        yield shop


def test_a_page_is_watched_from_the_terminal(typist: Typist, shop: Shop) -> None:
    empty = typist.type("watch", "list")
    added = json.loads(typist.type("watch", "add", shop.url, "--every", "6h", "--json").out)
    monitor_id = added["monitorId"]
    shop.price = "9.00"

    idle = typist.type("watch", "run")
    ran = typist.type("watch", "run", monitor_id[:6])
    changes = typist.type("watch", "changes", monitor_id)
    as_json = json.loads(typist.type("watch", "changes", monitor_id, "--json").out)
    listed = typist.type("watch", "list")

    assert "No monitors. Create one with `webquarry watch add URL`." in empty.out
    assert (added["lastOutcome"], added["schedule"]) == ("first", "6h")
    assert "0 monitors checked." in idle.out
    assert "changed" in ran.out
    assert "1 monitor checked." in ran.out
    assert "Price: EUR 12.00" in changes.out
    assert "Price: EUR 9.00" in changes.out
    assert as_json["changes"][0]["changes"][0]["kind"] == "price"
    assert monitor_id in listed.out


def test_noise_is_muted_and_monitors_are_paused_and_deleted(typist: Typist, shop: Shop) -> None:
    monitor_id = json.loads(typist.type("watch", "add", shop.url, "--json").out)["monitorId"]
    shop.price = "9.00"
    typist.type("watch", "run", monitor_id)
    body = json.loads(typist.type("watch", "changes", monitor_id, "--json").out)
    change_id = body["changes"][0]["changes"][0]["id"]

    muted = typist.type("watch", "mute", monitor_id, change_id)
    rule = json.loads(typist.type("watch", "mute", monitor_id, change_id, "--json").out)["rule"]
    unmuted = typist.type("watch", "mute", "--undo", monitor_id, rule)
    paused = typist.type("watch", "pause", monitor_id)
    resumed = typist.type("watch", "resume", monitor_id)
    deleted = typist.type("watch", "rm", monitor_id)
    unknown = typist.type("watch", "changes", "nothing")

    assert f"To undo: webquarry watch mute --undo {monitor_id}" in muted.out
    assert unmuted.status == 0
    assert "paused" in paused.out
    assert "active" in resumed.out
    assert f"Deleted {monitor_id}." in deleted.out
    assert "No monitor starts with 'nothing'" in unknown.err
