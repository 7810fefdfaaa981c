"""The fixtures of the CLI tests, for the demo command."""

from tests.cli.conftest import home, typist, web

__all__ = ["home", "typist", "web"]
