"""Steps and findings, short enough for a test."""

from typing import Any

from webquarry.models.session import (
    ProviderCall,
    ResearchSource,
    ResearchStep,
    StepTaken,
    ToolFindings,
)

MOMENT = "2023-11-14T22:13:20.000Z"


def step(
    number: int, description: str | None = None, *, more: bool = True, **told: Any
) -> StepTaken:
    beside = {k: told.pop(k) for k in ("goal", "summary", "estimate") if k in told}
    return StepTaken(
        step=ResearchStep(
            stepNumber=number,
            description=description or f"Step {number}.",
            timestamp=MOMENT,
            **told,
        ),
        more=more,
        **beside,
    )


def source(number: int, **told: Any) -> ResearchSource:
    usual: dict[str, Any] = {"url": f"https://example.org/{number}", "title": f"Page {number}"}
    return ResearchSource(**usual | told)


def findings(*sources: ResearchSource, **told: Any) -> ToolFindings:
    usual: dict[str, Any] = {"at": MOMENT, "tool": "web_search", "searched": True}
    return ToolFindings(sources=sources, **usual | told)


def ask(provider: str = "brave", **told: Any) -> ProviderCall:
    return ProviderCall(provider=provider, **told)
