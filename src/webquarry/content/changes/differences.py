"""One difference between two versions, before it is told or ignored."""

import hashlib
from typing import NamedTuple

from webquarry.models.changes import (
    Change,
    ChangeAction,
    ChangedNumber,
    ChangeKind,
    IgnoredBecause,
    NoiseReason,
)

PLACE_SEPARATOR = " \u203a "
MAX_FOLLOWS_CHARS = 160


class VersionDifference(NamedTuple):
    """What differs in one place."""

    kind: ChangeKind
    before: str  # empty: it was added
    after: str  # empty: it was removed
    where: str = ""  # headings, field or entry
    follows: str = ""  # the text before it that did not change
    offset: int = 0  # how many units are between the two
    number: ChangedNumber | None = None
    reason: NoiseReason | None = None  # a rule by which it is ignored
    ignored: IgnoredBecause | None = None
    block: int = -1  # differences of one block can be told as one change
    quotes: tuple[str, str] = ("", "")  # what the page says, if it is not the values themselves
    url: str = ""  # of the page; empty: that of the version

    @property
    def action(self) -> ChangeAction:
        """What happened to it."""
        if not self.before:
            return "added"
        return "changed" if self.after else "removed"


def difference_of(change: Change) -> VersionDifference:
    """Return the difference that a change tells."""
    before = "".join(part.text for part in change.diff if part.op != "insert")
    after = "".join(part.text for part in change.diff if part.op != "delete")
    return VersionDifference(
        change.kind, before, after, change.where, change.follows or "", change.offset
    )


def short_hash(*parts: str) -> str:
    """Return 12 hexadecimal digits that stand for the parts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:12]
