"""Functions stay short and simple: bounds on length and cyclomatic complexity (radon)."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "webquarry"
MAX_LINES = 50
P95_LINES = 25
MAX_COMPLEXITY = 15
MAX_MEAN_COMPLEXITY = 3.62  # lower it with the code; 3.5 is the goal


class Function(NamedTuple):
    """Name, length and cyclomatic complexity of a function."""

    name: str
    lines: int
    complexity: int


@cache
def functions() -> tuple[Function, ...]:
    radon: Any = import_module("radon.complexity")
    return tuple(
        Function(f"{module.relative_to(SOURCE)}:{block.name}", _lines(block), block.complexity)
        for module in sorted(SOURCE.rglob("*.py"))
        for block in _flat(radon.cc_visit(module.read_text(encoding="utf-8")))
    )


def _flat(blocks: Iterable[Any]) -> Iterator[Any]:
    for block in blocks:
        if block.letter != "C":  # radon lists methods separately from their class
            yield block
            yield from _flat(block.closures)


def _lines(block: Any) -> int:
    return block.endline - block.lineno + 1


def test_no_function_is_too_long() -> None:
    assert [f for f in functions() if f.lines > MAX_LINES] == []


def test_95_percent_of_functions_have_at_most_25_lines() -> None:
    lengths = sorted(f.lines for f in functions())

    assert lengths[len(lengths) * 95 // 100] <= P95_LINES


def test_no_function_is_too_complex() -> None:
    assert [f for f in functions() if f.complexity > MAX_COMPLEXITY] == []


def test_the_mean_complexity_stays_low() -> None:
    assert mean(f.complexity for f in functions()) <= MAX_MEAN_COMPLEXITY
