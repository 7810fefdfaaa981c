"""Parses `.env` files: one assignment per line, without variable expansion."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(
    r"\s*+(?:export\s++)?([A-Za-z_][A-Za-z0-9_]*+)\s*+=\s*+(.*)", re.ASCII | re.DOTALL
)
_SINGLE = re.compile(r"'([^']*)'\s*(?:#.*)?", re.DOTALL)
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(?:#.*)?', re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


@dataclass(frozen=True)
class DotenvLine:
    """One assignment, or the `problem` of a line. A problem quotes no value: it may be secret."""

    number: int
    name: str = ""
    value: str = ""
    problem: str = ""


def parse(text: str) -> Iterator[DotenvLine]:
    """Yield the assignments of a file, and a problem for each line that is not one."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _assignment(number, line.rstrip("\r"))


def _assignment(number: int, line: str) -> DotenvLine:
    match = _LINE.fullmatch(line)
    if not match:
        return DotenvLine(number, problem="is not NAME=value")
    name, raw = match[1], match[2].rstrip()
    if raw.startswith("'"):
        quoted = _SINGLE.fullmatch(raw)
        value = quoted[1] if quoted else None
    elif raw.startswith('"'):
        quoted = _DOUBLE.fullmatch(raw)
        value = re.sub(r"\\(.)", _unescape, quoted[1], flags=re.DOTALL) if quoted else None
    else:
        value = _COMMENT.sub("", raw, count=1)
    if value is None:
        return DotenvLine(number, name, problem=f"the quoted value of {name} has no closing quote")
    return DotenvLine(number, name, value)


def _unescape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[1], match[0])
