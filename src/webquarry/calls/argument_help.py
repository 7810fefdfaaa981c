"""What each argument of a tool means, for people; the texts are in argument_help.toml."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def argument_texts() -> dict[str, Any]:
    """Return the tables of argument_help.toml."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def argument_help(tool: str, name: str, short: str) -> str:
    """Return what an argument means; `short` is its description in the tool's schema."""
    texts = argument_texts()
    text = texts["tools"].get(tool, {}).get(name) or texts["every_tool"].get(name)
    return text or texts["descriptions"].get(short, short)
