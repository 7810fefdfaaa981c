"""Checks the definitions of new monitors, so that a mistake is told before the first check."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from webquarry.content.changes.number_condition import parse_condition
from webquarry.content.fields.selectors import select
from webquarry.content.html.dom import parse_html
from webquarry.crawl.urls import split_url
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.model import ArgumentsError
from webquarry.models.monitor import (
    Monitor,
    MonitorDefinition,
    MonitorNotify,
    MonitorSchedule,
    MonitorTarget,
)
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.policy import Policy
from webquarry.net.url import Url, parse
from webquarry.parsing.parsers import Parsers
from webquarry.services.extraction.service import ExtractionService
from webquarry.services.watching.reference_observer import watched_references
from webquarry.services.watching.schedule import RunTimes
from webquarry.services.watching.store.monitor_values import NewMonitor

_WITH_HOST = ("page", "feed")
_MAX_RECEIVERS = 10
_MAX_WORDS = 50
_MAX_CONDITIONS = 20


@dataclass(frozen=True, kw_only=True)
class NewMonitors:
    """Makes monitors to store; `BadInputError` for those that could never be checked."""

    policy: Policy
    parsers: Parsers
    extraction: Callable[[], ExtractionService]
    check_service: Callable[[str], Awaitable[None]]  # raises for an unusable address
    blind_host: Callable[[str], bytes]
    min_interval: float
    max_pages: int
    clock: Clock

    async def monitor(self, definition: MonitorDefinition, caller: Caller) -> NewMonitor:
        """Return a monitor whose first check is due."""
        now = self.clock.time()
        definition = await self._checked(definition, now)
        planned = RunTimes(definition.schedule).first(now)
        monitor = Monitor(
            id=_new_id(),
            tenant=caller.tenant,
            user=caller.user,
            state="active",
            definition=definition,
            created=now,
            slot=planned.slot,
            due=planned.due,
        )
        return NewMonitor(monitor=monitor, host=self._host(definition.target))

    async def changed(self, monitor: Monitor, definition: MonitorDefinition) -> Monitor:
        """Return a monitor with another name, schedule or receivers."""
        now = self.clock.time()
        definition = await self._checked(definition, now)
        if definition.target != monitor.definition.target:
            raise BadInputError(
                "target: what a monitor watches cannot be changed, because its history would "
                "compare different things; create another monitor"
            )
        updates: dict[str, Any] = {"definition": definition}
        # a check that is due stays so
        if definition.schedule != monitor.definition.schedule and monitor.due > now:
            latest = monitor.progress.last_run or monitor.created
            planned = RunTimes(definition.schedule).after(latest, now, self.clock.random)
            updates |= {"slot": planned.slot, "due": planned.due}
        return monitor.model_copy(update=updates)

    async def _checked(self, definition: MonitorDefinition, now: float) -> MonitorDefinition:
        target, schedule = definition.target, definition.schedule
        RunTimes(schedule).check(self.min_interval, now)
        await self._check_notify(definition.notify, schedule, now)
        _check_conditions(target)
        if target.kind == "references":
            await watched_references(target.target, self.parsers)
        elif target.kind != "search":
            target = target.model_copy(update={"target": self._allowed(target.target).href})
        self._check_selection(target)
        return definition.model_copy(update={"target": target})

    def _check_selection(self, target: MonitorTarget) -> None:
        parts = [
            name
            for name, given in (
                ("selector", target.selector),
                ("words", target.words),
                ("fields", target.has_fields),
            )
            if given
        ]
        if parts and target.kind != "page":
            raise BadInputError(f"{parts[0]}: works with the kind page only")
        if target.has_fields and len(parts) > 1:
            raise BadInputError("fields: cannot be combined with selector or words")
        if len(target.words) > _MAX_WORDS:
            raise BadInputError(f"words: at most {_MAX_WORDS} are allowed")
        if target.selector:
            _check_selector(target.selector)
        if target.has_fields:
            self.extraction().request(target.fields or "", target.json_schema)
        if target.kind == "site" and target.max_pages > self.max_pages:
            raise BadInputError(f"maxPages: at most {self.max_pages} pages of a site are watched")

    async def _check_notify(
        self, notify: MonitorNotify, schedule: MonitorSchedule, now: float
    ) -> None:
        if len(notify.webhooks) + len(notify.services) > _MAX_RECEIVERS:
            raise BadInputError(f"notify: at most {_MAX_RECEIVERS} receivers are allowed")
        for webhook in notify.webhooks:
            self._allowed(webhook.url)
        for url in notify.services:
            await self.check_service(url)
        if notify.digest:
            digest = MonitorSchedule(every=notify.digest, timezone=schedule.timezone)
            RunTimes(digest).check(0.0, now, field="digest")

    def _allowed(self, text: str) -> Url:
        url = parse(text)
        try:
            self.policy.check(url)
        except RefusedError as refused:
            raise refused.to_error(url.href) from refused
        return url

    def _host(self, target: MonitorTarget) -> bytes:
        """Return the host that single requests go to; crawls have their own politeness."""
        url = split_url(target.target) if target.kind in _WITH_HOST else None
        return self.blind_host(url.authority) if url else b""


def _check_conditions(target: MonitorTarget) -> None:
    if len(target.conditions) > _MAX_CONDITIONS:
        raise BadInputError(f"when: at most {_MAX_CONDITIONS} conditions are allowed")
    for text in target.conditions:
        try:
            parse_condition(text)
        except ArgumentsError as error:
            raise BadInputError(f"when: {error}") from error


def _check_selector(selector: str) -> None:
    root = parse_html("<p>x</p>")
    if root is None:
        return
    try:
        select(root, selector)
    except BadInputError as error:
        raise BadInputError(str(error).replace("x-selector", "selector", 1)) from error


def _new_id() -> str:
    """Return a random id that no command line takes for an option."""
    while (name := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return name
