"""Decides which invisible characters have a visible effect, and names the others."""

import re

from webquarry.content.visibility.invisible_characters import INVISIBLE_KINDS

# these stay where they have a visible effect
_JOINER = re.compile("[\u200c\u200d]")
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
_KIND_PATTERNS = tuple((kind, re.compile(f"[{chars}]")) for kind, chars in INVISIBLE_KINDS)
_NEAR = 3  # characters: a direction mark follows punctuation after a letter


def has_effect(char: str, previous: str, text: str, at: int) -> bool:
    """Tell whether the character changes how its neighbours look."""
    if _JOINER.match(char):
        following = text[at + 1 : at + 2]
        return bool(_JOINED_SCRIPTS.match(previous) and _JOINED_SCRIPTS.match(following))
    if _DIRECTION_MARK.match(char):
        near = text[max(0, at - _NEAR) : at + _NEAR + 1]
        return not _DIRECTION_MARK.match(previous) and bool(_RIGHT_TO_LEFT.search(near))
    return any(mark.match(char) and base.match(previous) for mark, base in _VARIATIONS)


def kind_of(char: str) -> str:
    """Return the kind of an invisible character, for reports."""
    return next(kind for kind, pattern in _KIND_PATTERNS if pattern.match(char))
