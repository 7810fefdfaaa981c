"""A page as the browser shows it, after its scripts and the caller's steps."""

from dataclasses import dataclass, field

from webquarry.net.client.response import FetchedResponse
from webquarry.reading.browser.screenshots import Screenshot
from webquarry.reading.browser.steps.step_runner import StepsRun


@dataclass(frozen=True, kw_only=True)
class RenderedResponse(FetchedResponse):
    """A page after its scripts have run."""

    screenshot: Screenshot | None = None
    screenshot_problem: str = ""  # why there is none
    steps: StepsRun = field(default_factory=StepsRun)
    consent: str = ""  # the label of the button that dismissed a question for consent
