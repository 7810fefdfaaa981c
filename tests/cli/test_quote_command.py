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
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Anchor], bool]]:
    """Answer with what the test puts into CHECKS, and note what is asked."""
    calls: list[tuple[list[Anchor], bool]] = []

    async def verified(anchors: list[Anchor], *, live: bool) -> list[QuoteCheck]:
        calls.append((anchors, live))
        return CHECKS

    monkeypatch.setattr(quote_command, "_verified", verified)
    return calls


CHECKS: list[QuoteCheck] = []


@pytest.mark.parametrize(
    ("checks", "code", "words"),
    [
        ([HOLDS], 0, "holds: “Owls”"),
        ([HOLDS, UNKNOWN], 3, "unknown: “Owls”"),
        ([FAILS, UNKNOWN], 1, "DOES NOT HOLD: “Owls”"),
    ],
)
def test_the_exit_code_tells_what_was_found(
    asked: list[tuple[list[Anchor], bool]], checks: list[QuoteCheck], code: int, words: str
) -> None:
    CHECKS[:] = checks

    result = CliRunner().invoke(app, ["quote", "verify", ANCHOR.model_dump_json()])

    assert result.exit_code == code
    assert words in result.output
    assert asked == [([ANCHOR], False)]


def test_every_anchor_of_a_result_in_a_file_is_checked(
    asked: list[tuple[list[Anchor], bool]], tmp_path: Path
) -> None:
    CHECKS[:] = [HOLDS]
    file = tmp_path / "result.json"
    source = {"url": "x", "anchors": [ANCHOR.model_dump()]}
    file.write_text(json.dumps({"sources": [source, source]}))

    result = CliRunner().invoke(app, ["quote", "verify", str(file), "--live", "--json"])

    assert asked == [([ANCHOR, ANCHOR], True)]
    assert json.loads(result.output) == [
        {"url": "https://owls.test/", "quote": "Owls", "stored": "verified", "holds": True}
    ]


def test_a_link_may_come_with_the_words(asked: list[tuple[list[Anchor], bool]]) -> None:
    CHECKS[:] = [HOLDS]

    CliRunner().invoke(
        app, ["quote", "verify", "https://owls.test/", "--quote", "Owls", "--sha256", "ab" * 32]
    )

    assert asked == [([Anchor(url="https://owls.test/", quote="Owls", sha256="ab" * 32)], False)]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("{}", "there is none"),
        ("[1", "neither a link nor JSON"),
        ("no-such-file", "cannot be read"),
    ],
)
def test_what_holds_no_anchor_is_refused(given: str, words: str) -> None:
    result = CliRunner().invoke(app, ["quote", "verify", given])

    assert words in str(result.exception)
