"""Replaces the targets of the links in a Markdown text."""

import posixpath
import re
from collections.abc import Callable
from urllib.parse import quote

from webquarry.content.markdown.parse import code_spans, open_fence

Retarget = Callable[[str], str]  # gets a target as written, returns the one to write

_INLINE_TARGET = re.compile(
    r"(?<!\\)\]\((<[^<>\n]*+>|[^()\s<>]++(?:\([^()\s<>]*+\)[^()\s<>]*+)*+)(?=[\s)])"
)
# of reference links; a footnote is written likewise, with ^
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\[\]\n]{1,999}\]:[ \t]*+(<[^<>\n]*+>|[^\s<>]++)")


def retarget_links(markdown: str, retarget: Retarget) -> str:
    """Return the text with other link targets; code stays as it is."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        before, fence = fence, open_fence(line, fence)
        lines.append(line if before or fence else _with_targets(line, retarget))
    return "\n".join(lines)


def relative_link(source: str, target: str, fragment: str = "") -> str:
    """Return the link from one file to another, as written in Markdown."""
    if target == source:
        return f"#{fragment}" if fragment else quote(posixpath.basename(target))
    path = quote(posixpath.relpath(target, posixpath.dirname(source) or "."))
    return f"{path}#{fragment}" if fragment else path


def _with_targets(line: str, retarget: Retarget) -> str:
    def replaced(match: re.Match[str]) -> str:
        written = match[1]
        bracketed = written.startswith("<")
        target = retarget(written[1:-1] if bracketed else written)
        start = match[0][: match.start(1) - match.start()]
        return f"{start}<{target}>" if bracketed else f"{start}{target}"

    if "](" in line:
        parts: list[str] = []
        end = 0
        for opening, closing in code_spans(line):
            parts += [_INLINE_TARGET.sub(replaced, line[end : opening.start()])]
            parts += [line[opening.start() : closing.end()]]
            end = closing.end()
        line = "".join((*parts, _INLINE_TARGET.sub(replaced, line[end:])))
    return _DEFINITION.sub(replaced, line) if "]:" in line else line
