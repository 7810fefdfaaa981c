"""Patterns of places where changes are ignored: matching, muting and unmuting."""

import re

from webquarry.content.changes.differences import (
    PLACE_SEPARATOR,
    VersionDifference,
    difference_of,
    short_hash,
)
from webquarry.content.changes.page_units import fold_text
from webquarry.content.changes.word_diff import word_diff
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.models.changes import Change, NoisePattern, NoiseProfile, PatternScope

GAP = "…"
MAX_PATTERNS = 300
_MAX_TEXT_CHARS = 400
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")


def mute(
    profile: NoiseProfile, change: Change, *, scope: PatternScope | None = None
) -> NoiseProfile:
    """Return a profile that ignores changes in the place of this one.

    `line` ignores lines of this form, `following` what follows the same line, `section`
    everything under the same heading, in the same field or entry.
    """
    pattern = pattern_of(difference_of(change), scope, "muted")
    others = tuple(each for each in profile.patterns if each.id != pattern.id)
    return profile.model_copy(update={"patterns": (*others, pattern)[-MAX_PATTERNS:]})


def unmute(profile: NoiseProfile, rule: str) -> NoiseProfile:
    """Return a profile that tells what a rule, a learned pattern or a person ignored."""
    patterns = tuple(each for each in profile.patterns if each.id != rule)
    is_own = len(patterns) < len(profile.patterns) and rule.startswith("muted:")
    if is_own:  # nor is the same place learned
        rule = f"learned:{rule.removeprefix('muted:')}"
    unmuted = tuple(dict.fromkeys((*profile.unmuted, rule)))[-MAX_PATTERNS:]
    return profile.model_copy(
        update={"patterns": patterns if is_own else profile.patterns, "unmuted": unmuted}
    )


def pattern_of(
    difference: VersionDifference, scope: PatternScope | None, origin: str
) -> NoisePattern:
    """Return the pattern of the place of a difference."""
    text = line_form(difference)
    if scope is None:
        scope = _default_scope(difference, text)
    text = {"line": text, "following": place_key(difference.follows), "section": ""}[scope]
    where, offset = place_key(difference.where), 0
    if scope == "following":
        offset = difference.offset
    return NoisePattern.model_validate({
        "id": f"{origin}:{short_hash(scope, where, text, str(offset))}", "origin": origin,
        "scope": scope, "where": where, "text": text, "offset": offset,
    })  # fmt: skip


def line_form(difference: VersionDifference) -> str:
    """Return the line with gaps for the words that differ."""
    if not difference.before or not difference.after:
        return _plain(difference.before or difference.after)[:_MAX_TEXT_CHARS]
    parts = word_diff(_plain(difference.before), _plain(difference.after))
    pieces = [part.text if part.op == "equal" else GAP for part in parts]
    return re.sub(f"{GAP}+", GAP, "".join(pieces))[:_MAX_TEXT_CHARS]


def has_fixed_words(form: str, least: int = 1) -> bool:
    """Tell whether enough of a line stays the same to recognise it."""
    words = _WORD.findall(form.casefold())
    return sum(len(word) > 1 and word not in STOPWORDS for word in words) >= least


def is_in_pattern(difference: VersionDifference, pattern: NoisePattern) -> bool:
    """Tell whether a difference is in a place where changes are ignored."""
    where = place_key(difference.where)
    if pattern.scope == "section":
        return where == pattern.where or where.startswith(pattern.where + PLACE_SEPARATOR)
    if where != pattern.where:
        return False
    if pattern.scope == "following":
        return (place_key(difference.follows), difference.offset) == (pattern.text, pattern.offset)
    texts = filter(None, (difference.before, difference.after))
    return all(_fits(_plain(text), pattern.text) for text in texts)


def place_key(text: str) -> str:
    """Return a heading or line as places are compared: its numbers may differ."""
    return _DIGITS.sub("#", fold_text(text).casefold())


def _default_scope(difference: VersionDifference, form: str) -> PatternScope:
    if difference.where.startswith("/") or difference.kind == "entry":
        return "section"
    if difference.before and difference.after and not has_fixed_words(form):
        return "following"
    return "line"


def _fits(text: str, form: str) -> bool:
    """Tell whether a text is the form with its gaps filled."""
    pieces = form.split(GAP)
    if len(pieces) == 1:
        return text[:_MAX_TEXT_CHARS] == form
    first, *middle, last = pieces
    if len(text) < len(first) + len(last) or not text.startswith(first):
        return False
    at = len(first)
    for piece in middle:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return at <= len(text) - len(last) and text.endswith(last)


def _plain(text: str) -> str:
    return fold_text(text).replace(GAP, "...")
