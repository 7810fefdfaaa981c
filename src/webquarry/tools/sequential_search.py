"""The `sequential_search` tool: records the steps of a research session."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.ranking.topic_coverage import SourceSummary, coverage_of, suggest_queries
from webquarry.errors import BadInputError
from webquarry.models.model import Filled, Model
from webquarry.models.session import (
    BriefSource,
    Confidence,
    Depth,
    KnowledgeGap,
    Refined,
    ResearchStep,
    StepIndexEntry,
    StepTaken,
    TopicCoverage,
)
from webquarry.models.zero_results import TRUST
from webquarry.services.sessions.refinement import MAX_QUERIES, refine
from webquarry.services.sessions.session_state import SessionState

FULL_UP_TO = 8  # steps; longer sessions are summarised
_LIMIT_REACHED = (
    "session_limit_reached: the session has {} steps and this one was not recorded; "
    "export it with research_export and start another at stepNumber 1."
)
MAX_LISTED = 20  # latest steps and sources in one result; each step repeats them

Prose = Annotated[str, Field(min_length=1, max_length=10_000), WithJsonSchema({"type": "string"})]
_STRINGS = WithJsonSchema({"type": "array", "items": {"type": "string"}})
Number = Annotated[int, Field(ge=1), WithJsonSchema({"type": "integer"})]


class SequentialSearchIn(Model):
    """Arguments of `sequential_search`."""

    searchStep: Prose = Field(description="This step.")
    stepNumber: Number = Field(description="From 1.")
    nextStepNeeded: bool = Field(description="More to come.")
    sessionId: str | None = Field(default=None, description="From step 2 on.")
    researchGoal: Prose | None = Field(default=None, description="Set in step 1.")
    reasoning: Prose | None = Field(default=None, description="Why this direction.")
    confidence: Confidence | None = Field(default=None, description="In this step.")
    rejectedApproaches: Annotated[list[Prose], _STRINGS] | None = Field(
        default=None, description="Texts."
    )
    sessionSummary: Prose | None = Field(default=None, description="For recovery.")
    responseMode: Literal["auto", "full", "summary"] = Field(default="auto", description="Output.")
    totalStepsEstimate: Number | None = Field(default=None, description="Steps in all.")
    isRevision: bool = Field(default=False, description="Revises a step.")
    revisesStep: Number | None = Field(default=None, description="Which.")
    branchFromStep: Number | None = Field(default=None, description="Where a branch leaves.")
    branchId: Prose | None = Field(default=None, description="Its name.")
    knowledgeGap: Prose | None = Field(default=None, description="Still unknown.")
    capture: bool = Field(default=False, description="Keep evidence.")
    depth: Depth = Field(
        default="quick", description="standard: follow-up queries; thorough: runs 3."
    )


class SequentialSearchOut(Model):
    """Result of `sequential_search`."""

    sessionId: str
    responseMode: Literal["full", "summary"]
    researchGoal: str
    currentStep: int
    totalStepsEstimate: int
    isComplete: bool
    startedAt: str
    completedAt: str | None = None
    warning: str | None = None
    trust: str
    steps: list[StepIndexEntry] | None = None
    summary: str | None = None
    stepIndex: list[StepIndexEntry] | None = None
    lastSteps: Filled[list[ResearchStep]] = None
    gaps: Filled[list[KnowledgeGap]] = None
    sources: Filled[list[BriefSource]] = None
    omitted: Filled[dict[str, int]] = None  # numbers of earlier ones that are not listed
    depth: str | None = None
    coverage: TopicCoverage | None = None
    refinementQueries: list[str] | None = None
    refinementResults: list[Refined] | None = None
    refinementNote: str | None = None


@tool(
    "research",
    ToolOptions(
        annotations=ToolAnnotations(idempotent=False, open_world=False),
        output_schema=names_schema(
            "sessionId",
            "isComplete",
            "warning",
            "steps",
            "summary",
            "stepIndex",
            "lastSteps",
            "gaps",
            "sources",
            "coverage",
            "refinementQueries",
            "refinementResults",
        ),
        reads_session=True,
    ),
)
async def sequential_search(args: SequentialSearchIn, call: Call) -> SequentialSearchOut:
    """Record one step of a multi-step research task. Tools given its sessionId add sources."""
    sessions = call.services.sessions
    step = _step_taken(args, sessions.timestamp())
    if args.sessionId:
        state = await sessions.add_step(call.caller, args.sessionId, step)
    else:
        _check_first_step(args)
        state = await sessions.start(call.caller, args.researchGoal or "", step)
    extra: dict[str, Any] = {}
    if args.depth != "quick":
        state, extra = await _assist(args, state, call)
    return _out(args, state, sessions.max_steps, extra)


def _check_first_step(args: SequentialSearchIn) -> None:
    """Reject a later step without a session: a lost session must not be split in two."""
    if args.stepNumber > 1:
        raise BadInputError(
            "sessionId: is required from step 2 on. Pass the one step 1 returned, recover with "
            "get_research_session, or restart at stepNumber 1."
        )
    if args.revisesStep or args.branchFromStep:
        raise BadInputError("revisesStep, branchFromStep: a new session has no earlier step")


def _step_taken(args: SequentialSearchIn, now: str) -> StepTaken:
    revision = args.isRevision or args.revisesStep is not None
    step = ResearchStep(
        stepNumber=args.stepNumber,
        description=args.searchStep,
        reasoning=args.reasoning,
        confidence=args.confidence,
        rejectedApproaches=tuple(args.rejectedApproaches) if args.rejectedApproaches else None,
        isRevision=revision,
        revisesStep=args.revisesStep,
        branchFromStep=args.branchFromStep,
        branchId=args.branchId,
        knowledgeGap=args.knowledgeGap,
        depth=None if args.depth == "quick" else args.depth,
        timestamp=now,
    )
    return StepTaken(
        step=step,
        more=args.nextStepNeeded,
        goal=args.researchGoal,
        summary=args.sessionSummary,
        estimate=args.totalStepsEstimate,
        capture=args.capture,
    )


def _out(
    args: SequentialSearchIn, state: SessionState, max_steps: int, extra: dict[str, Any]
) -> SequentialSearchOut:
    mode = args.responseMode
    if mode == "auto":
        mode = "full" if len(state.steps) <= FULL_UP_TO else "summary"
    # responseMode=full and get_research_session return everything
    limit = None if args.responseMode == "full" else MAX_LISTED
    index, sources = state.index(limit), state.briefs(limit)
    view = {"steps": index} if mode == "full" else {"summary": state.summary, "stepIndex": index}
    omitted = {
        "steps": len(state.steps) - len(index),
        "sources": state.source_count - len(sources),
    }
    return SequentialSearchOut(
        sessionId=state.id,
        responseMode=mode,
        researchGoal=state.goal,
        currentStep=args.stepNumber,
        totalStepsEstimate=state.estimate or max(args.stepNumber, len(state.steps)),
        isComplete=not args.nextStepNeeded,
        startedAt=state.started_at,
        completedAt=None if args.nextStepNeeded else state.completed_at,
        warning=_LIMIT_REACHED.format(max_steps) if state.is_full else None,
        trust=TRUST,
        lastSteps=state.last_steps,
        gaps=state.gaps,
        sources=sources,
        omitted={name: count for name, count in omitted.items() if count},
        **view,
        **extra,
    )


async def _assist(
    args: SequentialSearchIn, state: SessionState, call: Call
) -> tuple[SessionState, dict[str, Any]]:
    """Assess how the sources cover the goal; with depth thorough, run follow-up searches too."""
    coverage = coverage_of([SourceSummary(s.url, s.sourceType or "unknown") for s in state.sources])
    topic = state.goal or args.searchStep
    queries = suggest_queries(topic, [gap.description for gap in state.gaps], coverage)
    extra: dict[str, Any] = {
        "depth": args.depth,
        "coverage": coverage,
        "refinementQueries": queries,
    }
    if args.depth != "thorough":
        return state, extra
    if not queries:
        return state, extra | {"refinementResults": []}
    extra["refinementResults"], findings = await refine(
        call.services.searching,
        queries,
        call.caller,
        step=args.stepNumber,
        at=call.services.sessions.timestamp(),
    )
    if len(queries) > MAX_QUERIES:
        extra["refinementNote"] = f"Ran {MAX_QUERIES} of {len(queries)} suggested queries."
    if not state.is_full:
        state = await call.services.sessions.record(call.caller, state.id, findings)
    return state, extra
