"""Which colors of an RTF document cannot be seen on white paper."""

import re

_COLOR_TABLE = re.compile(rb"\{\\colortbl([^{}]{0,20000})\}")
_CHANNEL = re.compile(rb"\\(red|green|blue)(\d{1,3})")
_BACKGROUNDS = re.compile(rb"\\(?:(?:cl|tr)?cbpat|shp|do|background)(?:\d|\b)")


def white_colors(data: bytes) -> frozenset[int]:
    """Return the colors that cannot be seen; none if parts of the document have a background."""
    table = _COLOR_TABLE.search(data)
    if table is None or _BACKGROUNDS.search(data):
        return frozenset()
    colors = (dict(_CHANNEL.findall(entry)) for entry in table[1].split(b";"))
    return frozenset(
        number
        for number, color in enumerate(colors)
        if len(color) == 3 and all(int(value) >= 252 for value in color.values())
    )
