"""Commands typed in this process: quicker than starting one for each."""

import sys
from dataclasses import dataclass

import pytest

from webquarry.cli.main import run


@dataclass(frozen=True)
class Done:
    """What a command left."""

    status: int
    out: str
    err: str


class Typist:
    """Types commands and reads what they print."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def type(self, *words: str) -> Done:
        """Run `webquarry` with these words."""
        self._monkeypatch.setattr(sys, "argv", ["webquarry", *words])
        try:
            status = run()
        except SystemExit as exc:  # as the command's own library ends
            status = exc.code if isinstance(exc.code, int) else 0
        out, err = self._capsys.readouterr()
        return Done(status, out, err)
