"""A pair of versions of a page, what changed between them, and what only looks like it."""

import re
from dataclasses import dataclass

from webquarry.content.changes.whole_page_text import page_text
from webquarry.content.html.read_html import read_html
from webquarry.models.changes import Change, PageVersion

_SIGN = re.compile(r"[\W_]+")
_MIN_CHARS = 3


def letters(text: str) -> str:
    """Return the letters and digits of a text, to compare it with other texts."""
    return _SIGN.sub("", text).casefold()


@dataclass(frozen=True)
class ExpectedChange:
    """A passage of one version that the other lacks; both if it was changed."""

    before: str
    after: str
    kind: str = ""  # empty: not checked

    def is_found_in(self, change: Change) -> bool:
        """Tell whether a change is about these passages."""
        told = (change.before.quote if change.before else "",
                change.after.quote if change.after else "")  # fmt: skip
        sides = [
            _is_part(expected, quote)
            for expected, quote in zip((self.before, self.after), told, strict=True)
            if expected and quote
        ]
        return bool(sides) and all(sides)


@dataclass(frozen=True)
class ChangePair:
    """Two versions in HTML, earlier ones to learn from, and what changed."""

    name: str
    earlier: tuple[str, ...]  # read one after the other before the first version of the pair
    before: str
    after: str
    expected: tuple[ExpectedChange, ...]
    days: float = 1.0  # between the versions
    url: str = "https://pages.example/page"

    def versions(self, start: float) -> list[PageVersion]:
        """Return all versions as they are read, the pair last."""
        pages = (*self.earlier, self.before, self.after)
        times = [start + number * self.days * 86_400 for number in range(len(pages))]
        found: list[PageVersion] = []
        for html, at in zip(pages, times, strict=True):
            reading = read_html(html, url=self.url)
            found.append(PageVersion(url=self.url, title=reading.metadata.title,
                                     markdown=reading.markdown, page_text=page_text(html.encode()),
                                     at=at))  # fmt: skip
        return found


def _is_part(expected: str, told: str) -> bool:
    """Tell whether one of the passages is part of the other."""
    one, other = letters(expected), letters(told)
    if min(len(one), len(other)) < _MIN_CHARS:
        return one == other
    return one in other or other in one
