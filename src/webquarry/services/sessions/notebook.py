"""What the pages of a session add up to."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from webquarry.content.ranking.result_urls import canonical
from webquarry.models.session import (
    BriefSource,
    ErrorPattern,
    Flow,
    KnowledgeGap,
    ProviderCall,
    ProviderStats,
    ResearchSource,
    ResearchStep,
    SearchEntry,
    SessionBatch,
    SessionOpened,
    StepIndexEntry,
    StepTaken,
    ToolFailure,
    ToolFindings,
    brief,
)

ONE_LINER = 120
LAST_STEPS = 3
MOST_SOURCES = 2000
MOST_OUTCOMES = 200
PATTERN_FROM = 3  # fewer failures of a kind may be chance
_PATTERN_URLS = 5
_SUMMARY_STEPS = 5
_SUGGESTIONS = {
    "auth_required": "Consider open_access=true or target preprint servers (arxiv, biorxiv).",
    "blocked": "These sites refuse automated readers; look for the same content elsewhere.",
    "browser_unavailable": "These pages need a browser; set CHROME_PATH or use other sources.",
    "content_empty": "These pages gave no readable text; try their PDF or another source.",
    "network": "Several requests did not get through; check connectivity, then retry.",
    "not_found": "Several pages are gone; search for newer addresses or archived copies.",
    "rate_limited": "Slow down, or pass another provider.",
    "upstream_unavailable": "A provider keeps failing; pass another provider.",
}
_OF_THE_FIRST = {"url", "tool", "foundAt", "foundInStep"}  # of whoever found a source first
_USUAL_SUGGESTION = "The same failure keeps happening; change the approach."


@dataclass(frozen=True)
class _Outcome:
    at: str
    mishap: ToolFailure | None = None
    ask: ProviderCall | None = None


@dataclass
class SessionState:
    """A session as it stands. Reading further pages changes it; nothing else does."""

    id: str
    most_steps: int
    goal: str = ""
    started_at: str = ""
    completed_at: str | None = None
    complete: bool = False
    estimate: int | None = None
    steps: list[ResearchStep] = field(default_factory=list[ResearchStep])
    gaps: list[KnowledgeGap] = field(default_factory=list[KnowledgeGap])
    searches: list[SearchEntry] = field(default_factory=list[SearchEntry])
    length: int = 0  # pages read
    full: bool = False  # a step did not fit any more
    _lines: list[StepIndexEntry] = field(default_factory=list[StepIndexEntry])  # one a step
    _given_summary: str | None = None
    _sources: dict[str, ResearchSource] = field(default_factory=dict[str, ResearchSource])
    _briefs: dict[str, BriefSource] = field(default_factory=dict[str, BriefSource])
    _outcomes: deque[_Outcome] = field(
        default_factory=lambda: deque[_Outcome](maxlen=MOST_OUTCOMES)
    )
    _unread: set[str] = field(default_factory=set[str])
    _seen: set[str] = field(default_factory=set[str])

    @property
    def sources(self) -> list[ResearchSource]:
        """Return what was found, each page once, in the order of finding."""
        return list(self._sources.values())

    @property
    def source_count(self) -> int:
        """Return how many pages were found."""
        return len(self._sources)

    @property
    def last_steps(self) -> list[ResearchStep]:
        """Return the most recent steps."""
        return self.steps[-LAST_STEPS:]

    @property
    def summary(self) -> str:
        """Return the researcher's own summary; without one, the goal and the last steps."""
        if self._given_summary:
            return self._given_summary
        recent = "; ".join(_short(step.description, 80) for step in self.steps[-_SUMMARY_STEPS:])
        end = "" if self.goal[-1:] in ".?!" else "."
        return f"{self.goal}{end} Progress: {recent}".strip()

    def index(self, last: int | None = None) -> list[StepIndexEntry]:
        """Return every step in one line, or only the `last` ones."""
        return self._lines[:] if last is None else self._lines[-last:]

    def briefs(self, last: int | None = None) -> list[BriefSource]:
        """Return every source in brief, or only the `last` ones."""
        known = self._briefs.values()
        return list(known if last is None else islice(known, max(0, len(known) - last), None))

    def numbered(self, number: int) -> ResearchStep | None:
        """Return the step of that number, the latest if it was sent twice."""
        return next((s for s in reversed(self.steps) if s.stepNumber == number), None)

    def error_patterns(self) -> list[ErrorPattern]:
        """Return the kinds of failure that happened three times or more, most frequent first."""
        failures = [(o.at, o.mishap) for o in self._outcomes if o.mishap]
        counts = Counter(mishap.kind for _, mishap in failures)
        return [
            _pattern(kind, [(at, m) for at, m in failures if m.kind == kind])
            for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            if count >= PATTERN_FROM
        ]

    def provider_stats(self) -> dict[str, ProviderStats]:
        """Return how often each provider was asked and answered."""
        asks = [outcome.ask for outcome in self._outcomes if outcome.ask]
        return {
            name: ProviderStats(
                attempts=sum(ask.provider == name for ask in asks),
                successes=sum(ask.provider == name and not ask.error for ask in asks),
            )
            for name in sorted({ask.provider for ask in asks})
        }

    def flow(self) -> Flow:
        """Return how many records went which way."""
        searches = self.searches
        return Flow(
            identified=sum(s.hits for s in searches),
            duplicatesRemoved=sum(s.duplicatesRemoved for s in searches),
            excluded=sum(s.excluded for s in searches),
            screened=sum(s.screened for s in searches),
            read=sum(bool(source.read) for source in self._sources.values()),
            notRetrieved=len(self._unread),
        )

    def read(self, start: int, pages: Iterable[bytes]) -> None:
        """Take in pages that begin after the first `start`; those known already are skipped."""
        for raw in list(pages)[max(0, self.length - start) :]:
            self.length += 1
            if not raw:  # damaged
                continue
            page = SessionBatch.model_validate_json(raw)
            if page.id in self._seen:
                continue
            self._seen.add(page.id)
            for event in page.events:
                self._take(event)

    def _take(self, event: SessionOpened | StepTaken | ToolFindings) -> None:
        if isinstance(event, SessionOpened):
            self.goal, self.started_at = event.goal, event.at
        elif isinstance(event, StepTaken):
            self._take_step(event)
        else:
            self._take_findings(event)

    def _take_step(self, event: StepTaken) -> None:
        if len(self.steps) >= self.most_steps:
            self.full = True
            return
        step = event.step
        self.steps.append(step)
        self._lines.append(_one_line(step))
        if step.revisesStep is not None:
            self._supersede(step.revisesStep, step.stepNumber)
        if step.knowledgeGap:
            gap = KnowledgeGap(description=step.knowledgeGap, foundInStep=step.stepNumber)
            if gap.description not in {known.description for known in self.gaps}:
                self.gaps.append(gap)
        self.goal = event.goal or self.goal
        self._given_summary = event.summary or self._given_summary
        self.estimate = event.estimate or self.estimate
        self.complete = not event.more
        self.completed_at = step.timestamp if self.complete else None

    def _supersede(self, number: int, by: int) -> None:
        for at, step in enumerate(self.steps[:-1]):
            if step.stepNumber == number:
                self.steps[at] = step.model_copy(update={"supersededBy": by})

    def _take_findings(self, event: ToolFindings) -> None:
        fresh = [self._add(source, event) for source in event.sources].count(True)
        for ask in event.asks:
            # an answer that was kept says nothing about how its provider is doing now
            if event.searchedAt is None:
                self._outcomes.append(_Outcome(event.at, ask=ask))
                if ask.error and not any(m.provider == ask.provider for m in event.mishaps):
                    mishap = ToolFailure(kind=ask.error, provider=ask.provider)
                    self._outcomes.append(_Outcome(event.at, mishap=mishap))
        for mishap in event.mishaps:
            self._outcomes.append(_Outcome(event.at, mishap=mishap))
            if mishap.url:
                self._unread.add(canonical(mishap.url))
        if event.searched:
            self._log(event, fresh)

    def _add(self, source: ResearchSource, event: ToolFindings) -> bool:
        """Add a source, or what is new about a known one; return whether it is new."""
        key = canonical(source.url)
        if source.read:
            self._unread.discard(key)
        known = self._sources.get(key)
        if known is not None:
            news = source.model_dump(exclude_none=True, exclude=_OF_THE_FIRST)
            # a page says better what it is than the search that led to it
            better = source.read and not known.read
            gained = {k: v for k, v in news.items() if better or getattr(known, k) is None}
            self._keep(key, known.model_copy(update=gained))
            return False
        if len(self._sources) >= MOST_SOURCES:
            return False
        self._keep(key, source.model_copy(update={"tool": event.tool, "foundAt": event.at}))
        return True

    def _keep(self, key: str, source: ResearchSource) -> None:
        # in brief at once, not anew for every answer: a late step must cost what an early one does
        self._sources[key], self._briefs[key] = source, brief(source)

    def _log(self, event: ToolFindings, fresh: int) -> None:
        """Write one line for each question; what is new is credited in the order of asking."""
        answered = [ask for ask in event.asks if not ask.error]
        known = max(0, sum(ask.kept for ask in answered) - fresh)
        for ask in event.asks:
            already = min(known, ask.kept)
            known -= already
            self.searches.append(_line(len(self.searches) + 1, event, ask, already))


