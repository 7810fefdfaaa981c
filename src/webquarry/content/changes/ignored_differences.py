"""Decides which differences are ignored: by rules, by what was learned, and by what was muted."""

from webquarry.content.changes.differences import VersionDifference, short_hash
from webquarry.content.changes.noise_patterns import is_in_pattern, place_key
from webquarry.content.changes.noise_rules import (
    NoiseSpan,
    is_advertisement,
    is_only_noise,
    masked_text,
    noise_spans,
    relative_days,
)
from webquarry.content.changes.page_units import fold_text
from webquarry.models.changes import IgnoredBecause, NoiseProfile, NoiseReason, Version

NEVER_LEARNED = frozenset(("title", "price", "availability"))
_NOTES: dict[NoiseReason, str] = {
    "relative_time": "Only a time that counts from now differs.",
    "date_stamp": "Only a date or time of the page itself differs.",
    "copyright_year": "Only the year of the copyright notice differs.",
    "counter": "Only a counter differs, such as views, shares or comments.",
    "advertisement": "It is an advertisement.",
    "related": "It is in a list of other pages, which rotates.",
    "cookie_notice": "It is a cookie notice.",
    "session_id": "Only an id differs that is new on each visit.",
    "moved": "The same text stands in another place.",
    "outside": "The other version has it, too, but outside of its main content.",
    "learned": "It differed between the first versions, too.",
    "muted": "Changes in this place are muted.",
}


class NoiseFilter:
    """Marks differences of two versions as ignored."""

    def __init__(self, profile: NoiseProfile, before: Version, after: Version) -> None:
        self._patterns = profile.patterns
        self._off = frozenset(profile.unmuted)
        self._at = (before.at, after.at)
        self._has_rules = after.form != "fields"  # fields were asked for, whatever they are

    def marked(self, difference: VersionDifference) -> VersionDifference:
        """Return the difference with the reason why it is ignored, if there is one."""
        ignored = self._by_pattern(difference)
        if ignored is None and self._has_rules:
            ignored = self._by_rule(difference)
        return difference._replace(ignored=ignored)

    def _by_pattern(self, difference: VersionDifference) -> IgnoredBecause | None:
        for pattern in self._patterns:
            is_learned = pattern.origin == "learned"
            if pattern.id in self._off or (is_learned and difference.kind in NEVER_LEARNED):
                continue
            if is_in_pattern(difference, pattern):
                return IgnoredBecause(
                    reason=pattern.origin, rule=pattern.id, note=_NOTES[pattern.origin]
                )
        return None

    def _by_rule(self, difference: VersionDifference) -> IgnoredBecause | None:
        reason = difference.reason or self._whole_reason(difference)
        if reason and (ignored := self._because(reason, difference)):
            return ignored
        return self._by_masks(difference)

    def _whole_reason(self, difference: VersionDifference) -> NoiseReason | None:
        texts = filter(None, (difference.before, difference.after))
        return "advertisement" if all(map(is_advertisement, texts)) else None

    def _by_masks(self, difference: VersionDifference) -> IgnoredBecause | None:
        sides = [(difference.before, self._at[0]), (difference.after, self._at[1])]
        texts = [fold_text(text) for text, _ in sides]
        spans = [self._spans(text, at) for text, (_, at) in zip(texts, sides, strict=True)]
        if not all(texts):
            side = 0 if texts[0] else 1
            if difference.kind == "text" and is_only_noise(texts[side], spans[side]):
                return self._because(spans[side][0].reason, difference)
            return None
        masked = [masked_text(*each) for each in zip(texts, spans, strict=True)]
        if masked[0] == masked[1]:
            found = _first_difference(texts, spans)
            return self._because(found, difference, masked[0]) if found else None
        return self._moving_date(masked, difference)

    def _moving_date(
        self, texts: list[str], difference: VersionDifference
    ) -> IgnoredBecause | None:
        """Recognise dates that move with the clock, such as the day of a delivery."""
        if not all(self._at):
            return None
        moved = [relative_days(text, at) for text, at in zip(texts, self._at, strict=True)]
        if moved[0] != moved[1]:
            return None
        return self._because("date_stamp", difference, moved[0])

    def _spans(self, text: str, at: float) -> list[NoiseSpan]:
        return [span for span in noise_spans(text, at) if span.reason not in self._off]

    def _because(
        self, reason: NoiseReason, difference: VersionDifference, form: str = ""
    ) -> IgnoredBecause | None:
        """Return the reason with the id of this place, None if one of the two is unmuted."""
        place = short_hash(place_key(difference.where), place_key(form))
        rule = f"{reason}:{place}"
        if reason in self._off or rule in self._off:
            return None
        return IgnoredBecause(reason=reason, rule=rule, note=_NOTES[reason])


def _first_difference(texts: list[str], spans: list[list[NoiseSpan]]) -> NoiseReason | None:
    """Return the reason of the first masked part that differs."""
    for left, right in zip(*spans, strict=True):
        if texts[0][left.start : left.end] != texts[1][right.start : right.end]:
            return left.reason
    return None
