"""Items that are added in one turn of the event loop are handled as a batch."""

import asyncio

import pytest

from webquarry.errors import ProviderError
from webquarry.storage.batch import Batcher

pytestmark = pytest.mark.anyio


async def test_items_added_in_one_turn_of_the_event_loop_are_one_batch() -> None:
    batches: list[list[int]] = []

    async def handle(items: list[int]) -> None:
        batches.append(items)

    batcher = Batcher(handle)
    await asyncio.gather(batcher.add(1), batcher.add(2))
    await batcher.add(3)

    assert batches == [[1, 2], [3]]


async def test_a_failure_affects_all_items_of_its_batch_and_no_others() -> None:
    async def handle(items: list[int]) -> None:
        if 2 in items:
            raise ProviderError("no")

    batcher = Batcher(handle)
    outcomes = await asyncio.gather(batcher.add(1), batcher.add(2), return_exceptions=True)
    await batcher.add(3)

    assert [str(outcome) for outcome in outcomes] == ["no", "no"]
