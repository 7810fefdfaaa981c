"""Writes differences as changes: passages with anchors, the words that differ, an id."""

import hashlib
from functools import cached_property

from webquarry.content.changes.differences import VersionDifference, short_hash
from webquarry.content.changes.word_diff import word_diff, words_changed
from webquarry.content.claims.text_fragments import PageText, with_fragment
from webquarry.content.markdown.parse import visible_text
from webquarry.models.changes import Change, PageVersion, Version
from webquarry.models.research import Anchor

_MAX_ANCHORS = 60  # text fragments of one version; each is searched for in the whole page


class ChangeWriter:
    """Writes the changes between two versions."""

    def __init__(self, before: Version, after: Version) -> None:
        self._before = _Passages(before)
        self._after = _Passages(after)

    def change(self, difference: VersionDifference) -> Change:
        """Return the change that a difference is."""
        before, after = difference.before, difference.after
        has_anchors = difference.ignored is None and difference.kind not in ("link", "entry")
        diff = word_diff(before, after)
        return Change(
            id=short_hash(difference.kind, difference.where, before, after),
            kind=difference.kind,
            action=difference.action,
            where=difference.where,
            follows=difference.follows,
            offset=difference.offset,
            before=self._before.anchor(difference, 0, is_linked=has_anchors) if before else None,
            after=self._after.anchor(difference, 1, is_linked=has_anchors) if after else None,
            diff=diff,
            size=words_changed(diff),
            number=difference.number,
            ignored=difference.ignored,
        )


class _Passages:
    """The passages of one version."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._left = _MAX_ANCHORS

    def anchor(self, difference: VersionDifference, side: int, *, is_linked: bool) -> Anchor:
        """Return the passage with a link to it, or to its page."""
        url = difference.url or self._version.url
        text = difference.quotes[side] or (difference.before, difference.after)[side]
        if is_linked and self._page and self._left:
            self._left -= 1
            span = self._page.span_of(text)
            directive = self._page.directive_for(span) if span else None
            url = with_fragment(url, directive) if directive else url
        return Anchor(url=url, quote=text, sha256=self._sha256)

    @cached_property
    def _page(self) -> PageText | None:
        version = self._version
        return (
            PageText(visible_text(version.markdown)) if isinstance(version, PageVersion) else None
        )

    @cached_property
    def _sha256(self) -> str:
        """The hash of the text of a page, as of its capture."""
        text = self._page.text if self._page else ""
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""
