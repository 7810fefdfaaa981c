import json

import pytest

from tests.searxng.fakes import A, Setup, finds, world
from tests.support import ALICE, override, services
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.searxng.query_values import SearxngQuery

pytestmark = pytest.mark.anyio


async def test_the_pool_explains_itself() -> None:
    pool = Setup(world(a=finds("https://example.org/"))).pool
    await pool.search(SearxngQuery(text="secret owls", count=1))

    reading = await ResourceRegistry(RESOURCES).read(
        "searxng://pool", ALICE, override(services(), searxng=pool)
    )

    state = json.loads(reading.body)
    assert state["last_choice"]["instance"] == A
    assert "owls" not in str(reading.body)
