"""Removes invisible characters: zero-width, direction controls, tag characters, fillers."""

import re
from collections import Counter

# these stay where they have a visible effect
_JOINER = re.compile("[\u200c\u200d]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{4,6}\U000e007f")
_JOINED_SCRIPTS = re.compile(  # scripts and symbols whose form depends on joiners
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
    "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
_DIRECTION_MARK = re.compile("[\u200e\u200f\u061c]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]"
)
# variation selectors, with the characters that have such variations; others can only carry data
_VARIATIONS = (
    (  # text or emoji
        re.compile("[\ufe0e\ufe0f]"),
        re.compile("[#*0-9\u00a9\u00ae\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"),
    ),
    (  # forms of symbols, of Myanmar and Phags-pa letters, and of ideographs
        re.compile("[\ufe00-\ufe02]"),
        re.compile(
            "[\u1000-\u109f\u2200-\u2bff\u3000-\u9fff\ua840-\ua87f\uaa60-\uaa7f\uf900-\ufaff\uff00-\uffef"
            "\U00020000-\U0003ffff]"
        ),
    ),
    (  # forms of ideographs
        re.compile("[\U000e0100-\U000e01ef]"),
        re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    ),
    (re.compile("[\u180b-\u180d\u180f]"), re.compile("[\u1800-\u18af]")),  # Mongolian letters
)
# Unicode's Default_Ignorable_Code_Point, and annotation marks
_KINDS = (
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
_INVISIBLE = re.compile(f"[{''.join(chars for _, chars in _KINDS)}]")
_KIND_PATTERNS = tuple((kind, re.compile(f"[{chars}]")) for kind, chars in _KINDS)
_NEAR = 3  # characters: a direction mark follows punctuation after a letter
_ASCII = bytes(range(128))
_BLACK_FLAG = "\U0001f3f4"


def without_invisible(text: str, removed: Counter[str] | None = None) -> str:
    """Return the text without invisible characters, counting in `removed` what was removed."""
    if text.isascii() or not _has_invisible(text):
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
        elif _has_effect(match[0], previous, text, start):
            parts.append(match[0])
            previous = match[0]
        elif removed is not None:
            removed[_kind(match[0])] += 1
        position = flag_end or match.end()
    parts.append(text[position:])
    return "".join(parts)


def _has_invisible(text: str) -> bool:
    """Search the few characters that are not ASCII: the pattern is slow on long texts."""
    encoded = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return bool(_INVISIBLE.search("".join(set(encoded.decode("utf-8", "surrogatepass")))))


def _has_effect(char: str, previous: str, text: str, at: int) -> bool:
    """Tell whether the character changes how its neighbours look."""
    if _JOINER.match(char):
        following = text[at + 1 : at + 2]
        return bool(_JOINED_SCRIPTS.match(previous) and _JOINED_SCRIPTS.match(following))
    if _DIRECTION_MARK.match(char):
        near = text[max(0, at - _NEAR) : at + _NEAR + 1]
        return not _DIRECTION_MARK.match(previous) and bool(_RIGHT_TO_LEFT.search(near))
    return any(mark.match(char) and base.match(previous) for mark, base in _VARIATIONS)


def _kind(char: str) -> str:
    return next(kind for kind, pattern in _KIND_PATTERNS if pattern.match(char))
