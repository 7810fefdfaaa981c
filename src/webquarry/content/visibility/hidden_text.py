"""Takes out of a page what a person looking at it would not see, and reports it."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from webquarry.content.html.dom import SILENT, Element, counter, drop, texts
from webquarry.content.visibility.element_index import ElementIndex, survey_of
from webquarry.content.visibility.panels import Panels
from webquarry.content.visibility.rules import VisibilityRules
from webquarry.models.page import Removal

_COUNT = counter(".//*")
_ARIA = "aria-hidden"
_WHOLE_PAGE = frozenset(("html", "body", "head"))  # hidden until a script runs: no secret
_FIRM = frozenset(("display: none", "hidden attribute", "closed dialog"))
_MOST = 0.6


@dataclass(slots=True)
class HiddenTextReport:
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


def remove_hidden(root: Element, survey: ElementIndex | None = None) -> HiddenTextReport:
    """Remove from the tree what is not seen, comments included."""
    return take_out(root, hidden_in(root, survey))


def hidden_in(root: Element, survey: ElementIndex | None = None) -> dict[Element, str]:
    """Return the elements that are not seen, each with the reason."""
    survey = survey_of(root) if survey is None else survey
    eye, panels, page = VisibilityRules(root, survey), Panels(root, survey), _Page(root)
    gone: dict[Element, str] = {}
    for element in eye.candidates:
        if element.tag in _WHOLE_PAGE or element.tag in SILENT or _is_inside(element, gone):
            continue
        reason = eye.misses(element) or _aria(element)
        if reason and not panels.opens(element, reason) and not page.is_under(element, reason):
            gone[element] = reason
    return gone


def take_out(root: Element, gone: dict[Element, str]) -> HiddenTextReport:
    """Remove these elements from the tree, and all comments."""
    sweep = HiddenTextReport()
    for element, reason in gone.items():
        _remove(element, reason, sweep)
    for comment in list(root.iter(etree.Comment)):
        sweep.note("comment", len(comment.text or ""))
        drop(comment)
    return sweep


def _remove(element: Element, reason: str, sweep: HiddenTextReport) -> None:
    size = sum(len(part.strip()) for part in texts(element))
    if size:
        sweep.note(reason, size)
    drop(element)
    # emptied, so that parts found hidden on their own account are not counted again
    element.clear()


def _is_inside(element: Element, gone: dict[Element, str]) -> bool:
    """Tell whether something around the element goes anyway."""
    above = element.getparent()
    while above is not None:
        if above in gone:
            return True
        above = above.getparent()
    return False


def _aria(element: Element) -> str | None:
    return _ARIA if (element.get(_ARIA) or "").lower() == "true" else None


class _Page:
    """The page as a whole, which may be veiled until its script has run or a dialog closes."""

    def __init__(self, root: Element) -> None:
        self._root = root

    @cached_property
    def _elements(self) -> int:
        return _COUNT(self._root)

    @cached_property
    def _chars(self) -> int:
        return sum(map(len, texts(self._root)))

    def is_under(self, element: Element, reason: str) -> bool:
        """Tell whether the veil over this element is one over the page itself."""
        if reason in _FIRM or len(element) == 0:
            return False
        if _COUNT(element) < _MOST / 3 * self._elements:  # cheaper to ask than for the text
            return False
        return sum(map(len, texts(element))) > _MOST * self._chars
