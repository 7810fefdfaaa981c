"""The recipes of docs/cookbook.md: a program or commands, and what they print."""

import re
from dataclasses import dataclass

from tests.documentation.blocks import ROOT, Block, blocks_in

COOKBOOK = "docs/cookbook.md"
_HEADING = re.compile(r"^## (\d+)\. (.+)$", re.M)


@dataclass(frozen=True)
class Recipe:
    """One recipe."""

    number: int
    title: str
    source: Block
    printed: str

    def __str__(self) -> str:
        return f"{self.number}. {self.title}"


def recipes() -> list[Recipe]:
    """Return the recipes; each has one block to run and one with its output."""
    text = (ROOT / COOKBOOK).read_text(encoding="utf-8")
    blocks = list(blocks_in(ROOT / COOKBOOK))
    starts = [(text.count("\n", 0, m.start()) + 1, m) for m in _HEADING.finditer(text)]
    ends = [line for line, _ in starts[1:]] + [len(text)]
    found: list[Recipe] = []
    for (line, heading), end in zip(starts, ends, strict=True):
        source, output = [block for block in blocks if line < block.line < end]
        assert output.language == "text"
        found.append(Recipe(int(heading[1]), heading[2], source, output.text))
    return found
