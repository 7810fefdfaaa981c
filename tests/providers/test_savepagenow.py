"""Save Page Now: with and without keys, and what its answers mean."""

from typing import Any

import pytest

from tests.providers.records_refusals import REFUSALS, check
from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.savepagenow import SavePageNow

pytestmark = pytest.mark.anyio

PAGE = "https://example.org/a?b=1"
JOB = "spn2-" + "0a" * 20
KEYS = {"IA_ACCESS_KEY": "me", "IA_SECRET_KEY": "word"}
COPY = Snapshot(
    url="https://web.archive.org/web/20261102093000/https://example.org/a?b=1",
    takenAt="2026-11-02T09:30:00Z",
)
POSTED: dict[str, Any] = {
    "method": "POST",
    "url": "https://web.archive.org/save",
    "form": {"url": PAGE},
    "headers": {"authorization": "LOW me:word", "accept": "application/json"},
}
GOT = {"url": f"https://web.archive.org/save/{PAGE}"}
ASKED: dict[str, Any] = {
    "url": f"https://web.archive.org/save/status/{JOB}",
    "headers": {"authorization": "LOW me:word"},
}


def opened(
    request: dict[str, Any], answer: dict[str, Any], keys: dict[str, str] | None = None
) -> tuple[SavePageNow, Replay]:
    replay = Replay(
        [{"origin": "handwritten in the shape of the API", "request": request} | answer]
    )
    return SavePageNow(Upstreams(replay, clock=FakeClock().clock()), keys or {}), replay


async def test_with_keys_a_job_is_begun() -> None:
    answer = {"status": 200, "body": {"url": PAGE, "job_id": JOB}}
    archive, replay = opened(POSTED, answer, KEYS)

    assert await archive.save(PAGE) == ArchiveResult(state="pending", job=JOB, status=200)
    replay.finish()


async def test_without_keys_the_page_tells_the_job_or_the_copy() -> None:
    page, first = opened(GOT, {"status": 200, "text": f'<script>spn.watchJob("{JOB}")</script>'})
    copy, second = opened(
        GOT,
        {
            "status": 200,
            "text": "<html>",
            "headers": {"content-location": "/web/20261102093000/https://example.org/a?b=1"},
        },
    )

    assert await page.save(PAGE) == ArchiveResult(state="pending", job=JOB, status=200)
    assert await copy.save(PAGE) == ArchiveResult(state="archived", snapshot=COPY, status=200)
    first.finish()
    second.finish()


@pytest.mark.parametrize(
    ("body", "capture"),
    [
        (
            {"status": "success", "timestamp": "20261102093000", "original_url": PAGE},
            ArchiveResult(state="archived", snapshot=COPY),
        ),
        ({"status": "pending", "resources": []}, ArchiveResult(state="pending", job=JOB)),
        (
            {"status": "error", "message": "The server refused.", "status_ext": "error:x"},
            ArchiveResult(state="failed", reason="The server refused."),
        ),
        ({"status": "error"}, ArchiveResult(state="failed", reason="it failed")),
    ],
)
async def test_a_job_is_pending_until_it_ends(body: dict[str, Any], capture: ArchiveResult) -> None:
    archive, replay = opened(ASKED, {"status": 200, "body": body}, KEYS)

    assert await archive.progress(JOB) == capture
    replay.finish()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"status": 200, "body": {"message": "Daily limit."}}, "Daily limit."),
        ({"status": 200, "body": {}}, "it was refused"),
        ({"status": 200, "text": "<html>Sorry"}, "the response names no capture"),
    ],
)
async def test_an_answer_without_a_capture_says_so(answer: dict[str, Any], reason: str) -> None:
    archive, replay = opened(POSTED, answer, KEYS)

    assert await archive.save(PAGE) == ArchiveResult(state="failed", status=200, reason=reason)
    replay.finish()


@pytest.mark.parametrize("name", ["401", "403", "429", "503", "no answer"])
async def test_refusals_become_errors(name: str) -> None:
    archive, replay = opened(POSTED, REFUSALS[name].answer, KEYS)

    with pytest.raises(WebquarryError) as caught:
        await archive.save(PAGE)

    check(REFUSALS[name], caught.value, "savepagenow")
    assert "word" not in str(caught.value)
    replay.finish()


async def test_it_is_where_the_archive_is_when_that_is_elsewhere() -> None:
    request = {**POSTED, "url": "http://mirror.test/save"}
    replay = Replay(
        [{"origin": "handwritten", "request": request, "status": 200, "body": {"job_id": JOB}}]
    )
    upstreams = Upstreams(
        replay, base_urls={"wayback": "http://mirror.test"}, clock=FakeClock().clock()
    )

    assert (await SavePageNow(upstreams, KEYS).save(PAGE)).job == JOB
    replay.finish()
