"""Values of spreadsheet cells as a person sees them."""

import re
from datetime import datetime, timedelta

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import all_text, attribute, child, local

_REFERENCE = re.compile(r"([A-Z]{1,3})\d*")
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_BUILT_IN_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_BUILT_IN_PERCENT = {9: 0, 10: 2}
_LAST_DAY = 2_958_466  # the end of the year 9999


class Formats:
    """What the number formats of a workbook make of a number."""

    def __init__(self, styles: Element | None, *, since_1904: bool) -> None:
        self._start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        codes: dict[str, str] = {}
        self._of_style: list[tuple[int, str]] = []
        for part in styles if styles is not None else ():
            if local(part) == "numFmts":
                codes = {attribute(e, "numFmtId"): attribute(e, "formatCode") for e in part}
        listed = child(styles, "cellXfs")
        for entry in listed if listed is not None else ():
            said = attribute(entry, "numFmtId")
            number = int(said) if said.isdecimal() and len(said) < 7 else 0
            self._of_style.append((number, codes.get(said, "")))

    def apply(self, number: str, style: str) -> str:
        """Return the number as date, time or percentage where its style says so."""
        place = int(style) if style.isdecimal() and len(style) < 7 else 0
        built_in, code = self._of_style[place] if place < len(self._of_style) else (0, "")
        try:
            amount = float(number)
        except ValueError:
            return number
        bare = _QUOTED.sub("", code.partition(";")[0])
        if built_in in _BUILT_IN_DATES or (code and re.search(r"[ymdhs]", bare, re.IGNORECASE)):
            return self._moment(amount) or number
        if built_in in _BUILT_IN_PERCENT or bare.endswith("%"):
            return f"{amount * 100:.10g}%"
        return _plain(number, amount)

    def _moment(self, days: float) -> str:
        if not 0 <= days < _LAST_DAY:
            return ""
        moment = self._start + timedelta(seconds=round(days * 86_400))
        if days < 1:
            return moment.strftime("%H:%M:%S").removesuffix(":00")
        if moment.hour == moment.minute == moment.second == 0:
            return moment.strftime("%Y-%m-%d")
        return moment.strftime("%Y-%m-%d %H:%M:%S").removesuffix(":00")


def shown(cell: Element, strings: list[str], formats: Formats) -> str:
    """Return what the cell shows: the stored result of a formula, not its source."""
    kind = attribute(cell, "t")
    if kind == "inlineStr":
        held = child(cell, "is")
        return "" if held is None else all_text(held)
    said = child(cell, "v")
    value = (said.text or "") if said is not None else ""
    if kind == "s":
        place = int(value) if value.isdecimal() and len(value) < 9 else -1
        return strings[place] if 0 <= place < len(strings) else ""
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE" if value else ""
    if kind in ("str", "e", "d") or not value:
        return value
    return formats.apply(value, attribute(cell, "s"))


def column_of(reference: str, default: int) -> int:
    """Return the column of a reference like "C7", counted from 0."""
    match = _REFERENCE.match(reference)
    if match is None:
        return default
    place = 0
    for letter in match[1]:
        place = place * 26 + ord(letter) - 64
    return max(place - 1, default)


def _plain(number: str, amount: float) -> str:
    """Return the number as stored, without the noise of its binary form."""
    if re.fullmatch(r"-?\d{1,20}", number):
        return number
    return f"{amount:.15g}" if abs(amount) < 1e15 else number
