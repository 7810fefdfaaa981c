"""`webquarry doctor`: checks the installation and suggests fixes."""

import asyncio
import json
from dataclasses import asdict

from webquarry.app import open_app
from webquarry.cli.doctor_checks import LOCAL_CHECKS, NETWORK_CHECKS, CheckResult, configuration
from webquarry.errors import WebquarryError
from webquarry.serving import read_call_settings
from webquarry.settings.load import Settings

_MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL", "skip": "-   "}
_INDENT = " " * 16


def run_checks(*, offline: bool, as_json: bool) -> tuple[str, bool]:
    """Return what to print and whether all checks passed."""
    settings, first = configuration(lambda: read_call_settings({}))
    results = [first]
    if settings is not None:
        results += asyncio.run(_run_checks(settings, offline=offline))
    passed = all(result.state != "fail" for result in results)
    if as_json:
        report = {"well": passed, "findings": [asdict(result) for result in results]}
        return json.dumps(report, ensure_ascii=False, indent=2) + "\n", passed
    return "".join(map(_line, results)), passed


async def _run_checks(settings: Settings, *, offline: bool) -> list[CheckResult]:
    results: list[CheckResult] = []
    try:
        async with open_app(settings, "cli") as app:
            for check in (*LOCAL_CHECKS, *(() if offline else NETWORK_CHECKS)):
                results += await check(app)
    except WebquarryError as exc:  # the application could not be opened
        results.append(CheckResult("start", "fail", str(exc), "fix this first"))
    return results


def _line(result: CheckResult) -> str:
    text = result.what.replace("\n", f"\n{_INDENT}")
    line = f"{_MARKS[result.state]}  {result.name:<9} {text}\n"
    return line + (f"{_INDENT}→ {result.todo}\n" if result.todo else "")
