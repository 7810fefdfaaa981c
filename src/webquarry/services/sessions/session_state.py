"""The state of a session, computed from its log of events."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from webquarry.content.ranking.result_urls import canonical_key
from webquarry.models.research import Anchor
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
    brief_source,
)

ONE_LINER_CHARS = 120
LAST_STEPS = 3
MAX_SOURCES = 2000
MAX_OUTCOMES = 200
MIN_PATTERN_COUNT = 3  # fewer failures of a kind may be coincidence
_PATTERN_URLS = 5
_SUMMARY_STEPS = 5
_SUGGESTIONS = {
    "auth_required": "Consider open_access=true or target preprint servers (arxiv, biorxiv).",
    "blocked": "These sites refuse automated readers; look for the same content elsewhere.",
    "browser_unavailable": "These pages need a browser; set CHROME_PATH or use other sources.",
    "content_empty": "These pages gave no readable text; try their PDF or another source.",
    "network": "Several requests did not get through; check connectivity, then retry.",
    "not_found": "Several pages are gone; search for newer URLs or archived copies.",
    "rate_limited": "Slow down, or pass another provider.",
    "upstream_unavailable": "A provider keeps failing; pass another provider.",
}
_FIRST_ONLY = {"url", "tool", "foundAt", "foundInStep"}  # set when a source is first found
_DEFAULT_SUGGESTION = "The same failure keeps happening; change the approach."


@dataclass(frozen=True)
class _Outcome:
    at: str
    failure: ToolFailure | None = None
    call: ProviderCall | None = None


@dataclass
class SessionState:
    """A session. Only `apply` changes it."""

    id: str
    max_steps: int
    goal: str = ""
    started_at: str = ""
    completed_at: str | None = None
    is_complete: bool = False
    estimate: int | None = None
    steps: list[ResearchStep] = field(default_factory=list[ResearchStep])
    gaps: list[KnowledgeGap] = field(default_factory=list[KnowledgeGap])
    searches: list[SearchEntry] = field(default_factory=list[SearchEntry])
    batch_count: int = 0  # batches applied
    is_full: bool = False  # a step was rejected
    captures: bool = False  # the exchanges of its calls
    quotes: dict[Anchor, None] = field(default_factory=dict[Anchor, None])  # each once
    _index: list[StepIndexEntry] = field(default_factory=list[StepIndexEntry])
    _given_summary: str | None = None
    _sources: dict[str, ResearchSource] = field(default_factory=dict[str, ResearchSource])
    _briefs: dict[str, BriefSource] = field(default_factory=dict[str, BriefSource])
    _outcomes: deque[_Outcome] = field(default_factory=lambda: deque[_Outcome](maxlen=MAX_OUTCOMES))
    _unread: set[str] = field(default_factory=set[str])
    _seen: set[str] = field(default_factory=set[str])

    @property
    def sources(self) -> list[ResearchSource]:
        """The sources, each page once, in the order they were found."""
        return list(self._sources.values())

    @property
    def source_count(self) -> int:
        """The number of sources."""
        return len(self._sources)

    @property
    def last_steps(self) -> list[ResearchStep]:
        """The most recent steps."""
        return self.steps[-LAST_STEPS:]

    @property
    def summary(self) -> str:
        """The researcher's summary; without one, the goal and the last steps."""
        if self._given_summary:
            return self._given_summary
        recent = "; ".join(_short(step.description, 80) for step in self.steps[-_SUMMARY_STEPS:])
        end = "" if self.goal[-1:] in ".?!" else "."
        return f"{self.goal}{end} Progress: {recent}".strip()

    def index(self, last: int | None = None) -> list[StepIndexEntry]:
        """Return all steps in short form, or only the `last` ones."""
        return self._index[:] if last is None else self._index[-last:]

    def briefs(self, last: int | None = None) -> list[BriefSource]:
        """Return all sources in short form, or only the `last` ones."""
        known = self._briefs.values()
        return list(known if last is None else islice(known, max(0, len(known) - last), None))

    def step(self, number: int) -> ResearchStep | None:
        """Return the step of this number, the latest if there are several."""
        return next((s for s in reversed(self.steps) if s.stepNumber == number), None)

    def error_patterns(self) -> list[ErrorPattern]:
        """Return the kinds of failure that happened three times or more, most frequent first."""
        failures = [(o.at, o.failure) for o in self._outcomes if o.failure]
        counts = Counter(failure.kind for _, failure in failures)
        return [
            _pattern(kind, [(at, f) for at, f in failures if f.kind == kind])
            for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            if count >= MIN_PATTERN_COUNT
        ]

    def provider_stats(self) -> dict[str, ProviderStats]:
        """Return the number of queries and successes of each provider."""
        calls = [outcome.call for outcome in self._outcomes if outcome.call]
        attempts = Counter(call.provider for call in calls)
        successes = Counter(call.provider for call in calls if not call.error)
        return {
            name: ProviderStats(attempts=attempts[name], successes=successes[name])
            for name in sorted(attempts)
        }

    def flow(self) -> Flow:
        """Return the record counts of all searches."""
        searches = self.searches
        return Flow(
            identified=sum(s.hits for s in searches),
            duplicatesRemoved=sum(s.duplicatesRemoved for s in searches),
            excluded=sum(s.excluded for s in searches),
            screened=sum(s.screened for s in searches),
            read=sum(bool(source.read) for source in self._sources.values()),
            notRetrieved=len(self._unread),
        )

    def apply(self, start: int, batches: Iterable[bytes]) -> None:
        """Apply batches of events, the first being number `start`; known ones are skipped."""
        for raw in list(batches)[max(0, self.batch_count - start) :]:
            self.batch_count += 1
            if not raw:  # damaged
                continue
            batch = SessionBatch.model_validate_json(raw)
            if batch.id in self._seen:
                continue
            self._seen.add(batch.id)
            for event in batch.events:
                self._apply_event(event)

    def _apply_event(self, event: SessionOpened | StepTaken | ToolFindings) -> None:
        if isinstance(event, SessionOpened):
            self.goal, self.started_at = event.goal, event.at
        elif isinstance(event, StepTaken):
            self._apply_step(event)
        else:
            self._apply_findings(event)

    def _apply_step(self, event: StepTaken) -> None:
        if len(self.steps) >= self.max_steps:
            self.is_full = True
            return
        step = event.step
        self.steps.append(step)
        self._index.append(_index_entry(step))
        if step.revisesStep is not None:
            self._supersede(step.revisesStep, step.stepNumber)
        if step.knowledgeGap:
            gap = KnowledgeGap(description=step.knowledgeGap, foundInStep=step.stepNumber)
            if gap.description not in {known.description for known in self.gaps}:
                self.gaps.append(gap)
        self.goal = event.goal or self.goal
        self._given_summary = event.summary or self._given_summary
        self.estimate = event.estimate or self.estimate
        self.captures = bool(event.capture) or self.captures
        self.is_complete = not event.more
        self.completed_at = step.timestamp if self.is_complete else None

    def _supersede(self, number: int, by: int) -> None:
        for at, step in enumerate(self.steps[:-1]):
            if step.stepNumber == number:
                self.steps[at] = step.model_copy(update={"supersededBy": by})

    def _apply_findings(self, event: ToolFindings) -> None:
        self.quotes.update(dict.fromkeys(event.quotes or ()))
        new_count = [self._add(source, event) for source in event.sources].count(True)
        if event.searchedAt is None:  # a cached result shows nothing about the provider's state
            for call in event.asks:
                self._record_call(call, event)
        for failure in event.mishaps:
            self._outcomes.append(_Outcome(event.at, failure=failure))
            if failure.url:
                self._unread.add(canonical_key(failure.url))
        if event.searched:
            self._log(event, new_count)

    def _record_call(self, call: ProviderCall, event: ToolFindings) -> None:
        self._outcomes.append(_Outcome(event.at, call=call))
        if call.error and not any(f.provider == call.provider for f in event.mishaps):
            failure = ToolFailure(kind=call.error, provider=call.provider)
            self._outcomes.append(_Outcome(event.at, failure=failure))

    def _add(self, source: ResearchSource, event: ToolFindings) -> bool:
        """Add a source, or new facts about a known one; return whether it is new."""
        key = canonical_key(source.url)
        if source.read:
            self._unread.discard(key)
        known = self._sources.get(key)
        if known is not None:
            facts = source.model_dump(exclude_none=True, exclude=_FIRST_ONLY)
            # the page itself is more reliable than the search result
            better = source.read and not known.read
            update = {k: v for k, v in facts.items() if better or getattr(known, k) is None}
            self._store(key, known.model_copy(update=update))
            return False
        if len(self._sources) >= MAX_SOURCES:
            return False
        self._store(key, source.model_copy(update={"tool": event.tool, "foundAt": event.at}))
        return True

    def _store(self, key: str, source: ResearchSource) -> None:
        # the short form is made once, so that steps of long sessions are not slower
        self._sources[key], self._briefs[key] = source, brief_source(source)

    def _log(self, event: ToolFindings, new_count: int) -> None:
        """Add one entry for each query; new sources count for the earliest query."""
        answered = [call for call in event.asks if not call.error]
        known = max(0, sum(call.kept for call in answered) - new_count)
        for call in event.asks:
            already = min(known, call.kept)
            known -= already
            self.searches.append(_search_entry(len(self.searches) + 1, event, call, already))


