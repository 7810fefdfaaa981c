"""Lines of Markdown: paragraphs, escaped starts and indentation."""

import re

from webquarry.content.markdown.inline import LINE_BREAK, collapse_with_breaks

_LINE_START = re.compile(r"^(?:#{1,6}(?=\s)|[-+>](?=\s)|[-=]{3,}\s*$)|^(\d{1,9})([.)])(?=\s)")
_LINE_START_CHARS = frozenset("#-+>=0123456789")


def paragraph(line: str) -> list[str]:
    """Return a paragraph as a chunk, nothing if it is blank."""
    text = collapse_with_breaks(line)
    if not text:
        return []
    if LINE_BREAK not in text:
        return [with_escaped_start(text)]
    return ["  \n".join(with_escaped_start(line) for line in text.split(LINE_BREAK) if line)]


def with_escaped_start(line: str) -> str:
    """Return the line with a backslash if its start would make it a list or a heading."""
    match = _LINE_START.match(line) if line[0] in _LINE_START_CHARS else None
    if match is None:
        return line
    start = f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[0]}"
    return start + line[match.end() :]


def indented(text: str, width: int) -> str:
    """Indent every line but the first; blank lines stay empty."""
    if "\n" not in text:
        return text
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * width + line if line else "" for line in rest)])
