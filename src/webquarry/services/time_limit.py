"""Runs jobs at the same time within a time limit."""

import asyncio
from collections.abc import Awaitable, Mapping
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


async def run_within(seconds: float, jobs: Mapping[K, Awaitable[T]]) -> dict[K, T | None]:
    """Return the result of each job; None for those that were cancelled at the limit."""
    tasks = {key: asyncio.ensure_future(job) for key, job in jobs.items()}
    try:
        if tasks:
            await asyncio.wait(tasks.values(), timeout=seconds)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
    return {key: None if task.cancelled() else task.result() for key, task in tasks.items()}
