"""`clinical_search`: what a client sees."""

from typing import Any, ClassVar

import pytest

from tests.support import CallHarness, services
from webquarry.errors import NetworkError, ProviderError
from webquarry.models.records import RecordsFound, Trial, TrialQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.clinicaltrials import ClinicalTrials
from webquarry.providers.provider import Keys
from webquarry.tools.clinical_search import clinical_search

pytestmark = pytest.mark.anyio

TRIAL = Trial(
    nctId="NCT90000001", phases=("PHASE2",), hasResults=False,
    url="https://clinicaltrials.gov/study/NCT90000001", source="clinicaltrials",
)  # fmt: skip


class Trials:
    """A registry that remembers what it was asked."""

    about: ClassVar = ClinicalTrials.about

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.asked: list[TrialQuery] = []
        self.found: RecordsFound[Trial] = RecordsFound((TRIAL,))
        self.fails: Exception | None = None

    async def search_trials(self, query: TrialQuery) -> RecordsFound[Trial]:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return self.found


@pytest.fixture
def trials() -> Trials:
    return Trials()


@pytest.fixture
def desk(trials: Trials) -> CallHarness:
    return CallHarness((clinical_search,), services=services(trials))


async def test_every_argument_reaches_the_provider(desk: CallHarness, trials: Trials) -> None:
    asked = {
        "query": "remission", "condition": "asthma", "intervention": "dupilumab",
        "sponsor": "Sanofi", "status": "RECRUITING", "phase": "PHASE2", "num_results": 100,
        "provider": "clinicaltrials",
    }  # fmt: skip

    result = await desk.call("clinical_search", asked)

    assert trials.asked == [
        TrialQuery(
            text="remission", condition="asthma", intervention="dupilumab", sponsor="Sanofi",
            status="RECRUITING", phase="PHASE2", count=100,
        )
    ]  # fmt: skip
    assert result.structured == {
        "query": "remission",
        "resultCount": 1,
        "provider": "clinicaltrials",
        "trust": "untrusted-external-content",
        "trials": [
            {
                "nctId": "NCT90000001",
                "phases": ["PHASE2"],
                "conditions": [],
                "interventions": [],
                "hasResults": False,
                "url": "https://clinicaltrials.gov/study/NCT90000001",
                "source": "clinicaltrials",
            }
        ],
    }


async def test_nothing_found_names_the_filters_but_not_the_question(
    desk: CallHarness, trials: Trials
) -> None:
    trials.found = RecordsFound()

    result = await desk.call("clinical_search", {"condition": "zebra", "status": "COMPLETED"})

    assert result.structured is not None
    assert result.structured["hints"]["filtersApplied"] == ["status"]


async def test_results_are_kept_for_six_hours_and_nothing_is_not(
    desk: CallHarness, trials: Trials
) -> None:
    await desk.call("clinical_search", {"condition": "asthma"})
    again = await desk.call("clinical_search", {"condition": "asthma", "sessionId": "s1"})
    trials.found = RecordsFound()
    for _ in range(2):
        await desk.call("clinical_search", {"condition": "zebra"})

    assert len(trials.asked) == 3
    assert again.meta["maxAgeSeconds"] == 6 * 3600
    assert again.meta["session"]["sessionId"] == "s1"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            {"status": "RECRUITING"},
            "clinical_search: give query, condition, intervention or sponsor",
        ),
        (
            {"query": "x", "num_results": 101},
            "clinical_search: num_results: must be at most 100, got 101",
        ),
    ],
)
async def test_wrong_arguments_are_explained(
    desk: CallHarness, arguments: dict[str, Any], complaint: str
) -> None:
    result = await desk.call("clinical_search", arguments)

    assert result.problem is not None
    assert result.problem.message == complaint


async def test_the_only_provider_does_not_advise_to_try_another(
    desk: CallHarness, trials: Trials
) -> None:
    trials.fails = NetworkError("Could not reach it: timeout. Retry, or try a different provider.")

    result = await desk.call("clinical_search", {"query": "x"})

    assert result.problem is not None
    assert result.problem.message == "Could not reach it: timeout. Retry."


async def test_a_refused_request_is_a_structured_error(desk: CallHarness, trials: Trials) -> None:
    trials.fails = ProviderError("Request refused (clinicaltrials): HTTP 400: bad status.")

    result = await desk.call("clinical_search", {"query": "x", "status": "SLEEPING"})

    assert result.problem is not None
    assert result.problem.block["kind"] == "upstream_unavailable"
    assert "bad status" in result.problem.message
