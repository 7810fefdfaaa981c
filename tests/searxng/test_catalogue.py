import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock
from tests.searxng.fakes import World, body, down, says, text
from webquarry.errors import NetworkError, NotFoundError, PayloadError, WebquarryError
from webquarry.net.upstream.status_errors import UnavailableError
from webquarry.searxng.catalogue import Catalogue
from webquarry.searxng.instance import Instance

pytestmark = pytest.mark.anyio
SOURCE = "https://list.example/instances.json"


def listed(**changes: Any) -> dict[str, Any]:
    """One instance as searx.space describes it."""
    usual: dict[str, Any] = {
        "analytics": False,
        "comments": [],
        "main": True,
        "network_type": "normal",
        "http": {"status_code": 200, "error": None, "grade": "A+"},
        "version": "2026.1.1",
        "generator": "searxng",
        "timing": {
            "search": {"success_percentage": 100.0, "all": {"median": 0.412, "mean": 0.5}},
        },
        "tls": {"version": "TLSv1.3", "grade": "A+"},
        "html": {"grade": "V"},
        "uptime": {"uptimeDay": 100.0, "uptimeMonth": 99.2, "uptimeYear": 98.0},
    }
    return usual | changes


async def load(**instances: Any) -> list[Instance]:
    data = {"metadata": {}, "instances": {f"https://{k}.example/": v for k, v in instances.items()}}
    catalogue = Catalogue(SOURCE, World(**{SOURCE: says(body(data))}), FakeClock().clock())
    return list(await catalogue.load())


async def test_an_instance_carries_its_grade_uptime_and_speed() -> None:
    assert await load(good=listed()) == [
        Instance(url="https://good.example", grade="A+", uptime=99.2, response_time=412)
    ]


@pytest.mark.parametrize(
    ("http", "tls", "grade"),
    [("A+", "A+", "A+"), ("A+", "A", "A"), ("B", "A+", "B"), ("A-", "A+", "A"), ("A+", None, "A+"),
     ("B+", "A", "B")],
)  # fmt: skip
async def test_the_worse_grade_counts(http: str, tls: str | None, grade: str) -> None:
    described = listed(http={"status_code": 200, "grade": http}, tls={"grade": tls})

    assert [i.grade for i in await load(one=described)] == [grade]


@pytest.mark.parametrize(
    "changes",
    [
        {"network_type": "tor"},
        {"generator": "something"},
        {"analytics": True},
        {"error": "it is gone"},
        {"http": {"status_code": 500, "grade": "A+"}},
        {"http": {"status_code": 200, "error": "timeout", "grade": "A+"}},
        {"http": {"status_code": 200, "grade": "C"}},
        {"http": {"status_code": 200, "grade": "?"}},
        {"http": None, "tls": None},
        {"html": {"grade": "Cjs"}},
        {"html": {"grade": "E"}},
        {"timing": {"search": {"success_percentage": 0.0}}},
    ],
)
async def test_what_is_unsafe_or_broken_is_left_out(changes: dict[str, Any]) -> None:
    assert await load(bad=listed(**changes)) == []


async def test_addresses_of_our_own_network_and_unencrypted_ones_are_left_out() -> None:
    addresses = [
        "http://a.example/",
        "https://127.0.0.1/",
        "https://intranet.local/",
        "https://[::1]/",
        "https://b.example:22/",
        "nonsense",
        "https://ok.example/sub/",
    ]
    data = {"instances": {address: listed() for address in addresses}}
    catalogue = Catalogue(SOURCE, World(**{SOURCE: says(body(data))}), FakeClock().clock())

    assert [i.url for i in await catalogue.load()] == ["https://ok.example/sub"]


async def test_unknown_speed_and_uptime_are_unknown() -> None:
    assert await load(new=listed(timing=None, uptime=None)) == [
        Instance(url="https://new.example", grade="A+")
    ]


async def test_a_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "instances.json"
    path.write_text(json.dumps({"instances": {"https://a.example/": listed()}}))

    found = await Catalogue(str(path), World(), FakeClock().clock()).load()

    assert [i.url for i in found] == ["https://a.example"]


@pytest.mark.parametrize(
    ("there", "error"),
    [
        (World(**{SOURCE: down()}), NetworkError),
        (World(**{SOURCE: says(text("busy", 503))}), UnavailableError),
        (World(**{SOURCE: says(text("<html>"))}), PayloadError),
        (World(**{SOURCE: says(body({"instances": []}))}), PayloadError),
        (World(**{SOURCE: says(text("gone", 404))}), NotFoundError),
    ],
)
async def test_a_list_that_cannot_be_had_is_an_error(
    there: World, error: type[WebquarryError]
) -> None:
    with pytest.raises(error):
        await Catalogue(SOURCE, there, FakeClock().clock()).load()


async def test_a_missing_file_is_named() -> None:
    with pytest.raises(NotFoundError, match=r"SEARXNG_CATALOGUE: cannot read nowhere\.json"):
        await Catalogue("nowhere.json", World(), FakeClock().clock()).load()
