"""Takes out of a page what a person looking at it would not see, and reports it."""

from collections import Counter
from dataclasses import dataclass, field

from lxml import etree

from webquarry.content.dom import SILENT, Element, drop, texts
from webquarry.content.panels import can_be_opened
from webquarry.content.visibility import Eye
from webquarry.models.page import Removal

_CANDIDATES = etree.XPath("//*[@hidden or @style or @class or @id or @aria-hidden or self::dialog]")
_EVERYTHING = etree.XPath("//body//*")
_ARIA = "aria-hidden"
_WHOLE_PAGE = frozenset(("html", "body", "head"))  # hidden until a script runs: no secret
_FIRM = frozenset(("display: none", "hidden attribute", "closed dialog"))
_MOST = 0.6


@dataclass(slots=True)
class Sweep:
    """What was taken out, by reason."""

    counts: Counter[str] = field(default_factory=Counter[str])
    chars: Counter[str] = field(default_factory=Counter[str])

    def note(self, reason: str, size: int) -> None:
        """Count one removal of so many characters."""
        self.counts[reason] += 1
        self.chars[reason] += size

    def report(self) -> tuple[Removal, ...]:
        """Return the removals, most frequent first."""
        return tuple(
            Removal(reason=reason, count=count, chars=self.chars[reason] or count)
            for reason, count in self.counts.most_common()
        )


def remove_hidden(root: Element) -> Sweep:
    """Remove from the tree what is not seen, comments included."""
    sweep = Sweep()
    eye = Eye(root)
    gone: list[tuple[Element, str]] = []
    for element in _EVERYTHING(root) if eye.has_tag_rules else _CANDIDATES(root):
        if element.tag in _WHOLE_PAGE or element.tag in SILENT:
            continue
        reason = eye.misses(element) or _aria(element)
        if reason and not can_be_opened(element, reason) and not _is_page(element, reason, root):
            gone.append((element, reason))
    for element, reason in gone:
        _remove(element, reason, sweep)
    for comment in list(root.iter(etree.Comment)):
        sweep.note("comment", len(comment.text or ""))
        drop(comment)
    return sweep


def _remove(element: Element, reason: str, sweep: Sweep) -> None:
    size = sum(len(part.strip()) for part in texts(element))
    if size:
        sweep.note(reason, size)
    drop(element)
    # emptied, so that parts found hidden on their own account are not counted again
    element.clear()


def _aria(element: Element) -> str | None:
    return _ARIA if (element.get(_ARIA) or "").lower() == "true" else None


def _is_page(element: Element, reason: str, root: Element) -> bool:
    """Tell whether this is the page itself, veiled until its script has run or a dialog closes."""
    if reason in _FIRM:
        return False
    return sum(map(len, texts(element))) > _MOST * sum(map(len, texts(root)))
