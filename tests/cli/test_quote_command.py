"""`webquarry quote verify`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from webquarry.cli import quote_command
from webquarry.cli.command_group import app
from webquarry.models.research import Anchor, QuoteCheck

ANCHOR = Anchor(url="https://owls.test/#:~:text=Owls", quote="Owls", sha256="ab" * 32)
HOLDS = QuoteCheck(url="https://owls.test/", quote="Owls", stored="verified")
FAILS = QuoteCheck(url="https://owls.test/", quote="Owls", stored="not_in_capture")
UNKNOWN = QuoteCheck(url="https://owls.test/", quote="Owls", stored="no_capture")


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Anchor], bool]]:
    """Return what the test puts into CHECKS; record the calls."""
    calls: list[tuple[list[Anchor], bool]] = []

    async def verify_all(anchors: list[Anchor], *, live: bool) -> list[QuoteCheck]:
        calls.append((anchors, live))
        return CHECKS

    monkeypatch.setattr(quote_command, "_verify_all", verify_all)
    return calls


CHECKS: list[QuoteCheck] = []


@pytest.mark.parametrize(
    ("checks", "code", "words"),
    [
        ([HOLDS], 0, "holds: “Owls”"),
        ([HOLDS, UNKNOWN], 3, "could not check: “Owls”"),
        ([FAILS, UNKNOWN], 1, "DOES NOT HOLD: “Owls”"),
    ],
)
def test_the_exit_code_follows_from_the_checks(
    requests: list[tuple[list[Anchor], bool]], checks: list[QuoteCheck], code: int, words: str
) -> None:
    CHECKS[:] = checks

    result = CliRunner().invoke(app, ["quote", "verify", ANCHOR.model_dump_json()])

    assert result.exit_code == code
    assert words in result.output
    assert requests == [([ANCHOR], False)]


def test_every_anchor_of_a_result_in_a_file_is_checked(
    requests: list[tuple[list[Anchor], bool]], tmp_path: Path
) -> None:
    CHECKS[:] = [HOLDS]
    file = tmp_path / "result.json"
    source = {"url": "x", "anchors": [ANCHOR.model_dump()]}
    file.write_text(json.dumps({"sources": [source, source]}))

    result = CliRunner().invoke(app, ["quote", "verify", str(file), "--live", "--json"])

    assert requests == [([ANCHOR, ANCHOR], True)]
    assert json.loads(result.output) == [
        {"url": "https://owls.test/", "quote": "Owls", "stored": "verified", "holds": True}
    ]


def test_a_url_may_come_with_the_quotation(requests: list[tuple[list[Anchor], bool]]) -> None:
    CHECKS[:] = [HOLDS]

    CliRunner().invoke(
        app, ["quote", "verify", "https://owls.test/", "--quote", "Owls", "--sha256", "ab" * 32]
    )

    assert requests == [([Anchor(url="https://owls.test/", quote="Owls", sha256="ab" * 32)], False)]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("{}", "No anchor found"),
        ("[1", "neither a URL nor valid JSON"),
        ("no-such-file", "Cannot read no-such-file"),
    ],
)
def test_input_without_an_anchor_is_an_error(given: str, words: str) -> None:
    result = CliRunner().invoke(app, ["quote", "verify", given])

    assert words in str(result.exception)
