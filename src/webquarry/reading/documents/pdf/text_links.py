"""Puts the links of a PDF into its text.

Lines are joined and cleaned before they are written, so a link is placed by how many letters and
digits stand before it: joining adds and removes none.
"""

from collections.abc import Sequence
from typing import NamedTuple

from webquarry.content.markdown.escaping import escape
from webquarry.reading.documents.pdf.glyphs import PlacedWord, WordRun

_MIN_LABEL, _MAX_LABEL = 4, 300  # characters of the text of a link inside a cell


class TextLink(NamedTuple):
    """Letters and digits that are a link, counted from the start of their text."""

    start: int
    end: int
    target: str

    def moved(self, count: int) -> "TextLink":
        """Return the link after so many more letters and digits."""
        return TextLink(self.start + count, self.end + count, self.target)


def count_letters(text: str) -> int:
    """Return the number of letters and digits."""
    return sum(map(str.isalnum, text))


def links_of(runs: Sequence[WordRun], text: str) -> list[TextLink]:
    """Return the links in a line, none if its words stand in another order."""
    words = [word for run in runs for word in run.words]
    found: list[TextLink] = []
    at = 0
    for word in words:
        end = at + count_letters(word.text)
        if word.link and end > at:
            last = found[-1] if found else None
            if last and last.end == at and last.target == word.link:
                found[-1] = last._replace(end=end)
            else:
                found.append(TextLink(at, end, word.link))
        at = end
    plain = "".join(word.text for word in words)
    is_same = "".join(filter(str.isalnum, plain)) == "".join(filter(str.isalnum, text))
    return found if is_same else []


def phrases_of(words: Sequence[PlacedWord]) -> list[tuple[str, str]]:
    """Return the texts of links with their targets."""
    found: list[tuple[str, str]] = []
    last = ""
    for word in words:
        if word.link and word.link == last:
            found[-1] = (f"{found[-1][0]} {word.text}", word.link)
        elif word.link:
            found.append((word.text, word.link))
        last = word.link
    return found


def with_links(text: str, links: Sequence[TextLink]) -> str:
    """Return a text as Markdown with its links."""
    places = [at for at, char in enumerate(text) if char.isalnum()] if links else []
    out, at = "", 0
    for link in _joined(links):
        if link.end > len(places):
            break
        first, last = places[link.start], places[link.end - 1] + 1
        out += escape(text[at:first]) + _written(text[first:last], link.target)
        at = last
    return out + escape(text[at:])


def link_phrase(rows: list[list[str]], phrase: str, target: str) -> None:
    """Put a link into the only cell that has its text."""
    label = escape(phrase.strip("()[].,;:"))
    if not label or len(label) > _MAX_LABEL:
        return
    places = [
        (row, number)
        for row in rows
        for number, cell in enumerate(row)
        if cell == label or (label in cell and len(label) >= _MIN_LABEL)
    ]
    for row, number in places if len(places) == 1 else ():
        if "](" not in row[number]:
            row[number] = row[number].replace(label, f"[{label}]({target})", 1)


def _joined(links: Sequence[TextLink]) -> list[TextLink]:
    """Join what follows directly: a link over two lines is two in the file."""
    found: list[TextLink] = []
    for link in links:
        if found and found[-1].end == link.start and found[-1].target == link.target:
            found[-1] = found[-1]._replace(end=link.end)
        else:
            found.append(link)
    return found


def _written(text: str, target: str) -> str:
    plain = "".join(text.split())
    if plain.rstrip("/") in (target.rstrip("/"), target.partition("://")[2].rstrip("/")):
        return f"<{target}>" if "://" in target else f"[{escape(text)}]({target})"
    return f"[{escape(text)}]({target})"
