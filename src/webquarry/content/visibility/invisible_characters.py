"""Removes invisible characters: zero-width, direction controls, tag characters, fillers."""

import re
from collections import Counter

# these stay where they have a visible effect
_JOINER = re.compile("[\u200c\u200d]")
_VARIATION_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{4,6}\U000e007f")
_JOINED_SCRIPTS = re.compile(  # scripts and symbols whose form depends on joiners
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
    "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
_HAS_VARIATIONS = re.compile(
    "[#*0-9\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\u3400-\u9fff\uf900-\ufaff\u1800-\u18af"
    "\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
_KINDS = (
    ("zero-width character", "\u200b\u200c\u200d\u2060\ufeff\u180e\u00ad\u034f"),
    ("direction control", "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u206a-\u206f"),
    ("tag character", "\U000e0000-\U000e007f"),
    ("variation selector", "\ufe00-\ufe0f\U000e0100-\U000e01ef"),
    ("invisible filler", "\u115f\u1160\u3164\uffa0\u2061-\u2064\ufff9-\ufffb\U0001d173-\U0001d17a"),
)
_INVISIBLE = re.compile(f"[{''.join(chars for _, chars in _KINDS)}]")
_KIND_PATTERNS = tuple((kind, re.compile(f"[{chars}]")) for kind, chars in _KINDS)
_BLACK_FLAG = "\U0001f3f4"


def without_invisible(text: str, removed: Counter[str] | None = None) -> str:
    """Return the text without invisible characters, counting in `removed` what was removed."""
    if text.isascii() or not _INVISIBLE.search(text):
        return text
    flag_ends = {match.start(): match.end() for match in _FLAG.finditer(text)}
    parts: list[str] = []
    position, previous = 0, ""  # end of the text that was read, last visible character
    for match in _INVISIBLE.finditer(text):
        start = match.start()
        if start < position:
            continue  # inside a flag that was kept
        parts.append(text[position:start])
        previous = text[start - 1] if start > position else previous
        flag_end = flag_ends.get(start - 1, 0) if previous == _BLACK_FLAG else 0
        if flag_end:
            parts.append(text[start:flag_end])
        elif _has_effect(match[0], previous, text[start + 1 : start + 2]):
            parts.append(match[0])
            previous = match[0]
        elif removed is not None:
            removed[_kind(match[0])] += 1
        position = flag_end or match.end()
    parts.append(text[position:])
    return "".join(parts)


def _has_effect(char: str, previous: str, following: str) -> bool:
    """Tell whether the character changes how its neighbours look."""
    if _JOINER.match(char):
        return bool(_JOINED_SCRIPTS.match(previous) and _JOINED_SCRIPTS.match(following))
    if _VARIATION_SELECTOR.match(char):
        return bool(_HAS_VARIATIONS.match(previous))
    return False


def _kind(char: str) -> str:
    return next(kind for kind, pattern in _KIND_PATTERNS if pattern.match(char))
