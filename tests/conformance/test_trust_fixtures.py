"""`verify_citation` about every work that Crossref's recorded answers are of."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests.replay import StillClock
from tests.support import Desk, services
from webquarry.net.client.headers import Headers
from webquarry.net.upstream.http_port import Request, Response
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


def recorded() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for folder in ("crossref", "crossref_retraction"):
        for path in sorted((FIXTURES / folder).glob("*_200.json")) + sorted(
            (FIXTURES / folder).glob("[rnj]*.json")
        ):
            message: Any = json.loads(path.read_text("utf-8")).get("message")
            if isinstance(message, dict):
                told = cast("dict[str, Any]", message)
                works: list[dict[str, Any]] = told.get("items") or [told]
                found += [work for work in works if work.get("DOI") and work.get("title")]
    return found


class One:
    """Crossref with one work in it."""

    def __init__(self, work: dict[str, Any]) -> None:
        self._body = json.dumps({"status": "ok", "message": work}).encode()

    async def send(self, request: Request) -> Response:
        assert "/works/" in request.target
        return Response(status=200, headers=Headers.of({}), content=self._body)


@pytest.mark.parametrize("work", recorded(), ids=lambda work: work["DOI"])
async def test_every_recorded_notice_is_told_as_what_it_is(work: dict[str, Any]) -> None:
    crossref = Crossref(Upstreams(One(work), clock=StillClock().clock()), {})

    result = await Desk((verify_citation,), services=services(crossref)).call(
        "verify_citation", {"citation": work["DOI"]}
    )

    kinds = [GRAVE.get(notice["type"].lower()) for notice in work.get("updated-by") or ()]
    wanted = next((kind for kind in dict.fromkeys(GRAVE.values()) if kind in kinds), None)
    assert result.structured
    told = result.structured.get("retractionStatus")
    assert result.structured["exists"] is True
    assert (told and told["kind"]) == wanted
    assert bool(told and told["retracted"]) is (wanted == "retraction")


def test_the_recorded_answers_hold_all_kinds_of_notices() -> None:
    kinds = {
        GRAVE.get(n["type"].lower()) for work in recorded() for n in work.get("updated-by", ())
    }

    assert kinds >= {"retraction", "expression_of_concern", "correction"}
