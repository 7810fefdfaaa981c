"""Stored tasks, each for the person whose call it is."""

import re
from collections.abc import Callable

from webquarry.errors import NotFoundError
from webquarry.models.call_task import CallTask
from webquarry.models.caller import Caller
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Clock, Store

NAMESPACE = "task"
_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_LOCK_SECONDS = 10.0


class TaskRecords:
    """Tasks by owner and id; deleted when their time is over."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def create(self, task: CallTask, caller: Caller) -> None:
        """Store a new task; on return it survives a killed process."""
        await self._save(name_of(NAMESPACE, caller.tenant, caller.user, task.id), task)

    async def get(self, task_id: str, caller: Caller) -> CallTask:
        """Return a task; `NotFoundError` if it is not the caller's or has expired."""
        return (await self._find(task_id, caller))[1]

    async def list_for(self, caller: Caller) -> list[CallTask]:
        """Return the tasks of the caller, the newest first."""
        prefixes = [name_of(NAMESPACE, caller.tenant, user, "") for user in caller.users]
        keys = [key for prefix in prefixes async for key in self._store.scan(prefix)]
        stored = [await self._store.get(key) for key in keys]
        tasks = [CallTask.model_validate_json(entry.value) for entry in stored if entry]
        return sorted(tasks, key=lambda task: (task.created, task.id), reverse=True)

    async def change(
        self, task_id: str, caller: Caller, change: Callable[[CallTask], CallTask]
    ) -> CallTask:
        """Store what `change` makes of a task, while no other process changes it."""
        key, _ = await self._find(task_id, caller)
        async with self._store.lock(key, ttl=_LOCK_SECONDS, wait=_LOCK_SECONDS):
            key, task = await self._find(task_id, caller)
            changed = change(task)
            if changed is not task:
                await self._save(key, changed)
            return changed

    async def _save(self, key: str, task: CallTask) -> None:
        seconds_left = task.created + task.ttl - self._clock()
        if seconds_left > 0:
            await self._store.set(key, task.model_dump_json().encode(), ttl=seconds_left)

    async def _find(self, task_id: str, caller: Caller) -> tuple[str, CallTask]:
        for user in caller.users if _ID.fullmatch(task_id) else ():
            key = name_of(NAMESPACE, caller.tenant, user, task_id)
            if stored := await self._store.get(key):
                return key, CallTask.model_validate_json(stored.value)
        raise NotFoundError(f"There is no task {task_id!r}, or it has expired.")
