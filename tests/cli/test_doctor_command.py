import json
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_main import run
from webquarry.cli.doctor_checks import CheckResult, clock


def findings(done: Any) -> dict[str, str]:
    return {entry["name"]: entry["state"] for entry in json.loads(done.stdout)["findings"]}


def test_a_working_installation_passes_all_checks(tmp_path: Path) -> None:
    done = run(tmp_path, "doctor", "--offline", "--json", CHROME_PATH="disabled")

    assert done.returncode == 0
    assert findings(done) == {
        "settings": "ok", "storage": "ok", "disk": "ok", "access": "ok", "keys": "warn",
        "chromium": "skip",
    }  # fmt: skip


def test_a_failed_check_says_what_to_do(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        "doctor",
        "--offline",
        WEBQUARRY_HOST="0.0.0.0",  # noqa: S104 -- that is what is wrong
        CHROME_PATH="/nowhere/chrome",
        REDIS_URL="redis://127.0.0.1:1/0",
        CACHE_ENCRYPTION_KEY="ab" * 32,
    )

    assert done.returncode == 1
    for line in ("FAIL  redis", "FAIL  access", "warn  chromium", "→ check REDIS_URL"):
        assert line in done.stdout


def test_wrong_settings_are_found_before_anything_else(tmp_path: Path) -> None:
    done = run(tmp_path, "doctor", "--json", PORT="many")

    assert (done.returncode, findings(done)) == (1, {"settings": "fail"})


def test_an_issuer_that_cannot_be_reached_is_a_fault(tmp_path: Path) -> None:
    done = run(
        tmp_path, "doctor", "--json", OAUTH_ISSUER_URL="http://127.0.0.1:1", OAUTH_AUDIENCE="x"
    )

    assert (done.returncode, findings(done)["issuer"]) == (1, "fail")


@pytest.mark.parametrize(("offset", "state"), [(0, "ok"), (-20, "ok"), (90, "fail"), (-90, "fail")])
def test_a_clock_that_is_off_is_noticed(offset: float, state: str) -> None:
    now = time.time()

    finding = clock(formatdate(now + offset, usegmt=True), now)

    assert (finding.name, finding.state) == ("clock", state)


def test_a_clock_without_a_server_to_compare_with_is_skipped() -> None:
    assert clock("", 0) == CheckResult("clock", "skip", "skipped (no server to compare with)")
