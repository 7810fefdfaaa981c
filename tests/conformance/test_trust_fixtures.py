"""`verify_citation` on every work in the recorded Crossref responses."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests.replay import FakeClock
from tests.support import CallHarness, services
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.crossref import Crossref
from webquarry.tools.verify_citation import verify_citation

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.exists(), reason="the recorded answers are not here"),
]
# by how grave they are; what is not here says nothing against a work
GRAVE = {
    "retraction": "retraction", "withdrawal": "retraction", "removal": "retraction",
    "expression_of_concern": "expression_of_concern",
    "correction": "correction", "corrigendum": "correction", "erratum": "correction",
    "addendum": "correction", "clarification": "correction", "partial_retraction": "correction",
}  # fmt: skip


def recorded_works() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for folder in ("crossref", "crossref_retraction"):
        for path in sorted((FIXTURES / folder).glob("*_200.json")) + sorted(
            (FIXTURES / folder).glob("[rnj]*.json")
        ):
            message: Any = json.loads(path.read_text("utf-8")).get("message")
            if isinstance(message, dict):
                status = cast("dict[str, Any]", message)
                works: list[dict[str, Any]] = status.get("items") or [status]
                found += [work for work in works if work.get("DOI") and work.get("title")]
    return found


class OneWorkHttp:
    """A Crossref API with one work."""

    def __init__(self, work: dict[str, Any]) -> None:
        self._body = json.dumps({"status": "ok", "message": work}).encode()

    async def send(self, request: ApiRequest) -> FetchedResponse:
        assert "/works/" in request.full_url
        return FetchedResponse(status=200, headers=Headers(), content=self._body)


@pytest.mark.parametrize("work", recorded_works(), ids=lambda work: work["DOI"])
async def test_every_recorded_notice_is_reported_with_its_kind(work: dict[str, Any]) -> None:
    crossref = Crossref(Upstreams(OneWorkHttp(work), clock=FakeClock().clock()), {})

    result = await CallHarness((verify_citation,), services=services(crossref)).call(
        "verify_citation", {"citation": work["DOI"]}
    )

    kinds = [GRAVE.get(notice["type"].lower()) for notice in work.get("updated-by") or ()]
    expected = next((kind for kind in dict.fromkeys(GRAVE.values()) if kind in kinds), None)
    assert result.structured
    status = result.structured.get("retractionStatus")
    assert result.structured["exists"] is True
    assert (status and status["kind"]) == expected
    assert bool(status and status["retracted"]) is (expected == "retraction")


def test_the_recorded_responses_contain_all_kinds_of_notices() -> None:
    kinds = {
        GRAVE.get(n["type"].lower())
        for work in recorded_works()
        for n in work.get("updated-by", ())
    }

    assert kinds >= {"retraction", "expression_of_concern", "correction"}
