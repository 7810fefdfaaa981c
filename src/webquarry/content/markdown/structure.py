"""The structure of Markdown as data: sections, links, images and tables."""

import re
from typing import Any

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6}) +(.+?)(?: #*)?$")
_LINK = re.compile(
    r"(!?)(?<!\\)\[((?:[^\[\]\\]|\\.|\[[^\[\]]*+\])*+)\]\(<?([^()<>\s]+(?:\([^()\s]*\)[^()<>\s]*)*)>?\)"
)
_TABLE_DELIMITER = re.compile(r"^\|(?:\s*:?-{3,}:?\s*\|)+$")
_CELL_SEPARATOR = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>])")


def image_urls(markdown: str) -> tuple[str, ...]:
    """Return the distinct URLs of the images in the text."""
    return tuple(dict.fromkeys(url for bang, _, url in _LINK.findall(markdown) if bang))


def markdown_structure(markdown: str) -> dict[str, Any]:
    """Return the sections, links, images and tables of a page, in their order."""
    # a URL has the text of its first link and the position of its last
    links = {
        url: _plain_text(text) for bang, text, url in reversed(_LINK.findall(markdown)) if not bang
    }
    return {
        "sections": _sections(markdown),
        "links": [{"text": text, "url": url} for url, text in reversed(links.items())],
        "images": list(image_urls(markdown)),
        "tables": _tables(markdown),
    }


def links_of(content: bytes) -> list[tuple[str, str]]:
    """Return text and URL of every link of a page in Markdown, in its order."""
    found = _LINK.findall(content.decode("utf-8", "replace"))
    return [(_plain_text(text), url) for bang, text, url in found if not bang]


def without_images(content: bytes, *, keep_text: bool) -> str:
    """Return a page in Markdown without its images, or with their texts only."""

    def shown(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        return f"(Image: {match[2]})" if keep_text and match[2] else ""

    return _LINK.sub(shown, content.decode("utf-8", "replace"))


def _sections(markdown: str) -> list[dict[str, Any]]:
    """Return the text under each heading; text before the first has an empty one."""
    sections: list[dict[str, Any]] = [{"heading": "", "level": 0, "text": ""}]
    lines: list[list[str]] = [[]]
    fence = ""
    for line in markdown.splitlines():
        fence = _open_fence(line, fence)
        heading = None if fence else _HEADING.match(line)
        if heading:
            sections.append(
                {"heading": _plain_text(heading[2]), "level": len(heading[1]), "text": ""}
            )
            lines.append([])
        else:
            lines[-1].append(line)
    for section, text in zip(sections, lines, strict=True):
        section["text"] = "\n".join(text).strip()
    return [section for section in sections if section["heading"] or section["text"]]


def _open_fence(line: str, fence: str) -> str:
    """Return the fence that is open after this line, "" outside of code."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    closes = match[1][0] == fence[0] and len(match[1]) >= len(fence)
    return "" if closes else fence


def _tables(markdown: str) -> list[list[list[str]]]:
    tables: list[list[list[str]]] = []
    lines = markdown.splitlines()
    end = 0  # of the last table
    for number, line in enumerate(lines):
        if number <= end or not _TABLE_DELIMITER.match(line.strip()):
            continue
        if lines[number - 1].startswith("|"):
            rows = (each for each in range(number + 1, len(lines)) if lines[each][:1] != "|")
            end = next(rows, len(lines))
            tables.append([_cells(row) for row in (lines[number - 1], *lines[number + 1 : end])])
    return tables


def _cells(line: str) -> list[str]:
    return [_plain_text(cell) for cell in _CELL_SEPARATOR.split(line.strip().strip("|"))]


def _plain_text(text: str) -> str:
    """Return the text without links, emphasis and escapes."""
    unlinked = _LINK.sub(lambda match: match[2], text)
    plain = re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", unlinked)
    return _ESCAPED.sub(r"\1", plain).strip()
