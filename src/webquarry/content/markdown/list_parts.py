"""The parts of a list: its items, and what is between them."""

import re

from webquarry.content.markdown.escaping import escape
from webquarry.content.markdown.lines import indented, paragraph

_IMAGE_ONLY = re.compile(r"\[?!\[[^\[\]\n]*+\]\([^()\s]*+\)(?:\]\([^()\s]*+\))?")
_STRUCTURED = ("#", "|", "`", ">", "- ", ": ", "$$", "[^")
_NUMBERED = re.compile(r"\d{1,9}\. ")
_SENTENCE_END = re.compile(r"[.!?:;,\u3002\uff01\uff1f][\"'\u201d)*_]{0,3}$")
_MAX_CARD = 300  # characters of the parts, with their links


def on_one_line(chunks: list[str]) -> list[str]:
    """Return the chunks of a list item: the short parts of a card, as title and date, on one line.

    An image before the text stands on its line.
    """
    if len(chunks) < 2:
        return chunks
    if _IMAGE_ONLY.fullmatch(chunks[0]) and _is_plain(chunks[1]):
        chunks = [f"{chunks[0]} {chunks[1]}", *chunks[2:]]
    is_card = sum(map(len, chunks)) <= _MAX_CARD and all(map(_is_plain, chunks))
    if is_card and not any(map(_SENTENCE_END.search, chunks)):
        return [" · ".join(chunks)]
    return chunks


def _is_plain(chunk: str) -> bool:
    return not (chunk.startswith(_STRUCTURED) or "\n" in chunk or _NUMBERED.match(chunk))


class ListParts:
    """Collects the items of a list; text and blocks between them divide it."""

    def __init__(self) -> None:
        self.line: list[str] = []  # inline content since the last item or block
        self._items: list[str] = []
        self._chunks: list[str] = []

    def add_text(self, text: str | None) -> None:
        """Add text between two items."""
        if text and (self.line or not text.isspace()):
            self.line.append(escape(text))

    def add_items(self, items: list[str]) -> None:
        """Add a written item."""
        self._end_line()
        self._items += items

    def add_list(self, chunks: list[str]) -> None:
        """Add a list that is not inside of an item: it belongs to the item above."""
        self._end_line()
        if self._items:
            self._items += [f"  {indented(chunk, 2)}" for chunk in chunks]
        else:
            self._chunks += chunks

    def add_blocks(self, chunks: list[str]) -> None:
        """Add a block between two items."""
        self._end_line()
        if chunks:
            self._end_items()
            self._chunks += chunks

    def finished(self) -> list[str]:
        """Return the list as chunks."""
        self._end_line()
        self._end_items()
        return self._chunks

    def _end_line(self) -> None:
        chunks = paragraph("".join(self.line)) if self.line else []
        self.line.clear()
        if chunks:
            self._end_items()
            self._chunks += chunks

    def _end_items(self) -> None:
        if self._items:
            self._chunks.append("\n".join(self._items))
            self._items.clear()
