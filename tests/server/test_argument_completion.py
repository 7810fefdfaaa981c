"""Argument completion over MCP."""

import pytest

from tests.services.sessions.builders import step
from tests.support import ALICE, BOB, services
from webquarry.server.argument_completion import completions

pytestmark = pytest.mark.anyio


async def test_completions_come_from_the_existing_values() -> None:
    over = services()
    begun = await over.sessions.start(ALICE, "Owls", step(1))
    offered = completions(over)
    assert sorted(offered) == ["depth", "lens", "provider", "sessionId"]
    assert "wiki" in await offered["lens"](ALICE, "")
    assert await offered["provider"](ALICE, "") == []
    assert await offered["depth"](ALICE, "") == ["quick", "standard", "thorough"]
    assert await offered["sessionId"](ALICE, "") == [begun.id]
    assert await offered["sessionId"](BOB, "") == []
