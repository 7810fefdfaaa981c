"""What the audit trail says about a call."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.support import ALICE
from webquarry.calls.call_path import CallRecord
from webquarry.models.caller import Caller
from webquarry.observe.audit import AuditFile, AuditLog
from webquarry.observe.metrics import Metrics
from webquarry.server.subscriptions import Subscriptions
from webquarry.wiring.call_recording import Recorder


def test_a_paid_call_says_who_was_paid_and_how_much(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit = AuditLog(AuditFile(path=path))
    record = Recorder(Metrics(), audit, Subscriptions())

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

    record = Recorder(Metrics(), None, Subscriptions(), count=count)
    record(
        CallRecord(
            tool="echo", caller=ALICE, request_id="r1", seconds=0.1, query=None, outcome="ok"
        )
    )
    await record.close()

    assert counted == [f"{ALICE.user}: echo"]
