"""What the audit trail says about a call."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.support import ALICE
from webquarry.models.caller import Caller
from webquarry.observe.audit import AuditFile, AuditLog
from webquarry.observe.call_context import CallRecord
from webquarry.observe.call_recording import CallRecorder
from webquarry.observe.metrics import Metrics


def test_a_paid_call_says_who_was_paid_and_how_much(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit = AuditLog(AuditFile(path=path))
    record = CallRecorder(Metrics(), audit)

    record(
        CallRecord(
            tool="answer",
            caller=ALICE,
            request_id="r1",
            seconds=0.5,
            query="how far?",
            outcome="ok",
            spent={"provider": "exa", "cost_usd": 0.005},
        )
    )
    audit.close()

    (line,) = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["metadata"] == {
        "provider": "exa",
        "cost_usd": 0.005,
        "query_length": 8,
    }


@pytest.mark.anyio
async def test_a_call_is_counted_before_the_store_is_closed() -> None:
    counted: list[str] = []

    async def count(caller: Caller, tool: str) -> None:
        await asyncio.sleep(0)
        counted.append(f"{caller.user}: {tool}")

    record = CallRecorder(Metrics(), None, count=count)
    record(
        CallRecord(
            tool="echo", caller=ALICE, request_id="r1", seconds=0.1, query=None, outcome="ok"
        )
    )
    await record.close()

    assert counted == [f"{ALICE.user}: echo"]


@pytest.mark.anyio
async def test_a_server_is_told_of_failed_calls_only() -> None:
    told: list[str] = []

    async def report() -> None:
        told.append("failed")

    record = CallRecorder(Metrics(), None)
    record.on_failure = report
    for outcome in ("ok", "network"):
        record(
            CallRecord(
                tool="echo", caller=ALICE, request_id="r", seconds=0.1, query=None, outcome=outcome
            )
        )
    await record.close()

    assert told == ["failed"]
