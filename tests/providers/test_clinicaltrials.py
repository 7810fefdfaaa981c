"""ClinicalTrials.gov: what is sent, and what becomes of the answers."""

import pytest

from tests.providers.records_refusals import Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import ProviderError, WebquarryError
from webquarry.models.records import RecordsFound, Trial, TrialQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.clinicaltrials import ClinicalTrials

pytestmark = pytest.mark.anyio

FIELDS = (
    "fields=NCTId%7CBriefTitle%7COverallStatus%7CPhase%7CCondition%7CInterventionName"
    "%7CLeadSponsorName%7CStartDate%7CHasResults&countTotal=true&pageSize=10"
)
PLAIN = f"https://clinicaltrials.gov/api/v2/studies?format=json&query.cond=zebra&{FIELDS}"
ZEBRA = TrialQuery(condition="zebra")


@pytest.mark.recording("clinicaltrials/two_pages")
async def test_every_facet_is_sent_and_pages_are_followed(upstreams: Upstreams) -> None:
    asked = TrialQuery(
        text="remission",
        condition="asthma",
        intervention="dupilumab",
        sponsor="Sanofi",
        status="Recruiting, Active, not recruiting",
        phase="Phase 2|early phase 1",
        count=2,
    )

    found = await ClinicalTrials(upstreams, {}).search_trials(asked)

    assert found == RecordsFound(
        (
            Trial(
                nctId="NCT90000001",
                title="Dupilumab in Asthma",
                status="RECRUITING",
                phases=("PHASE1", "PHASE2"),
                conditions=("Asthma", "Eosinophilia"),
                interventions=("Dupilumab", "Placebo"),
                sponsor="Sanofi",
                startDate="2024-05",
                hasResults=False,
                url="https://clinicaltrials.gov/study/NCT90000001",
                source="clinicaltrials",
            ),
            Trial(
                nctId="NCT90000002",
                hasResults=True,
                url="https://clinicaltrials.gov/study/NCT90000002",
                source="clinicaltrials",
            ),
        ),
        ("2 of 31 studies.",),
    )


@pytest.mark.parametrize(
    "answer",
    [{"status": 200, "body": {"studies": [], "totalCount": 0}}, {"status": 404, "text": "gone"}],
)
async def test_no_match_is_empty(answer: dict[str, object]) -> None:
    replay = Replay([{"origin": "handwritten", "request": {"url": PLAIN}} | answer])
    upstreams = Upstreams(replay, clock=FakeClock().clock())

    assert await ClinicalTrials(upstreams, {}).search_trials(ZEBRA) == RecordsFound()
    replay.finish()


async def test_a_bad_request_says_why_in_the_upstreams_words() -> None:
    replay = Replay(
        [
            {
                "origin": "handwritten: errors are plain text",
                "request": {"url": PLAIN},
                "status": 400,
                "headers": {"content-type": "text/plain"},
                "text": "`filter.overallStatus` parameter has incorrect format",
            }
        ]
    )

    with pytest.raises(ProviderError, match="parameter has incorrect format"):
        await ClinicalTrials(Upstreams(replay), {}).search_trials(ZEBRA)


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN)

    with pytest.raises(WebquarryError) as caught:
        await ClinicalTrials(upstreams, {}).search_trials(ZEBRA)

    check(refusal, caught.value, "clinicaltrials")
    replay.finish()
