"""A page as data: its sections, links, pictures and tables, taken from its Markdown."""

import re
from typing import Any

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6}) +(.+?)(?: #*)?$")
_LINK = re.compile(r"(!?)\[((?:[^\[\]\\]|\\.)*)\]\(<?([^()<>\s]+(?:\([^()\s]*\)[^()<>\s]*)*)>?\)")
_RULE = re.compile(r"^\|(?:\s*:?-{3,}:?\s*\|)+$")
_CELL = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>])")


def pictures_in(markdown: str) -> tuple[str, ...]:
    """Return the addresses of the pictures in the text, each once."""
    found = (address for bang, _, address in _LINK.findall(markdown) if bang)
    return tuple(dict.fromkeys(found))


def outlined(markdown: str) -> dict[str, Any]:
    """Return the sections, links, pictures and tables of a page, in their order."""
    links = {
        address: _plain(words)
        for bang, words, address in reversed(_LINK.findall(markdown))
        if not bang
    }
    return {
        "sections": _sections(markdown),
        "links": [{"text": words, "url": url} for url, words in reversed(links.items())],
        "images": list(pictures_in(markdown)),
        "tables": _tables(markdown),
    }


def _sections(markdown: str) -> list[dict[str, Any]]:
    """Return the text under each heading; what comes before the first has none."""
    sections: list[dict[str, Any]] = [{"heading": "", "level": 0, "text": ""}]
    lines: list[list[str]] = [[]]
    fence = ""
    for line in markdown.splitlines():
        fence = _fenced(line, fence)
        heading = None if fence else _HEADING.match(line)
        if heading:
            sections.append({"heading": _plain(heading[2]), "level": len(heading[1]), "text": ""})
            lines.append([])
        else:
            lines[-1].append(line)
    for section, text in zip(sections, lines, strict=True):
        section["text"] = "\n".join(text).strip()
    return [section for section in sections if section["heading"] or section["text"]]


def _fenced(line: str, fence: str) -> str:
    """Return the mark that ends the code block this line is in; empty outside of one."""
    mark = _FENCE.match(line)
    if not mark:
        return fence
    if not fence:
        return mark[1]
    closes = mark[1][0] == fence[0] and len(mark[1]) >= len(fence)
    return "" if closes else fence


def _tables(markdown: str) -> list[list[list[str]]]:
    tables: list[list[list[str]]] = []
    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        if number and _RULE.match(line.strip()) and lines[number - 1].startswith("|"):
            rows = [_cells(lines[number - 1])]
            for row in lines[number + 1 :]:
                if not row.startswith("|"):
                    break
                rows.append(_cells(row))
            tables.append(rows)
    return tables


def _cells(line: str) -> list[str]:
    return [_plain(cell) for cell in _CELL.split(line.strip().strip("|"))]


def _plain(text: str) -> str:
    """Return text without its links, emphasis and escapes."""
    bare = _LINK.sub(lambda found: found[2], text)
    bare = re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", bare)
    return _ESCAPED.sub(r"\1", bare).strip()