def _one_line(step: ResearchStep) -> StepIndexEntry:
    return StepIndexEntry(
        stepNumber=step.stepNumber,
        oneLiner=_short(step.description, ONE_LINER),
        branchId=step.branchId or "",
        confidence=step.confidence or "",
    )


def _line(number: int, event: ToolFindings, ask: ProviderCall, already: int) -> SearchEntry:
    excluded = max(0, ask.hits - ask.duplicates - ask.kept)
    removed = ask.removedBy or (("num_results",) if excluded else ())
    return SearchEntry(
        number=number,
        tool=event.tool,
        provider=ask.provider,
        query=ask.query or str(event.arguments.get("query", "")),
        filters=ask.filters if ask.filters is not None else _limits(event),
        searchedAt=event.searchedAt or event.at,
        hits=ask.hits,
        duplicatesRemoved=ask.duplicates + already,
        excluded=excluded,
        excludedBy=removed if excluded else (),
        screened=ask.kept - already,
        error=ask.error,
    )


def _limits(event: ToolFindings) -> dict[str, object]:
    return {k: v for k, v in event.arguments.items() if k not in {"query", "provider"}}


def _pattern(kind: str, failures: list[tuple[str, ToolFailure]]) -> ErrorPattern:
    urls = dict.fromkeys(mishap.url for _, mishap in failures if mishap.url)
    return ErrorPattern(
        kind=kind,
        count=len(failures),
        affectedUrls=tuple(list(urls)[:_PATTERN_URLS]),
        suggestion=_SUGGESTIONS.get(kind, _USUAL_SUGGESTION),
        lastSeen=max(at for at, _ in failures),
    )


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
