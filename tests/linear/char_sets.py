"""Which characters a single-character part of a parsed pattern accepts."""

import re
from functools import cache
from typing import Any

Part = tuple[Any, Any]
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
_SAMPLES = "aZ5_ \n-.\u00e9\x01"


class CharSet:
    """The characters that one position of a pattern accepts."""

    def __init__(self, part: Part, flags: int) -> None:
        self._part = part
        self._flags = flags
        self._known: dict[str, bool] = {}

    def __contains__(self, char: str) -> bool:
        found = self._known.get(char)
        if found is None:
            cases = {char, char.lower(), char.upper()} if self._flags & re.I else {char}
            found = self._known[char] = self._accepts(cases)
        return found

    def samples(self) -> list[str]:
        """Return characters near the borders of the set, inside it or not."""
        code, value = self._part
        near = (
            [c for item in value for c in _near(item)] if str(code) == "IN" else _near(self._part)
        )
        return [*near, *_SAMPLES]

    def _accepts(self, cases: set[str]) -> bool:
        code, value = str(self._part[0]), self._part[1]
        if code == "ANY":
            return bool(self._flags & re.S) or "\n" not in cases
        if code == "NOT_LITERAL":
            return not any(ord(case) == value for case in cases if len(case) == 1)
        if code == "LITERAL":
            return any(ord(case) == value for case in cases if len(case) == 1)
        is_negated = str(value[0][0]) == "NEGATE"
        return is_negated != any(
            _item_accepts(item, case, self._flags) for item in value for case in cases
        )


def _near(item: Part) -> list[str]:
    code, value = str(item[0]), item[1]
    if code in {"LITERAL", "NOT_LITERAL"}:
        return [chr(value)]
    return [chr(value[0]), chr(value[1])] if code == "RANGE" else []


def _item_accepts(item: Part, char: str, flags: int) -> bool:
    code, value = str(item[0]), item[1]
    if code == "NEGATE" or len(char) != 1:
        return False
    if code == "LITERAL":
        return ord(char) == value
    if code == "RANGE":
        return value[0] <= ord(char) <= value[1]
    return _category(str(value), char, flags & re.A)


@cache
def _category(name: str, char: str, flags: int) -> bool:
    return re.match(_CATEGORIES[name], char, flags) is not None
