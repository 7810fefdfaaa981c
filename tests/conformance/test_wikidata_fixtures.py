"""The Wikidata adapter against recorded responses of the real service."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.replay import FakeClock, Replay
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_owners import Owner
from webquarry.providers.wikidata import Wikidata

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures" / "wikidata"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.exists(), reason="the recorded answers are not here"),
]
HOME = "https://www.wikidata.org"


@pytest.mark.parametrize("name", ["entitydata_Q16231742.json", "entitydata_Q20145.json"])
async def test_the_owner_of_a_recorded_entity_is_parsed(name: str) -> None:
    body = json.loads((FIXTURES / name).read_text("utf-8"))
    item, raw = next(iter(body["entities"].items()))
    link = {"mainsnak": {"datavalue": {"value": {"id": item}}}, "rank": "normal"}
    search = f"{HOME}/w/api.php?action=wbsearchentities&search=It&language=en&limit=3&format=json"
    exchanges = [
        _exchange(search, {"search": [{"id": "Q1", "label": "It"}]}),
        _exchange(f"{HOME}/wiki/Special:EntityData/Q1.json",
                  {"entities": {"Q1": {"claims": {"P127": [link]}}}}),
        _exchange(f"{HOME}/wiki/Special:EntityData/{item}.json", body),
    ]  # fmt: skip

    found = await Wikidata(Upstreams(Replay(exchanges), clock=FakeClock().clock()), {}).owners("It")

    labels = raw["labels"]
    label = labels.get("en", next(iter(labels.values())))["value"]
    sites = [
        urlsplit(str(each["mainsnak"]["datavalue"]["value"])).hostname
        for each in raw["claims"].get("P856", [])
        if "P582" not in each.get("qualifiers", {})
    ]
    assert found == (Owner(label, tuple(dict.fromkeys(str(site) for site in sites))),)


def _exchange(url: str, body: object) -> dict[str, object]:
    return {"origin": "recorded", "request": {"url": url}, "status": 200, "body": body}
