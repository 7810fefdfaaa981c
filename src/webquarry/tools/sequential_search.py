"""The `sequential_search` tool: research in steps that are written down."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.ranking.topic_coverage import SourceSummary, coverage_of, refinements
from webquarry.errors import BadInputError
from webquarry.models.model import Model
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
from webquarry.services.sessions.notebook import SessionState
from webquarry.services.sessions.refinement import MOST_RUNS, refine

FULL_UP_TO = 8  # steps; longer sessions are summed up
MOST_LISTED = 20  # steps and sources in one answer, the latest: every step pays for them again
_LONGEST = 10_000


def _bounded(text: str) -> str:
    if not 1 <= len(text) <= _LONGEST:
        raise ValueError(f"must have 1 to {_LONGEST} characters, got {len(text)}")
    return text


Prose = Annotated[str, AfterValidator(_bounded)]
_STRINGS = WithJsonSchema({"type": "array"})
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
    depth: Depth = Field(
        default="quick",
        description="standard: coverage and follow-up queries; thorough: runs 3 of them.",
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
    lastSteps: list[ResearchStep] | None = None
    gaps: list[KnowledgeGap] | None = None
    sources: list[BriefSource] | None = None
    omitted: dict[str, int] | None = None  # earlier ones that are not listed here
    depth: str | None = None
    coverage: TopicCoverage | None = None
    refinementQueries: list[str] | None = None
    refinementResults: list[Refined] | None = None
    refinementNote: str | None = None


@tool(
    "research",
    Options(
        hints=ToolAnnotations(idempotent=False, open_world=False),
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
    """Write down a step of a longer research. Other tools add sources when given its sessionId."""
    sessions = call.services.sessions
    taken = _taken(args, sessions.now())
    if args.sessionId:
        notebook = await sessions.take_step(call.caller, args.sessionId, taken)
    else:
        _check_first(args)
        notebook = await sessions.start(call.caller, args.researchGoal or "", taken)
    extra: dict[str, Any] = {}
    if args.depth != "quick":
        notebook, extra = await _assist(args, notebook, call)
    return _out(args, notebook, sessions.most_steps, extra)


def _check_first(args: SequentialSearchIn) -> None:
    """Refuse a step that cannot be the first: a lost session must not become two halves."""
    if args.stepNumber > 1:
        raise BadInputError(
            "sessionId: is required from step 2 on. Pass the one step 1 returned, recover with "
            "get_research_session, or restart at stepNumber 1."
        )
    if args.revisesStep or args.branchFromStep:
        raise BadInputError("revisesStep, branchFromStep: a new session has no earlier step")


def _taken(args: SequentialSearchIn, now: str) -> StepTaken:
    revision = args.isRevision or args.revisesStep is not None
    step = ResearchStep(
        stepNumber=args.stepNumber,
        description=args.searchStep,
        reasoning=args.reasoning or None,
        confidence=args.confidence,
        rejectedApproaches=tuple(args.rejectedApproaches) if args.rejectedApproaches else None,
        isRevision=revision or None,
        revisesStep=args.revisesStep,
        branchFromStep=args.branchFromStep,
        branchId=args.branchId or None,
        knowledgeGap=args.knowledgeGap or None,
        depth=None if args.depth == "quick" else args.depth,
        timestamp=now,
    )
    return StepTaken(
        step=step,
        more=args.nextStepNeeded,
        goal=args.researchGoal or None,
        summary=args.sessionSummary or None,
        estimate=args.totalStepsEstimate,
    )


def _out(
    args: SequentialSearchIn, notebook: SessionState, most_steps: int, extra: dict[str, Any]
) -> SequentialSearchOut:
    mode = args.responseMode
    if mode == "auto":
        mode = "full" if len(notebook.steps) <= FULL_UP_TO else "summary"
    # whoever wants everything says so, or asks get_research_session
    listed = None if args.responseMode == "full" else MOST_LISTED
    index, sources = notebook.index(listed), notebook.briefs(listed)
    view = {"steps": index} if mode == "full" else {"summary": notebook.summary, "stepIndex": index}
    omitted = {
        "steps": len(notebook.steps) - len(index),
        "sources": notebook.source_count - len(sources),
    }
    return SequentialSearchOut(
        sessionId=notebook.id,
        responseMode=mode,
        researchGoal=notebook.goal,
        currentStep=args.stepNumber,
        totalStepsEstimate=notebook.estimate or max(args.stepNumber, len(notebook.steps)),
        isComplete=not args.nextStepNeeded,
        startedAt=notebook.started_at,
        completedAt=None if args.nextStepNeeded else notebook.completed_at,
        warning=_full(most_steps) if notebook.full else None,
        trust=TRUST,
        lastSteps=notebook.last_steps or None,
        gaps=notebook.gaps or None,
        sources=sources or None,
        omitted={name: count for name, count in omitted.items() if count} or None,
        **view,
        **extra,
    )


def _full(most: int) -> str:
    return (
        f"session_limit_reached: the session has its {most} steps and this one was not recorded; "
        "export it with research_export and start another at stepNumber 1."
    )


async def _assist(
    args: SequentialSearchIn, notebook: SessionState, call: Call
) -> tuple[SessionState, dict[str, Any]]:
    """Say how well the sources cover the goal; when thorough, search on at once."""
    coverage = coverage_of(
        [SourceSummary(s.url, s.sourceType or "unknown") for s in notebook.sources]
    )
    topic = notebook.goal or args.searchStep
    queries = refinements(topic, [gap.description for gap in notebook.gaps], coverage)
    extra: dict[str, Any] = {
        "depth": args.depth,
        "coverage": coverage,
        "refinementQueries": queries,
    }
    if args.depth != "thorough":
        return notebook, extra
    if not queries:
        return notebook, extra | {"refinementResults": []}
    extra["refinementResults"], findings = await refine(
        call.services.searching,
        queries,
        call.caller,
        step=args.stepNumber,
        at=call.services.sessions.now(),
    )
    if len(queries) > MOST_RUNS:
        extra["refinementNote"] = f"Ran {MOST_RUNS} of {len(queries)} suggested queries."
    if not notebook.full:
        notebook = await call.services.sessions.record(call.caller, notebook.id, findings)
    return notebook, extra
