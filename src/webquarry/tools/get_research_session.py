"""The `get_research_session` tool: a session recovered after context loss."""

from typing import Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.errors import NotFoundError
from webquarry.models.session import (
    BriefSource,
    ErrorPattern,
    KnowledgeGap,
    ProviderStats,
    ResearchStep,
    StepIndexEntry,
)
from webquarry.models.zero_results import TRUST
from webquarry.services.sessions.notebook import SessionState


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
    errorPatterns: list[ErrorPattern] | None = None
    providerStats: dict[str, ProviderStats] | None = None
    step: ResearchStep | None = None
    trust: str


@tool(
    "research",
    Options(
        hints=ToolAnnotations(open_world=False),
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
        cuts=("sources", "stepIndex"),
        reads_session=True,
    ),
)
async def get_research_session(args: GetResearchSessionIn, call: Call) -> GetResearchSessionOut:
    """Recover a sequential_search session after context loss: summary, steps, gaps, sources."""
    notebook = await call.services.sessions.find(call.caller, args.sessionId)
    if args.stepId is not None:
        return _step(notebook, args.stepId)
    return GetResearchSessionOut(
        sessionId=notebook.id,
        responseMode="summary",
        researchGoal=notebook.goal,
        summary=notebook.summary,
        stepCount=len(notebook.steps),
        totalStepsEstimate=notebook.estimate or len(notebook.steps),
        isComplete=notebook.complete,
        startedAt=notebook.started_at,
        completedAt=notebook.completed_at,
        stepIndex=notebook.index(),
        lastSteps=notebook.last_steps,
        gaps=notebook.gaps,
        sources=notebook.briefs(),
        errorPatterns=notebook.error_patterns() or None,
        providerStats=notebook.provider_stats() or None,
        trust=TRUST,
    )


def _step(notebook: SessionState, number: int) -> GetResearchSessionOut:
    step = notebook.numbered(number)
    if step is None:
        known = sorted({step.stepNumber for step in notebook.steps})
        raise NotFoundError(f"Step {number} not found in this session; it has {known}.")
    return GetResearchSessionOut(sessionId=notebook.id, responseMode="step", step=step, trust=TRUST)
