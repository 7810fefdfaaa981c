"""Notices about scholarly works, as Crossref tells them one by one."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.reading import RetractionStatus
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.crossref import Crossref

pytestmark = pytest.mark.anyio

URL = "https://api.crossref.org/works/10.1000%2Fowl.5"


def notice(kind: str, source: str = "publisher", **more: Any) -> dict[str, Any]:
    updated = {"date-parts": [[2024, 8, 1]]}
    return {"DOI": f"10.1000/{kind}", "type": kind, "source": source, "updated": updated, **more}


def answer(**more: Any) -> dict[str, Any]:
    return {"origin": "handwritten after api.crossref.org", "request": {"url": URL},
            "status": 200, **more}  # fmt: skip


async def status(*exchanges: dict[str, Any]) -> RetractionStatus | None:
    replay = Replay(list(exchanges))
    found = await Crossref(Upstreams(replay, clock=FakeClock().clock()), {}).status("10.1000/owl.5")
    replay.finish()
    return found


async def test_the_gravest_notice_counts() -> None:
    notices = [notice("correction"), notice("retraction", "retraction-watch")]

    assert await status(answer(body={"message": {"updated-by": notices}})) == RetractionStatus(
        retracted=True,
        kind="retraction",
        date="2024-08-01",
        noticeDoi="10.1000/retraction",
        source="retraction-watch",
    )


@pytest.mark.parametrize(
    ("said", "kind", "retracted"),
    [
        ("withdrawal", "retraction", True),
        ("removal", "retraction", True),
        ("expression_of_concern", "expression_of_concern", False),
        ("Expression-of-Concern", "expression_of_concern", False),
        ("erratum", "correction", False),
        ("partial_retraction", "correction", False),
    ],
)
async def test_only_a_formal_retraction_retracts(said: str, kind: str, *, retracted: bool) -> None:
    found = await status(answer(body={"message": {"updated-by": [notice(said)]}}))

    assert found is not None
    assert (found.kind, found.retracted) == (kind, retracted)


async def test_of_two_reports_the_curated_one_is_told() -> None:
    concern = "expression_of_concern"
    twice = [notice(concern), notice(concern, "retraction-watch", updated={"date-parts": [[2024]]})]

    found = await status(answer(body={"message": {"updated-by": twice}}))

    assert found is not None
    assert (found.source, found.date) == ("retraction-watch", "2024")


@pytest.mark.parametrize(
    "message",
    [{}, {"updated-by": []}, {"updated-by": None}, {"updated-by": [notice("new_version")]}],
)
async def test_a_work_without_notices_is_clean(message: dict[str, Any]) -> None:
    assert await status(answer(body={"message": message})) is None


@pytest.mark.parametrize(
    "exchanges",
    [
        [answer(status=404, text="Resource not found.")],
        [answer(status=429, text="")],
        [answer(status=503, text="")] * 2,
        [{"origin": "handwritten", "request": {"url": URL}, "fails": "timed out"}] * 2,
        [answer(text="<html>")],
        [answer(body={})],
    ],
)
async def test_nobody_could_tell_is_not_clean(exchanges: list[dict[str, Any]]) -> None:
    with pytest.raises(WebquarryError):
        await status(*exchanges)
