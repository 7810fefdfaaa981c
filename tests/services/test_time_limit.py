"""Jobs within a time limit."""

import asyncio

import pytest

from webquarry.services.time_limit import run_within

pytestmark = pytest.mark.anyio


async def _result(value: str) -> str:
    return value


async def test_jobs_that_do_not_finish_in_time_are_cancelled_and_have_no_result() -> None:
    never = asyncio.get_running_loop().create_future()
    assert await run_within(0, {"done": _result("x"), "late": never}) == {"done": "x", "late": None}
    assert never.cancelled()


async def test_no_jobs_have_no_results() -> None:
    assert await run_within(1, {}) == {}
