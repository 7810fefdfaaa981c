"""Lines of Markdown: paragraphs, escaped starts and indentation."""

import re
from collections.abc import Iterator

from webquarry.content.html.dom import MAX_DEPTH
from webquarry.content.markdown.inline import LINE_BREAK, collapse_with_breaks
from webquarry.content.markdown.parse import open_fence

_LINE_START = re.compile(r"^(?:#{1,6}(?=\s)|[-+>](?=\s)|[-=]{3,}\s*$)|^(\d{1,9})([.)])(?=\s)")
_MAX_INDENT_AFTER_CODE = 3  # code at the margin ends its list: with four spaces, text is code
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
    """Indent every line but the first; blank lines stay empty, and code stays at the margin.

    So it can be copied as it is.
    """
    if "\n" not in text:
        return text
    first, *rest = text.split("\n")
    if "```" in text:
        return "\n".join([first, *_indented_around_code(first, rest, width)])
    return "\n".join([first, *(" " * width + line if line else "" for line in rest)])


def _indented_around_code(first: str, rest: list[str], width: int) -> Iterator[str]:
    fence = open_fence(first, "")
    max_indent = _MAX_INDENT_AFTER_CODE if fence else MAX_DEPTH * width
    for line in rest:
        inside, fence = fence, open_fence(line, fence)
        if inside or fence or not line:
            yield line
        else:
            indent = len(line) - len(line.lstrip(" "))
            yield " " * min(width, max(0, max_indent - indent)) + line
        if fence:
            max_indent = _MAX_INDENT_AFTER_CODE
