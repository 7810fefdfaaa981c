"""A worker process can read its code and nothing else, also when the server runs as root."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from webquarry.parsing import kernel_sandbox
from webquarry.parsing.worker_process import ENVIRONMENT, Worker

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]


async def test_a_worker_can_do_nothing_but_parse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux" or kernel_sandbox.landlock_version() < 6:
        pytest.skip("this kernel has no Landlock that restricts files, connections and signals")
    if shutil.which("tesseract", path=os.defpath):
        pytest.skip("text recognition is installed, so workers may start programs")
    secret = tmp_path / "store.key"
    secret.write_text("ab" * 32)
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", f"{ENVIRONMENT['PYTHONPATH']}:{ROOT}")
    worker = await Worker.start(memory_bytes=2**30, idle_seconds=30)
    try:
        reply = await worker.request(
            {
                "function": "tests.parsing.attacks:attempts",
                "arguments": {
                    "target": str(tmp_path / "written"),
                    "secret": str(secret),
                    "parent": os.getpid(),
                },
                "seconds": 20,
            },
            b"",
        )
    finally:
        await worker.end()

    outcomes = json.loads(reply)
    assert {name for name, outcome in outcomes.items() if outcome == "possible"} == set()
    assert os.listdir(tmp_path) == ["store.key"]  # noqa: PTH208
