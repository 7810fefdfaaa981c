"""Copies of Markdown and HTML documents with a footnote at each place that has a note."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from lxml import etree
from lxml import html as lxml_html
from rapidfuzz import fuzz

from webquarry.content.html.charset import decode_page
from webquarry.services.checking.reports.check_notes import DocumentNote

_LABEL = "check"
_MIN_SIMILARITY = 80.0  # of 100: the element has the sentence
_BLOCKS = ("p", "li", "td", "th", "dd", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "div")
_html: Any = lxml_html  # its stubs do not know the methods of HTML elements
_write: Any = etree.tostring
_URL = re.compile(r"https?://[^\s<>\"“”]+")


def noted_markdown(text: str, notes: Sequence[DocumentNote]) -> str:
    """Return Markdown with footnotes."""
    parts: list[str] = []
    end = len(text)
    for number, note in reversed(list(enumerate(notes, 1))):
        at = min(note.place.end, end)
        parts.append(f"[^{_LABEL}-{number}]{text[at:end]}")
        end = at
    marked = "".join((text[:end], *reversed(parts)))
    lines = [f"[^{_LABEL}-{number}]: {note.message}" for number, note in enumerate(notes, 1)]
    return "\n".join((marked.rstrip("\n"), "", *lines, "")) if lines else text


def noted_html(content: bytes, *, notes: tuple[DocumentNote, ...]) -> str:
    """Return a page with a mark after each element that has a note, and the notes at the end."""
    root: Any = _html.document_fromstring(decode_page(content, None) or "<html></html>")
    for script in root.xpath("//script"):  # a copy shows what was checked, and runs nothing
        script.drop_tree()
    blocks: list[Any] = [each for each in root.iter(*_BLOCKS) if each.text_content().strip()]
    texts: list[str] = [" ".join(each.text_content().split()) for each in blocks]
    for number, note in enumerate(notes, 1):
        at = _best(note.text, texts)
        if at is not None:
            link = f'<a href="#{_LABEL}-note-{number}">[{number}]</a>'
            blocks[at].append(
                _html.fragment_fromstring(f'<sup id="{_LABEL}-{number}">{link}</sup>')
            )
    body = root.find("body")
    if body is not None and notes:
        body.append(_html.fragment_fromstring(_section(notes)))
    return _write(root, encoding="unicode", method="html", doctype="<!doctype html>")


def _section(notes: Sequence[DocumentNote]) -> str:
    items = "".join(
        f'<li id="{_LABEL}-note-{number}">{_linked(note.message)} '
        f'<a href="#{_LABEL}-{number}">↑</a></li>'
        for number, note in enumerate(notes, 1)
    )
    return f"<section><h2>Notes of the check</h2><ol>{items}</ol></section>"


def _linked(text: str) -> str:
    return _URL.sub(lambda match: f'<a href="{match[0]}">link</a>', escape(text))


def _best(text: str, candidates: Sequence[str]) -> int | None:
    """Return the index of the shortest text that has a passage like this one."""
    scored = [(fuzz.partial_ratio(text, each), -len(each), at) for at, each in enumerate(candidates)
              if len(each) >= len(text) // 2]  # fmt: skip
    score, _, at = max(scored, default=(0.0, 0, -1))
    return at if score >= _MIN_SIMILARITY else None
