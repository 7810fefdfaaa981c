"""The `get_research_session` tool: a session recovered after context loss."""

from typing import Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.errors import NotFoundError
from webquarry.models.model import Filled
from webquarry.models.session import (
    BriefSource,
    ErrorPattern,
    KnowledgeGap,
    ProviderStats,
    ResearchStep,
    StepIndexEntry,
)
from webquarry.models.zero_results import TRUST
from webquarry.services.sessions.session_state import SessionState


class GetResearchSessionIn(Budgeted):
    """Arguments of `get_research_session`."""

    sessionId: str = Field(description="The session.")
    stepId: int | None = Field(default=None, ge=1, description="Only this step, in full.")


class GetResearchSessionOut(Paged):
    """Result of `get_research_session`."""

    sessionId: str
    responseMode: Literal["summary", "step"]
    researchGoal: str | None = None
    summary: str | None = None
    stepCount: int | None = None
    totalStepsEstimate: int | None = None
    isComplete: bool | None = None
    startedAt: str | None = None
    completedAt: str | None = None
    stepIndex: list[StepIndexEntry] | None = None
    lastSteps: list[ResearchStep] | None = None
    gaps: list[KnowledgeGap] | None = None
    sources: list[BriefSource] | None = None
    errorPatterns: Filled[list[ErrorPattern]] = None
    providerStats: Filled[dict[str, ProviderStats]] = None
    step: ResearchStep | None = None
    trust: str


@tool(
    "research",
    ToolOptions(
        annotations=ToolAnnotations(open_world=False),
        output_schema=names_schema(
            "summary",
            "isComplete",
            "stepIndex",
            "lastSteps",
            "gaps",
            "sources",
            "errorPatterns",
            "providerStats",
            "step",
            "nextCursor",
        ),
        cuttable=("sources", "stepIndex"),
        reads_session=True,
    ),
)
async def get_research_session(args: GetResearchSessionIn, call: Call) -> GetResearchSessionOut:
    """Recover a sequential_search session after context loss: summary, steps, gaps, sources."""
    state = await call.services.sessions.get(call.caller, args.sessionId)
    if args.stepId is not None:
        return _step(state, args.stepId)
    return GetResearchSessionOut(
        sessionId=state.id,
        responseMode="summary",
        researchGoal=state.goal,
        summary=state.summary,
        stepCount=len(state.steps),
        totalStepsEstimate=state.estimate or len(state.steps),
        isComplete=state.is_complete,
        startedAt=state.started_at,
        completedAt=state.completed_at,
        stepIndex=state.index(),
        lastSteps=state.last_steps,
        gaps=state.gaps,
        sources=state.briefs(),
        errorPatterns=state.error_patterns(),
        providerStats=state.provider_stats(),
        trust=TRUST,
    )


def _step(state: SessionState, number: int) -> GetResearchSessionOut:
    step = state.step(number)
    if step is None:
        known = sorted({step.stepNumber for step in state.steps})
        raise NotFoundError(f"Step {number} not found in this session; it has {known}.")
    return GetResearchSessionOut(sessionId=state.id, responseMode="step", step=step, trust=TRUST)