def _index_entry(step: ResearchStep) -> StepIndexEntry:
    return StepIndexEntry(
        stepNumber=step.stepNumber,
        oneLiner=_short(step.description, ONE_LINER_CHARS),
        branchId=step.branchId or "",
        confidence=step.confidence or "",
    )


def _search_entry(
    number: int, event: ToolFindings, call: ProviderCall, already: int
) -> SearchEntry:
    excluded = max(0, call.hits - call.duplicates - call.kept)
    removed = call.removedBy or (("num_results",) if excluded else ())
    return SearchEntry(
        number=number,
        tool=event.tool,
        provider=call.provider,
        query=call.query or str(event.arguments.get("query", "")),
        filters=call.filters if call.filters is not None else _filters(event),
        searchedAt=event.searchedAt or event.at,
        hits=call.hits,
        duplicatesRemoved=call.duplicates + already,
        excluded=excluded,
        excludedBy=removed if excluded else (),
        screened=call.kept - already,
        error=call.error,
    )


def _filters(event: ToolFindings) -> dict[str, object]:
    return {k: v for k, v in event.arguments.items() if k not in {"query", "provider"}}


def _pattern(kind: str, failures: list[tuple[str, ToolFailure]]) -> ErrorPattern:
    urls = dict.fromkeys(failure.url for _, failure in failures if failure.url)
    return ErrorPattern(
        kind=kind,
        count=len(failures),
        affectedUrls=tuple(list(urls)[:_PATTERN_URLS]),
        suggestion=_SUGGESTIONS.get(kind, _DEFAULT_SUGGESTION),
        lastSeen=max(at for at, _ in failures),
    )


def _short(text: str, max_chars: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= max_chars else f"{line[: max_chars - 1].rstrip()}…"
