"""One page, one trap."""

from typing import Any, cast

import pytest

from tests.content.traps import TRAPS
from tests.content.traps.base import Trap
from webquarry.content.html.dom import Element
from webquarry.content.html.read_html import read_html, to_markdown
from webquarry.content.main_content import extract


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_page_is_read_as_a_person_sees_it(trap: Trap) -> None:
    _check(trap)


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_page_is_read_the_same_when_every_block_is_judged(
    trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(root: Element) -> None:
        del root

    monkeypatch.setattr(extract, "single_article", never)
    _check(trap)


def _check(trap: Trap) -> None:
    page = read_html(trap.page, url=trap.url, content_type=trap.content_type)
    missing = [words for words in trap.has if words not in page.markdown]
    leaked = [words for words in trap.lacks if words in page.markdown]
    facts = {name: _at(page.model_dump(), name) for name in trap.facts}
    assert (missing, leaked, facts) == ([], [], trap.facts), page.markdown


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_markdown_alone_is_that_of_a_whole_reading(trap: Trap) -> None:
    page = read_html(trap.page, url=trap.url, content_type=trap.content_type)
    assert to_markdown(trap.page, trap.url, trap.content_type) == page.markdown


def test_hidden_markers_are_nowhere_in_what_was_read() -> None:
    hidden = [trap for trap in TRAPS if "MARKER" in trap.lacks]
    leaking = [t.name for t in hidden if "MARKER" in read_html(t.page, url=t.url).model_dump_json()]
    assert (len(hidden) > 20, leaking) == (True, [])


def test_every_trap_has_its_own_name() -> None:
    names = [trap.name for trap in TRAPS]
    assert (len(names), len(names) >= 60) == (len(set(names)), True)


def _at(value: Any, path: str) -> Any:
    """Return what is at a dotted path in plain data."""
    for part in path.split("."):
        if value is None:
            return None
        value = value[int(part)] if part.isdecimal() else value[part]
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
