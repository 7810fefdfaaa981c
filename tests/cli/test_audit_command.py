"""`webquarry audit verify`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from webquarry.cli.command_group import app
from webquarry.observe.audit import AuditEvent, AuditFile, AuditLog
from webquarry.serving import read_settings
from webquarry.wiring.open_storage import storage_keys

_EVENT = AuditEvent(event_type="tool_call", tenant_id="acme", user_id="ann", success=True)


@pytest.fixture
def audit_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "audit.jsonl"
    monkeypatch.setenv("WEBQUARRY_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AUDIT_OUTPUT_PATH", str(path))
    audit = AuditLog(AuditFile(path=path, key=storage_keys(read_settings({})).current))
    for _ in range(3):
        audit.log(_EVENT)
    audit.close()
    return path


def test_an_unchanged_audit_log_is_ok(audit_log: Path) -> None:
    result = CliRunner().invoke(app, ["audit", "verify"])

    assert (result.exit_code, result.output) == (
        0,
        f"{audit_log.name}: OK, no line was changed or removed.\n",
    )


def test_an_edited_line_is_named_and_the_command_fails(audit_log: Path) -> None:
    audit_log.write_text(audit_log.read_text().replace("ann", "eve", 1))

    result = CliRunner().invoke(app, ["audit", "verify", str(audit_log)])

    assert result.exit_code == 1
    assert "the line was changed or written with another key (line 1)" in result.output


@pytest.mark.parametrize("typed", [[], ["a.bib", "trail"], ["a.bib", "--session", "x"]])
def test_anything_else_is_a_usage_error(typed: list[str]) -> None:
    assert CliRunner().invoke(app, ["audit", *typed]).exit_code == 2
