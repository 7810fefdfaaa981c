"""Values of xlsx cells as Excel displays them: dates, percentages, formula results."""

import re
from datetime import datetime, timedelta

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import all_text, attribute, child, local_name

_REFERENCE = re.compile(r"([A-Z]{1,3})\d*")
_LITERAL_TEXT = re.compile(r'"[^"]*"|\\.|\[[^\[\]]*\]|_.|\*.')
_BUILT_IN_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_BUILT_IN_PERCENT = {9: 0, 10: 2}
_SHOW_NOTHING = frozenset((";;", ";;;"))  # number formats
_WHITE_ARGB = re.compile(r"(?:[0-9A-F]{2})?(?:F[C-F]){3}", re.IGNORECASE)
HIDDEN, WHITE = "hidden text", "white text"
_MAX_DAYS = 2_958_466  # the end of the year 9999


class NumberFormats:
    """The number formats of a workbook."""

    def __init__(self, styles: Element | None, *, since_1904: bool) -> None:
        self._start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        codes: dict[str, str] = {}
        self._styles: list[tuple[int, str]] = []
        for part in styles if styles is not None else ():
            if local_name(part) == "numFmts":
                codes = {attribute(e, "numFmtId"): attribute(e, "formatCode") for e in part}
        self._hidden: list[str] = []
        fonts, fills = _white_fonts(styles), _empty_fills(styles)
        listed = child(styles, "cellXfs")
        for entry in listed if listed is not None else ():
            format_id = attribute(entry, "numFmtId")
            is_number = format_id.isdecimal() and len(format_id) < 7
            number = int(format_id) if is_number else 0
            code = codes.get(format_id, "")
            self._styles.append((number, code))
            is_white = _is_white_cell(entry, fonts, fills)
            self._hidden.append(_hidden_reason(code, is_white=is_white))

    def hidden_reason(self, style: str) -> str:
        """Return why a cell of this style shows nothing; empty if it does."""
        index = int(style) if style.isdecimal() and len(style) < 7 else 0
        return self._hidden[index] if index < len(self._hidden) else ""

    def apply(self, number: str, style: str) -> str:
        """Return the number as date, time or percentage if its style has such a format."""
        index = int(style) if style.isdecimal() and len(style) < 7 else 0
        built_in, code = self._styles[index] if index < len(self._styles) else (0, "")
        try:
            amount = float(number)
        except ValueError:
            return number
        bare = _LITERAL_TEXT.sub("", code.partition(";")[0])
        if built_in in _BUILT_IN_DATES or (code and re.search(r"[ymdhs]", bare, re.IGNORECASE)):
            return self._date_time(amount) or number
        if built_in in _BUILT_IN_PERCENT or bare.endswith("%"):
            return f"{amount * 100:.10g}%"
        return _plain_number(number, amount)

    def _date_time(self, days: float) -> str:
        if not 0 <= days < _MAX_DAYS:
            return ""
        moment = self._start + timedelta(seconds=round(days * 86_400))
        if days < 1:
            return moment.strftime("%H:%M:%S").removesuffix(":00")
        if moment.hour == moment.minute == moment.second == 0:
            return moment.strftime("%Y-%m-%d")
        return moment.strftime("%Y-%m-%d %H:%M:%S").removesuffix(":00")


def _hidden_reason(code: str, *, is_white: bool) -> str:
    if code.replace(" ", "") in _SHOW_NOTHING:
        return HIDDEN
    return WHITE if is_white else ""


def _is_white_cell(entry: Element, fonts: frozenset[str], fills: frozenset[str]) -> bool:
    return attribute(entry, "fontId") in fonts and attribute(entry, "fillId") in fills


def _white_fonts(styles: Element | None) -> frozenset[str]:
    """Return the numbers of the fonts whose color is white."""
    fonts = child(styles, "fonts")
    colors = (child(font, "color") for font in (fonts if fonts is not None else ()))
    return frozenset(
        str(number)
        for number, color in enumerate(colors)
        if color is not None and _WHITE_ARGB.fullmatch(attribute(color, "rgb"))
    )


def _empty_fills(styles: Element | None) -> frozenset[str]:
    """Return the numbers of the fills that leave a cell white."""
    fills = child(styles, "fills")
    patterns = (child(fill, "patternFill") for fill in (fills if fills is not None else ()))
    return frozenset(
        str(number)
        for number, pattern in enumerate(patterns)
        if pattern is not None and _is_empty_fill(pattern)
    )


def _is_empty_fill(pattern: Element) -> bool:
    color = child(pattern, "fgColor")
    is_white = color is not None and _WHITE_ARGB.fullmatch(attribute(color, "rgb")) is not None
    kind = attribute(pattern, "patternType")
    return kind in ("", "none") or (kind == "solid" and is_white)


def displayed_value(cell: Element, strings: list[str], formats: NumberFormats) -> str:
    """Return the displayed value: the stored result of a formula, not its source."""
    kind = attribute(cell, "t")
    if kind == "inlineStr":
        inline = child(cell, "is")
        return "" if inline is None else all_text(inline)
    element = child(cell, "v")
    value = (element.text or "") if element is not None else ""
    if kind == "s":
        return _shared_string(value, strings)
    if kind == "b" and value:
        return "TRUE" if value == "1" else "FALSE"
    if kind in ("str", "e", "d") or not value:
        return value
    return formats.apply(value, attribute(cell, "s"))


def _shared_string(value: str, strings: list[str]) -> str:
    index = int(value) if value.isdecimal() and len(value) < 9 else -1
    return strings[index] if 0 <= index < len(strings) else ""


def column_index(reference: str, default: int) -> int:
    """Return the column of a reference like "C7", counted from 0."""
    match = _REFERENCE.match(reference)
    if match is None:
        return default
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    return max(column - 1, default)


def _plain_number(number: str, amount: float) -> str:
    """Return the number as stored, without floating-point noise."""
    if re.fullmatch(r"-?\d{1,20}", number):
        return number
    return f"{amount:.15g}" if abs(amount) < 1e15 else number
