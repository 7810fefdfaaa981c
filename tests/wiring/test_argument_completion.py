"""Completions: what a client may offer while a person types."""

import pytest

from tests.services.sessions.making import step
from tests.support import ALICE, BOB, services
from webquarry.wiring.argument_completion import completions

pytestmark = pytest.mark.anyio


async def test_choices_come_from_what_is_there() -> None:
    over = services()
    begun = await over.sessions.start(ALICE, "Owls", step(1))
    offered = completions(over)
    assert sorted(offered) == ["depth", "lens", "provider", "sessionId"]
    assert "wiki" in await offered["lens"](ALICE, "")
    assert await offered["provider"](ALICE, "") == []
    assert await offered["depth"](ALICE, "") == ["quick", "standard", "thorough"]
    assert await offered["sessionId"](ALICE, "") == [begun.id]
    assert await offered["sessionId"](BOB, "") == []
