"""Characters nobody sees: zero-width, direction controls, tag characters, fillers."""

import re
from collections import Counter

# what may stay where it has a visible effect
_JOINER = re.compile("[\u200c\u200d]")
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{4,6}\U000e007f")
_JOINED_SCRIPTS = re.compile(  # scripts and signs whose form depends on joiners
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
    "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
_SELECTABLE = re.compile(
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
_ANY = re.compile(f"[{''.join(signs for _, signs in _KINDS)}]")
_BY_KIND = tuple((kind, re.compile(f"[{signs}]")) for kind, signs in _KINDS)


def without_invisible(text: str, removed: Counter[str] | None = None) -> str:
    """Return the text as a person sees it, counting in `removed` what was taken out of it."""
    if text.isascii() or not _ANY.search(text):
        return text
    flags = {match.start(): match.end() for match in _FLAG.finditer(text)}
    out: list[str] = []
    at, last = 0, ""
    for match in _ANY.finditer(text):
        place = match.start()
        if place < at:
            continue  # inside a flag that was kept whole
        out.append(text[at:place])
        last = text[place - 1] if place > at else last
        kept = flags.get(place - 1, 0) if last == "\U0001f3f4" else 0
        if kept:
            out.append(text[place:kept])
        elif _has_effect(match[0], last, text[place + 1 : place + 2]):
            out.append(match[0])
            last = match[0]
        elif removed is not None:
            removed[_kind(match[0])] += 1
        at = kept or match.end()
    out.append(text[at:])
    return "".join(out)


def _has_effect(sign: str, before: str, after: str) -> bool:
    """Tell whether the sign changes how its neighbours look."""
    if _JOINER.match(sign):
        return bool(_JOINED_SCRIPTS.match(before) and _JOINED_SCRIPTS.match(after))
    if _SELECTOR.match(sign):
        return bool(_SELECTABLE.match(before))
    return False


def _kind(sign: str) -> str:
    return next(kind for kind, pattern in _BY_KIND if pattern.match(sign))
