"""The pieces of work that a bundle can be made of: sessions, crawls, checks and quotes."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from webquarry.crawl.service import CrawlService
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.evidence_bundle import BundleSubject
from webquarry.models.monitor import MonitorChange
from webquarry.models.research import Anchor
from webquarry.parsing.parsers import Parsers
from webquarry.services.bundles.bundle_archive import unix_time
from webquarry.services.bundles.bundle_plan import (
    BundleContents,
    BundlePlan,
    plan_bundle,
)
from webquarry.services.bundles.capturing import Capturing
from webquarry.services.checking.check_jobs import CheckJobs
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.found_anchors import anchors_in
from webquarry.services.sessions.html_report import report_html
from webquarry.services.sessions.report import SessionExport, report_data, report_markdown
from webquarry.services.sessions.search_log import search_log
from webquarry.services.sessions.service import SessionService
from webquarry.services.sessions.session_state import SessionState
from webquarry.services.watching.monitor_views import change_row
from webquarry.services.watching.service import MonitorService
from webquarry.services.watching.version_captures import capture_group
from webquarry.storage.exchange_store import CaptureGroup

_FOLDER = "evidence"


@dataclass(frozen=True, kw_only=True)
class BundleSources:
    """Collects what belongs to a piece of work. Callables: few bundles need all of them."""

    capturing: Capturing
    sessions: Callable[[], SessionService]
    crawling: Callable[[], CrawlService]
    checks: Callable[[], CheckJobs]
    watching: Callable[[], MonitorService]
    evidence: Callable[[], Evidence]
    parsers: Parsers

    async def plan(
        self, subject: BundleSubject, subject_id: str, caller: Caller, *, everything: bool = False
    ) -> BundlePlan:
        """Return the bundle of a session, crawl or check; `NotFoundError` if it has no captures.

        With `everything`, also what else was captured while a session was worked on.
        """
        await self.capturing.flush()
        collect = {
            "session": self._session,
            "crawl": self._crawl,
            "check": self._check,
            "change": self._change,
        }
        contents = await collect[subject](subject_id, caller)
        return await self._planned(contents if everything else replace(contents, during=None))

    async def plan_quote(self, anchor: Anchor, caller: Caller) -> BundlePlan:
        """Return the bundle of one quotation, with the result of its check."""
        await self.capturing.flush()
        check = await self.evidence().verify(anchor, caller)
        result = check.model_dump(mode="json", exclude_none=True)
        contents = BundleContents(
            subject="quote",
            id=anchor.sha256[:16] or "quote",
            title=f"Quotation from {check.url}",
            group=CaptureGroup(caller.tenant, caller.user, "-"),
            urls=(check.url,),
            quotes=(anchor.model_copy(update={"quote": check.quote}),),
            files={f"{_FOLDER}/quote-check.json": _json(result)},
        )
        return await self._planned(contents)

    async def _planned(self, contents: BundleContents) -> BundlePlan:
        plan = await plan_bundle(contents, self.capturing.exchanges)
        if not plan.keys:
            raise NotFoundError(
                f"Nothing was captured for this {contents.subject}. Set CAPTURE=on, or capture: "
                "true for a session or crawl, before its pages are read."
            )
        return plan

    async def _session(self, session_id: str, caller: Caller) -> BundleContents:
        sessions = self.sessions()
        state = await sessions.get(caller, session_id)
        export = SessionExport(state, caller.tenant, sessions.timestamp())
        return BundleContents(
            subject="session",
            id=state.id,
            title=state.goal or "Research",
            group=CaptureGroup(caller.tenant, caller.user, f"session.{state.id}"),
            during=_period(state, sessions.unix_time()),
            urls=tuple(source.url for source in state.sources if source.read),
            quotes=tuple(state.quotes),
            files={
                f"{_FOLDER}/report.html": report_html(export).encode(),
                f"{_FOLDER}/report.md": report_markdown(export).encode(),
                f"{_FOLDER}/session.json": _json({"session": report_data(export)}),
                f"{_FOLDER}/search-log.md": search_log(state).encode(),
            },
            about=(
                "The goal, steps, reasoning and open questions of your research.",
                f"{len(state.searches)} searches: what you asked, whom and when.",
                f"The name of your tenant, {caller.tenant!r}.",
            ),
        )

    async def _crawl(self, crawl_id: str, caller: Caller) -> BundleContents:
        job = await self.crawling().job(crawl_id, caller)
        report = job.model_dump(mode="json", exclude={"tenant", "user"}, exclude_none=True)
        # what the caller sent along may open an account
        report["request"].pop("page_options", None)
        report["request"].pop("webhook", None)
        return BundleContents(
            subject="crawl",
            id=job.id,
            title=f"{job.kind.capitalize()} of {job.request.url}",
            group=CaptureGroup(caller.tenant, job.user, f"crawl.{job.id}"),
            files={f"{_FOLDER}/crawl.json": _json(report)},
            about=("The request and the progress of the crawl.",),
        )

    async def _check(self, check_id: str, caller: Caller) -> BundleContents:
        checks = self.checks()
        job = await checks.get(check_id, caller)
        result = (await checks.result(job)).model_dump(mode="json", exclude_none=True)
        report = await checks.file(job, "html", self.parsers)
        quotes = tuple(dict.fromkeys(anchors_in(result)))
        return BundleContents(
            subject="check",
            id=job.id,
            title=f"Check of {job.name or 'a document'}",
            group=CaptureGroup(caller.tenant, job.user, f"check.{job.id}"),
            quotes=quotes,
            files={
                f"{_FOLDER}/check.json": _json(result),
                f"{_FOLDER}/report.html": report.content,
            },
            about=("Every checked sentence and reference of your document.",),
        )

    async def _change(self, change_id: str, caller: Caller) -> BundleContents:
        monitor_id, _, number = change_id.rpartition(".")
        if not number.isdecimal():
            raise BadInputError("A change is named by its monitor and number, like ID.3.")
        watching = self.watching()
        monitor = await watching.get(monitor_id, caller)
        change = await watching.change(monitor_id, int(number[:18]), caller)
        found = change_row(change).model_dump(mode="json", exclude_none=True)
        groups = tuple(
            CaptureGroup(monitor.tenant, monitor.user, name) for name in change.captured
        ) or (CaptureGroup(monitor.tenant, monitor.user, capture_group(monitor.id, 0)),)
        return BundleContents(
            subject="change",
            id=change_id,
            title=f"{monitor.definition.name}: change {change.seq}",
            group=groups[0],
            more_groups=groups[1:],
            quotes=tuple(dict.fromkeys(_passages(change))),
            files={f"{_FOLDER}/change.json": _json(found)},
            about=("What the monitor found, and its name.",),
        )


def _passages(change: MonitorChange) -> Iterator[Anchor]:
    """Yield the passages of a page before and after a change, which captures contain."""
    for each in change.changes:
        for anchor in (each.before, each.after):
            if anchor and anchor.sha256:
                yield anchor


def _period(state: SessionState, now: float) -> tuple[float, float]:
    """Return the times between which a session was worked on."""
    # timestamps have no fraction of a second
    end = unix_time(state.completed_at) + 1.0 if state.completed_at else now
    return unix_time(state.started_at), end


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
