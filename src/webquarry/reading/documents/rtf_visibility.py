"""Which text of an RTF document a reader cannot see: hidden, deleted, tiny or white."""

import re
from dataclasses import dataclass

from webquarry.content.text.length_limits import cap_text

_COLOR_TABLE = re.compile(rb"\{\\colortbl([^{}]{0,20000})\}")
_CHANNEL = re.compile(rb"\\(red|green|blue)(\d{1,3})")
_COLORED_PAGE = re.compile(rb"\{\\\*\\background\b")
_MAX_HEAD = 500_000  # bytes; the color table comes before the text
_MAX_TINY_SIZE = 4  # half points
_MIN_SCALE = 5  # percent of the usual width of characters
_USUAL_SIZE = 24  # half points
_TEXT_BACKGROUNDS = frozenset(("highlight", "cb", "chcbpat"))
CONTROLS = _TEXT_BACKGROUNDS | {"v", "deleted", "fs", "cf", "charscalex", "cbpat"}


@dataclass(slots=True)
class RtfVisibility:
    """What the control words of a group say about its text."""

    hidden: bool = False
    deleted: bool = False
    size: int = _USUAL_SIZE
    scale: int = 100
    color: int = 0  # in the color table
    background: int = 0
    paragraph_background: int = 0
    in_shape: bool = False  # which may have a color

    def apply(self, word: str, number: int | None) -> None:
        """Apply one of the control words."""
        if word in ("v", "deleted"):
            name = "hidden" if word == "v" else word
            setattr(self, name, number != 0)
        elif word in _TEXT_BACKGROUNDS:
            self.background = number or 0
        else:
            name, default = _NUMBERS[word]
            setattr(self, name, default if number is None else number)

    def reset_font(self) -> None:
        """Return to the default font, as `plain` does."""
        self.hidden = self.deleted = False
        self.size, self.scale, self.color, self.background = _USUAL_SIZE, 100, 0, 0

    def hidden_reason(self, white: frozenset[int]) -> str:
        """Return why a reader cannot see the text; empty if they can."""
        if self.hidden:
            return "hidden text"
        if self.deleted:
            return "deleted text"
        if self.size <= _MAX_TINY_SIZE or self.scale < _MIN_SCALE:
            return "tiny text"
        is_white = self.color in white and not self.in_shape
        backgrounds = {self.background, self.paragraph_background} - {0}
        return "white text" if is_white and backgrounds <= white else ""


_NUMBERS = {
    "fs": ("size", _USUAL_SIZE),
    "charscalex": ("scale", 100),
    "cf": ("color", 0),
    "cbpat": ("paragraph_background", 0),
}


def white_colors(data: bytes) -> frozenset[int]:
    """Return which entries of the color table are white; none if the page has a color."""
    head = cap_text(data, _MAX_HEAD)
    table = _COLOR_TABLE.search(head)
    if table is None or _COLORED_PAGE.search(head):
        return frozenset()
    colors = (dict(_CHANNEL.findall(entry)) for entry in table[1].split(b";"))
    return frozenset(number for number, color in enumerate(colors) if _is_white(color))


def _is_white(color: dict[bytes, bytes]) -> bool:
    return len(color) == 3 and all(int(value) >= 252 for value in color.values())
