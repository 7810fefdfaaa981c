"""500 monitors for a simulated week, with three kills: no run is lost or doubled."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.services.watching.monitor_setup import (
    DAY,
    HOUR,
    START,
    HandClock,
    ScriptedObserver,
    sqlite_watch,
)
from tests.services.watching.week_process import CHECKS, TOLD

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
MONITORS, WEEK = 500, 7 * DAY
EVERY = (("8h", 8 * HOUR), ("12h", 12 * HOUR), ("1d", DAY))
KILLS = (611, 1500, 977)  # checks after which each process dies


def run_process(directory: Path, deadly: int) -> int:
    command = [sys.executable, "-m", "tests.services.watching.week_process", str(directory),
               str(WEEK), str(deadly)]  # fmt: skip
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


async def test_a_week_with_three_kills_loses_and_doubles_no_run(tmp_path: Path) -> None:
    watch = sqlite_watch(tmp_path, HandClock(), ScriptedObserver())
    monitors = await watch.add(
        *[{"every": EVERY[number % len(EVERY)][0]} for number in range(MONITORS)]
    )
    await watch.store.close()

    statuses = [run_process(tmp_path, deadly) for deadly in (*KILLS, 0)]

    assert statuses == [-signal.SIGKILL] * len(KILLS) + [0]
    expected = {
        monitor.id: round(WEEK / EVERY[number % len(EVERY)][1])
        for number, monitor in enumerate(monitors)
    }
    with closing(sqlite3.connect(tmp_path / "crawls.sqlite3")) as db:
        rows = db.execute("SELECT id, runs, changes, versions, slot, process FROM monitors")
        stored = {row[0]: row[1:] for row in rows}
        waiting = db.execute("SELECT count(*) FROM monitor_deliveries").fetchone()[0]
    assert {name: row[0] for name, row in stored.items()} == expected
    assert {row[3] for row in stored.values()} == {START + WEEK}
    assert {row[4] for row in stored.values()} == {""}
    assert waiting == 0

    # every slot was checked; only checks that a kill interrupted were begun again
    checks = Counter((tmp_path / CHECKS).read_text().split("\n")[:-1])
    assert len(checks) == sum(expected.values())
    assert sum(checks.values()) - len(checks) <= len(KILLS) * watch.engine.at_once

    # a check is a version every fourth time, and each one after the first is a change
    versions = {name: -(-runs // 4) for name, runs in expected.items()}
    assert {name: row[2] for name, row in stored.items()} == versions
    assert {name: row[1] for name, row in stored.items()} == {
        name: count - 1 for name, count in versions.items()
    }
    told = Counter(line.split()[0] for line in (tmp_path / TOLD).read_text().splitlines())
    ids = [line.split()[1] for line in (tmp_path / TOLD).read_text().splitlines()]
    assert told == Counter({name: count - 1 for name, count in versions.items() if count > 1})
    assert len(ids) == len(set(ids))
