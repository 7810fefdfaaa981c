"""Removes invisible characters: zero-width, direction controls, tag characters, fillers."""

import re
from collections import Counter

# the flag of a part of a country
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{4,6}\U000e007f")
# Unicode's Default_Ignorable_Code_Point, and annotation marks
INVISIBLE_KINDS = (
    ("zero-width character", "\u200b\u200c\u200d\u2060\ufeff\u180e\u00ad\u034f"),
    ("direction control", "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u206a-\u206f"),
    ("tag character", "\U000e0000-\U000e007f"),
    ("variation selector", "\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"),
    (
        "invisible filler",
        "\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2061-\u2065\ufff0-\ufffb\U0001bca0-\U0001bca3"
        "\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff",
    ),
)
_INVISIBLE = re.compile(f"[{''.join(chars for _, chars in INVISIBLE_KINDS)}]")
_ASCII = bytes(range(128))
_BLACK_FLAG = "\U0001f3f4"


def without_invisible(text: str, removed: Counter[str] | None = None) -> str:
    """Return the text without invisible characters, counting in `removed` what was removed."""
    if text.isascii() or not _has_invisible(text):
        return text
    # imported here: few texts have invisible characters, and its patterns take long to compile
    from webquarry.content.visibility.character_effects import has_effect, kind_of

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
        elif has_effect(match[0], previous, text, start):
            parts.append(match[0])
            previous = match[0]
        elif removed is not None:
            removed[kind_of(match[0])] += 1
        position = flag_end or match.end()
    parts.append(text[position:])
    return "".join(parts)


def _has_invisible(text: str) -> bool:
    """Search the few characters that are not ASCII: the pattern is slow on long texts."""
    encoded = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return bool(_INVISIBLE.search("".join(set(encoded.decode("utf-8", "surrogatepass")))))
