"""Monitors for callers: each sees only their own."""

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from webquarry.content.changes.noise_learning import LEARNING_VERSIONS
from webquarry.content.changes.noise_patterns import mute, unmute
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.changes import Change, NoiseProfile, PatternScope, Version
from webquarry.models.monitor import Monitor, MonitorChange, MonitorDefinition, MonitorState
from webquarry.services.watching.new_monitors import NewMonitors
from webquarry.services.watching.scheduler import MonitorEngine, MonitorScheduler
from webquarry.services.watching.store.monitor_store import MonitorStore
from webquarry.services.watching.version_captures import capture_group

_ID = re.compile(r"[A-Za-z0-9_-]{8,40}")
_SEARCHED = 200  # latest changes in which a change to mute is looked up


@dataclass(frozen=True, kw_only=True)
class MonitorService:
    """Creates, shows, runs and deletes monitors."""

    store: MonitorStore
    new_monitors: NewMonitors
    engine: MonitorEngine
    scheduler: MonitorScheduler
    limit: int  # monitors of one person
    feed_key: Callable[[str], bytes]  # blinds the id of a monitor
    embedded: bool = True  # False: workers check monitors

    async def create(self, definition: MonitorDefinition, caller: Caller) -> Monitor:
        """Store a monitor; its first check starts at once.

        `BadInputError` for one that could never be checked; `RateLimitError` if the caller has
        too many.
        """
        new = await self.new_monitors.monitor(definition, caller)
        monitor = await self.store.create(new, limit=self.limit)
        self.resume()
        return monitor

    async def get(self, monitor_id: str, caller: Caller) -> Monitor:
        """Return a monitor of the caller."""
        found = await self.store.get(monitor_id) if _ID.fullmatch(monitor_id) else None
        if found is None or found.tenant != caller.tenant or found.user not in caller.users:
            raise NotFoundError(f"There is no monitor {monitor_id!r}. monitor_list lists yours.")
        return found

    async def monitors(self, caller: Caller, *, offset: int = 0, limit: int = 100) -> list[Monitor]:
        """Return the monitors of the caller, the newest first."""
        owners = [(caller.tenant, user) for user in caller.users]
        return await self.store.listed(owners, offset=offset, limit=limit)

    async def changes(
        self, monitor_id: str, caller: Caller, *, before: int | None = None, limit: int = 50
    ) -> list[MonitorChange]:
        """Return the changes of a monitor, the newest first."""
        monitor = await self.get(monitor_id, caller)
        return await self.store.changes(monitor.id, before=before, limit=limit)

    async def change(self, monitor_id: str, number: int, caller: Caller) -> MonitorChange:
        """Return one change."""
        found = await self.changes(monitor_id, caller, before=number + 1, limit=1)
        if not found or found[0].seq != number:
            raise NotFoundError(f"The monitor {monitor_id} has no change {number}.")
        return found[0]

    async def version(self, monitor_id: str, number: int, caller: Caller) -> Version:
        """Return a version."""
        monitor = await self.get(monitor_id, caller)
        version = await self.store.version(monitor.id, number)
        if version is None:
            raise NotFoundError(f"The monitor {monitor_id} has no version {number}, or no more.")
        return version

    async def run(self, monitor_id: str, caller: Caller) -> Monitor:
        """Check a monitor now, unless it is being checked, and return it."""
        monitor = await self.get(monitor_id, caller)
        if lease := await self.engine.claims.claim_one(monitor.id):
            await self.engine.runner.run(replace(lease, manual=True))
            self.resume()  # sends the notifications
        return await self.get(monitor_id, caller)

    async def update(
        self, monitor_id: str, definition: MonitorDefinition, caller: Caller
    ) -> Monitor:
        """Change the name, schedule or receivers; what is watched stays as it is.

        A check in progress starts anew, so that it tells the receivers of now.
        """
        monitor = await self.get(monitor_id, caller)
        await self.store.set_definition(await self.new_monitors.changed(monitor, definition))
        self.resume()
        return await self.get(monitor_id, caller)

    async def set_state(self, monitor_id: str, state: MonitorState, caller: Caller) -> Monitor:
        """Pause a monitor, or go on with it."""
        monitor = await self.get(monitor_id, caller)
        await self.store.set_state(monitor.id, state)
        self.resume()
        return await self.get(monitor_id, caller)

    async def mute(
        self, monitor_id: str, change_id: str, caller: Caller, scope: PatternScope | None = None
    ) -> NoiseProfile:
        """Ignore changes in the place of this one from now on."""
        monitor = await self.get(monitor_id, caller)
        change = await self._change_to_mute(monitor, change_id)
        return await self.store.edit_noise(
            monitor.id, lambda profile: mute(profile, change, scope=scope)
        )

    async def unmute(self, monitor_id: str, rule: str, caller: Caller) -> NoiseProfile:
        """Report again what a rule or a pattern ignores."""
        monitor = await self.get(monitor_id, caller)
        known = {pattern.id for pattern in monitor.noise.patterns}
        ignored = await self._ignored(monitor)
        known |= {change.ignored.rule for change in ignored if change.ignored}
        if rule not in known:
            hint = f"; known: {', '.join(sorted(known)[:10])}" if known else ""
            raise BadInputError(f"rule: nothing is ignored because of {rule!r}{hint}")
        # what a person wants to see is not learned as noise the next time
        learned = {"versions": LEARNING_VERSIONS}
        return await self.store.edit_noise(
            monitor.id, lambda profile: unmute(profile, rule).model_copy(update=learned)
        )

    async def delete(self, monitor_id: str, caller: Caller) -> None:
        """Delete a monitor with its versions and changes."""
        monitor = await self.get(monitor_id, caller)
        await self.store.delete(monitor.id)
        if monitor.definition.capture and self.engine.runner.captures:
            capturing = self.engine.runner.captures.capturing()
            for number in range(1, monitor.versions + 1):
                group = capture_group(monitor.id, number)
                await capturing.erase_group(monitor.tenant, monitor.user, group)

    async def run_due(self, seconds: float) -> int:
        """Run all due checks and send their notifications; return how many are left to send."""
        await self.scheduler.work_due()
        return await self.engine.deliveries.finish("", seconds)

    async def erase(self, *, tenant: str, user: str) -> int:
        """Delete the monitors of a person; return how many."""
        return await self.store.erase(tenant=tenant, user=user)

    def feed_token(self, monitor_id: str) -> str:
        """Return the secret in the URL of the feed of a monitor."""
        return self.feed_key(monitor_id).hex()

    async def feed_monitor(self, monitor_id: str, token: str) -> Monitor:
        """Return the monitor whose feed the token opens."""
        found = await self.store.get(monitor_id) if _ID.fullmatch(monitor_id) else None
        expected = self.feed_token(monitor_id)
        if found is None or not hmac.compare_digest(expected.encode(), token.encode()):
            raise NotFoundError("There is no such feed.")
        return found

    def resume(self) -> None:
        """Check monitors and send notifications in this process, unless workers do."""
        if self.embedded:
            self.scheduler.start()

    async def close(self) -> None:
        """Stop checks; they stay due."""
        await self.scheduler.stop()

    async def _change_to_mute(self, monitor: Monitor, change_id: str) -> Change:
        for stored in await self.store.changes(monitor.id, limit=_SEARCHED):
            for change in stored.changes:
                if change.id == change_id:
                    return change
        raise NotFoundError(
            f"The monitor {monitor.id} has no change {change_id!r}; monitor_changes lists ids."
        )

    async def _ignored(self, monitor: Monitor) -> list[Change]:
        stored = await self.store.changes(monitor.id, limit=_SEARCHED)
        return [*monitor.progress.ignored, *(each for one in stored for each in one.ignored)]
