"""The parts of a list: its items, and what is between them."""

from webquarry.content.markdown.escaping import escape
from webquarry.content.markdown.lines import indented, paragraph


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
