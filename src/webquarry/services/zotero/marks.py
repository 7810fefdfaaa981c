"""Tags and notes for the items that an audit flags."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from webquarry.providers.capabilities_library import LibraryItem

NOTE_TAG = "webquarry:audit"  # of our notes, so that they are found again
_FLAGS = ("retracted", "not_found", "mismatch", "mischaracterized", "dead_link")
_TAGS = {flag: f"webquarry:{flag.replace('_', '-')}" for flag in _FLAGS}
_OWN_TAGS = frozenset(_TAGS.values())
_DATE = re.compile(r"(?<=Webquarry, )\d{4}-\d{2}-\d{2}:")
_MARKUP = re.compile(r"<[^<>]*>")
_CLEARED = "no problem found any more."


@dataclass(frozen=True)
class ItemFinding:
    """The flags of one item, and the reason for them."""

    flags: tuple[str, ...] = ()
    reason: str = ""

    @property
    def tags(self) -> list[str]:
        """The tags for the flags; what could not be checked has none."""
        return [_TAGS[flag] for flag in self.flags if flag in _TAGS]

    @property
    def is_complete(self) -> bool:
        """Whether everything could be checked."""
        return "unchecked" not in self.flags


def plan_marks(
    items: Iterable[LibraryItem],
    notes: Iterable[LibraryItem],
    findings: Mapping[str, ItemFinding],
    day: str,
) -> list[dict[str, Any]]:
    """Return the changes that are still missing; none after they were written."""
    note_of = {note.parent_item: note for note in notes}
    return [
        change
        for item in items
        if (finding := findings.get(item.key))
        for change in _changes(item, note_of.get(item.key), finding, day)
    ]


def _changes(
    item: LibraryItem, note: LibraryItem | None, finding: ItemFinding, day: str
) -> Iterator[dict[str, Any]]:
    tags = _with_tags(item, finding)
    if tags != list(item.tags):
        yield {"key": item.key, "tags": tags}
    if not finding.tags and (note is None or not finding.is_complete):
        return
    reason = finding.reason if finding.tags else _CLEARED
    text = f"<p>Webquarry, {day}: {escape(reason, quote=False)}</p>"
    if note is None:
        tag = {"tag": NOTE_TAG}
        yield {"itemType": "note", "parentItem": item.key, "note": text, "tags": [tag]}
    elif not _undated(note.note).endswith(_undated(text)):
        yield {"key": note.key, "note": note.note + text}  # the user may have written in it


def _with_tags(item: LibraryItem, finding: ItemFinding) -> list[dict[str, Any]]:
    """Return the tags of an item: the user's own unchanged, ours as the finding says."""
    outdated = _OWN_TAGS.difference(finding.tags) if finding.is_complete else frozenset[str]()
    kept = [tag for tag in item.tags if tag.get("tag") not in outdated]
    present = {tag.get("tag") for tag in kept}
    return kept + [{"tag": tag} for tag in finding.tags if tag not in present]


def _undated(note: str) -> str:
    """Return the text of a note without its date and the markup that Zotero's editor adds."""
    return " ".join(unescape(_MARKUP.sub(" ", _DATE.sub("", note))).split())
