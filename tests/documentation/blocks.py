"""The fenced code blocks of README and docs, and the commands in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\S*)[^\n]*\n(?P<text>.*?)^ *```$", re.S | re.M)


@dataclass(frozen=True)
class Block:
    """One fenced code block."""

    document: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"

    def commands(self) -> list[str]:
        """Return the commands of a shell block, without prompts, comments and output."""
        text = self.text
        if self.language == "console":
            lines = text.splitlines()
            text = "\n".join(line[2:] for line in lines if line.startswith("$ "))
        joined = text.replace("\\\n", " ")
        return [match for line in joined.splitlines() if (match := _without_comment(line))]


def documents() -> list[Path]:
    """Return README, CONTRIBUTING and docs, without the decision records (docs/adr)."""
    pages = [page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "adr"]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(pages)]


def blocks() -> list[Block]:
    """Return every fenced block of every document."""
    return [block for path in documents() for block in blocks_in(path)]


def blocks_in(path: Path) -> Iterator[Block]:
    """Yield the fenced blocks of one document."""
    text = path.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        content = dedent(match["text"])
        yield Block(str(path.relative_to(ROOT)), line, match["language"], content)


def prose(path: Path) -> str:
    """Return a document without its fenced blocks."""
    return _FENCE.sub("", path.read_text(encoding="utf-8"))


def _without_comment(line: str) -> str:
    return re.sub(r"(^|\s+)#(\s.*)?$", "", line).strip()
