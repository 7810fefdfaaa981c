"""`webquarry doctor`: looks at everything a server needs, and says what to do."""

import asyncio
import json
from dataclasses import asdict

from webquarry.app import open_app
from webquarry.cli.doctor_checks import ABROAD, HERE, CheckResult, configuration
from webquarry.errors import WebquarryError
from webquarry.serving import read_settings
from webquarry.settings.load import Settings

_MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL", "skip": "-   "}


def examine(*, offline: bool, as_json: bool) -> tuple[str, bool]:
    """Return what to print and whether everything needed works."""
    settings, first = configuration(lambda: read_settings({}))
    findings = [first]
    if settings is not None:
        findings += asyncio.run(_examine(settings, offline=offline))
    well = all(finding.state != "fail" for finding in findings)
    if as_json:
        report = {"well": well, "findings": [asdict(finding) for finding in findings]}
        return json.dumps(report, ensure_ascii=False, indent=2) + "\n", well
    return "".join(map(_line, findings)), well


async def _examine(settings: Settings, *, offline: bool) -> list[CheckResult]:
    findings: list[CheckResult] = []
    try:
        async with open_app(settings, "cli") as app:
            for check in (*HERE, *(() if offline else ABROAD)):
                findings += await check(app)
    except WebquarryError as exc:  # the application itself does not open
        findings.append(CheckResult("start", "fail", str(exc), "correct this first"))
    return findings


def _line(finding: CheckResult) -> str:
    lines = finding.what.replace("\n", "\n                ")
    line = f"{_MARKS[finding.state]}  {finding.name:<9} {lines}\n"
    return line + (f"                → {finding.todo}\n" if finding.todo else "")
