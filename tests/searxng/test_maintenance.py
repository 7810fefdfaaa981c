"""What the pool does beside searching, and what it remembers."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.searxng.fakes import (
    PLAIN,
    A,
    Answers,
    B,
    Setup,
    World,
    body,
    down,
    finds,
    says,
    text,
    world,
)
from tests.searxng.test_catalogue import listed
from webquarry.errors import ProviderError, SettingsError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.searxng.catalogue import SEARX_SPACE
from webquarry.searxng.pool_report import describe
from webquarry.searxng.query_values import SearxngQuery
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.store import StoredValue, StoreWrite

pytestmark = pytest.mark.anyio
OWLS = SearxngQuery(text="owls are secret", count=1)
ONE = "https://example.org/1"
LIST = "https://list.example/instances.json"


def catalogue(*names: str, **changes: Any) -> FetchedResponse:
    described = {f"https://{name}.example/": listed(**changes) for name in names}
    return body({"instances": described})


def public(there: World, **more: Any) -> Setup:
    return Setup(there, SEARXNG_URL="", SEARXNG_CATALOGUE=LIST, **more)


def health_checks(there: World) -> list[str]:
    return [r.url.removesuffix("/healthz") for r in there.requests if r.url.endswith("/healthz")]


async def test_nothing_is_sent_before_the_first_search() -> None:
    setup = public(world(a=finds(ONE), list=says(catalogue("a"))))

    await setup.pool.maintenance.wait_idle()
    await setup.pool.close()

    assert setup.world.requests == []


async def test_the_first_search_waits_for_the_catalogue_when_nobody_is_known() -> None:
    setup = public(world(a=finds(ONE), list=says(catalogue("a"))))

    assert (await setup.pool.search(OWLS)).instance == A
    assert [r.url for r in setup.world.requests] == [LIST, f"{A}/search"]


async def test_it_does_not_wait_when_an_instance_is_configured() -> None:
    setup = Setup(
        world(a=finds(ONE), b=finds(ONE), list=says(catalogue("b"))),
        SEARXNG_URL=A,
        SEARXNG_CATALOGUE=LIST,
    )

    assert (await setup.pool.search(OWLS)).instance == A
    await setup.pool.maintenance.wait_idle()

    assert [(i.url, i.grade) for i in setup.pool.instances.ranked()] == [(A, "own"), (B, "A+")]


async def test_a_catalogue_that_fails_is_told_and_asked_again_later() -> None:
    setup = public(world(a=finds(ONE), list=down()))
    for _ in range(3):
        with pytest.raises(ProviderError) as caught:
            await setup.pool.search(OWLS)
        assert "the connection was refused" in caught.value.details["error_details"]
    assert [r.url for r in setup.world.requests] == [LIST]

    setup.world.put("https://list.example", says(catalogue("a")))
    setup.time.time += 300
    assert (await setup.pool.search(OWLS)).instance == A
    assert setup.pool.maintenance.catalogue_error == ""


async def test_the_catalogue_is_read_again_in_the_background() -> None:
    setup = public(world(a=finds(ONE), b=finds(ONE), list=says(catalogue("a"))))
    await setup.pool.search(OWLS)
    setup.world.put("https://list.example", says(catalogue("b")))
    setup.time.time += PLAIN.catalogue_refresh_interval

    assert (await setup.pool.search(OWLS)).instance == A  # does not wait
    await setup.pool.maintenance.wait_idle()

    assert (await setup.pool.search(OWLS)).instance == B
    assert [i.url for i in setup.pool.instances.ranked()] == [B]


async def test_an_empty_catalogue_does_not_replace_a_good_one() -> None:
    setup = public(world(a=finds(ONE), list=says(catalogue("a"))))
    await setup.pool.search(OWLS)
    setup.world.put("https://list.example", says(catalogue()))
    setup.time.time += PLAIN.catalogue_refresh_interval
    await setup.pool.search(OWLS)
    await setup.pool.maintenance.wait_idle()

    assert [i.url for i in setup.pool.instances.ranked()] == [A]
    assert setup.pool.maintenance.catalogue_error == "it lists no instance of grade B or better"


async def test_the_catalogue_survives_a_restart() -> None:
    store = MemoryStore(clock=lambda: 1_700_000_000.0)
    setup = public(world(a=finds(ONE), list=says(catalogue("a"))), store=store)
    await setup.pool.search(OWLS)
    await setup.pool.close()

    again = public(world(a=finds(ONE), list=down()), store=store)

    assert (await again.pool.search(OWLS)).instance == A
    assert [r.url for r in again.world.requests] == [f"{A}/search"]


async def test_health_survives_a_restart_and_no_query_is_kept() -> None:
    store = MemoryStore()
    setup = Setup(world(a=says(text("", 429, retry_after="900")), b=finds(ONE)), store=store)
    await setup.pool.search(OWLS)
    await setup.pool.close()

    again = Setup(world(a=finds(ONE), b=finds(ONE)), store=store)
    await again.pool.search(OWLS)

    assert again.world.asked == [B]
    kept = [await store.get(key) async for key in store.scan("searxng:")]
    assert kept
    assert not any(b"owls" in entry.value for entry in kept if entry)


async def test_a_store_that_fails_costs_only_the_memory() -> None:
    class Broken(MemoryStore):
        async def get(self, key: str) -> StoredValue | None:
            raise SettingsError("the store is away")

        async def _write(self, writes: Sequence[StoreWrite]) -> None:
            raise SettingsError("the store is away")

    setup = Setup(world(a=finds(ONE)), store=Broken())

    assert (await setup.pool.search(OWLS)).instance == A
    await setup.pool.close()


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"instances": 1, "source": ""}', b'{"a": 1}'])
async def test_a_damaged_memory_is_as_good_as_none(damage: bytes) -> None:
    store = MemoryStore()
    await store.set("searxng:pool", damage)
    setup = Setup(world(a=finds(ONE)), store=store)

    assert (await setup.pool.search(OWLS)).instance == A


async def test_instances_are_checked_now_and_then_all_at_once() -> None:
    setup = Setup(world(a=finds(ONE), b=finds(ONE)))
    await setup.pool.search(OWLS)
    assert health_checks(setup.world) == []
    setup.world.put(B, down())
    setup.time.time += PLAIN.instance_health_check_interval

    await setup.pool.search(OWLS)
    await setup.pool.maintenance.wait_idle()

    assert sorted(health_checks(setup.world)) == [A, B]
    assert setup.pool.instances.by_url[B].unreachable
    assert setup.pool.instances.by_url[A].unavailable_reason(setup.time.time, 3) == ""


async def test_a_check_finds_rate_limits_and_leaves_limited_instances_alone() -> None:
    def limits(request: ApiRequest) -> FetchedResponse:
        healthy = request.url.endswith("/search")
        return finds(ONE)(request) if healthy else text("", 429, retry_after="3600")

    setup = Setup(world(a=limits, b=finds(ONE)))
    await setup.pool.search(OWLS)
    for _ in range(2):
        setup.time.time += PLAIN.instance_health_check_interval
        await setup.pool.search(OWLS)
        await setup.pool.maintenance.wait_idle()

    assert sorted(health_checks(setup.world)) == [A, B, B]
    assert setup.pool.instances.by_url[A].rate_limited_until


async def test_answering_a_check_does_not_heal_what_answers_searches_wrongly() -> None:
    def wrong(request: ApiRequest) -> FetchedResponse:
        return text("OK") if request.url.endswith("/healthz") else body({})

    setup = public(world(a=wrong, b=finds(ONE), list=says(catalogue("a", "b"))))
    await setup.pool.search(OWLS)
    paused = setup.pool.instances.by_url[A].paused_until
    assert paused

    assert not await setup.pool.maintenance.recheck_failed([B])
    assert setup.pool.instances.by_url[A].paused_until == paused


async def test_an_unreachable_instance_comes_back_when_a_check_reaches_it() -> None:
    setup = public(world(a=down(), list=says(catalogue("a"))))
    with pytest.raises(ProviderError):
        await setup.pool.search(OWLS)
    setup.world.put(A, finds(ONE))
    setup.time.time += 3

    assert (await setup.pool.search(OWLS)).instance == A


async def test_what_is_under_way_ends_with_the_pool() -> None:
    setup = Setup(world(a=finds(ONE)), options=replace(PLAIN, request_delay_range=(0, 0)))
    await setup.pool.search(OWLS)
    setup.time.time += PLAIN.instance_health_check_interval
    await setup.pool.search(OWLS)

    await setup.pool.close()
    await setup.pool.maintenance.wait_idle()


def built_in_instances() -> dict[str, Any]:
    return {f"https://{name}": finds(ONE) for name in ("baresearch.org", "priv.au")}


def discovering(there: World, **more: Any) -> Setup:
    """A pool of an operator who configured nothing: it uses the list of searx.space."""
    return Setup(there, SEARXNG_URL="", **more)


@pytest.mark.parametrize(
    "unreadable", [down(), says(text("", 503)), says(text("<html>")), says(catalogue())]
)
async def test_without_searx_space_a_built_in_list_is_used_and_named(unreadable: Answers) -> None:
    setup = discovering(World(**{"https://searx.space": unreadable}, **built_in_instances()))

    found = await setup.pool.search(OWLS)

    assert found.instance in built_in_instances()
    assert found.warnings == (
        f"The list of public instances ({SEARX_SPACE}) cannot be read; a built-in list was used.",
    )
    assert setup.pool.instances.by_url[found.instance].grade == "B"
    assert (await describe(setup.pool))["catalogue"]["built_in_list_used"]


async def test_the_built_in_list_ends_when_searx_space_can_be_read() -> None:
    there = World(**{"https://searx.space": down(), A: finds(ONE)}, **built_in_instances())
    setup = discovering(there)
    await setup.pool.search(OWLS)
    there.put("https://searx.space", says(catalogue("a")))
    setup.time.time += 300

    await setup.pool.search(OWLS)
    await setup.pool.maintenance.wait_idle()

    assert list(setup.pool.instances.by_url) == [A]
    assert (await setup.pool.search(OWLS)).warnings == ()


@pytest.mark.parametrize(
    "keys",
    [
        {"SEARXNG_CATALOGUE": LIST},  # another list than that of searx.space
        {"SEARXNG_CATALOGUE": "off"},
        {"SEARXNG_URL": A},
        {"SEARXNG_URL": A, "SEARXNG_CATALOGUE": LIST},
    ],
)
async def test_no_query_goes_to_the_built_in_list_of_who_did_not_choose_searx_space(
    keys: dict[str, str],
) -> None:
    there = World(**{A: down()}, **built_in_instances())
    chosen: dict[str, Any] = {"SEARXNG_URL": ""} | keys
    setup = Setup(there, **chosen)

    with pytest.raises(ProviderError):
        await setup.pool.search(OWLS)
    await setup.pool.maintenance.wait_idle()

    hosts = {request.url.split("/")[2] for request in there.requests}
    assert hosts <= {"a.example", "list.example"}


async def test_a_list_that_was_read_once_is_better_than_the_built_in_one() -> None:
    store = MemoryStore()
    there = World(**{"https://searx.space": says(catalogue("a")), A: finds(ONE)})
    setup = discovering(there, store=store)
    await setup.pool.search(OWLS)
    await setup.pool.close()

    there = World(**{"https://searx.space": down(), A: finds(ONE)}, **built_in_instances())
    again = discovering(there, store=store)
    again.time.time += 86_400
    found = await again.pool.search(OWLS)
    await again.pool.maintenance.wait_idle()

    assert (found.instance, found.warnings) == (A, ())
    assert list(again.pool.instances.by_url) == [A]


async def test_concurrent_first_searches_wait_for_the_same_list() -> None:
    setup = public(world(a=finds(ONE), list=says(catalogue("a"))))

    found = await asyncio.gather(*(setup.pool.search(OWLS) for _ in range(3)))

    assert [one.instance for one in found] == [A, A, A]
    assert [r.url for r in setup.world.requests].count(LIST) == 1
