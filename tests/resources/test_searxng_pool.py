import json
from dataclasses import replace

import pytest

from tests.searxng.fakes import A, Setup, finds, world
from tests.support import ALICE, services
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.searxng.query_values import SearxngQuery

pytestmark = pytest.mark.anyio


async def test_the_pool_explains_itself() -> None:
    pool = Setup(world(a=finds("https://example.org/"))).pool
    await pool.search(SearxngQuery(text="secret owls", count=1))

    reading = await ResourceRegistry(RESOURCES).read(
        "searxng://pool", ALICE, replace(services(), searxng=pool)
    )

    state = json.loads(reading.body)
    assert state["last_choice"]["instance"] == A
    assert "owls" not in str(reading.body)


async def test_without_a_pool_there_are_no_instances() -> None:
    reading = await ResourceRegistry(RESOURCES).read("searxng://pool", ALICE, services())

    assert json.loads(reading.body) == {"instances": []}
