"""Merges what instances return beside their results, within bounds: they choose its length."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from webquarry.content.text.snippets import shorten_snippet
from webquarry.searxng.query_values import NO_EXTRAS, DirectAnswer, Infobox, SearchExtras

_MAX_ANSWERS = 5
_MAX_ANSWER_CHARS = 1000
_MAX_INFOBOXES = 2
_MAX_INFOBOX_CHARS = 1000
_MAX_ATTRIBUTES = 10
_MAX_QUERIES = 8  # suggestions, and corrections
_MAX_LABEL_CHARS = 200
T = TypeVar("T")


def merge_extras(extras: Iterable[SearchExtras]) -> SearchExtras:
    """Return the extras of several pages or instances, each once, the first ones first."""
    parts = [part for part in extras if part != NO_EXTRAS]
    if not parts:  # nearly always
        return NO_EXTRAS
    return SearchExtras(
        answers=_unique((_bounded_answer(a) for p in parts for a in p.answers), _MAX_ANSWERS),
        infoboxes=_unique(
            (_bounded_infobox(i) for p in parts for i in p.infoboxes), _MAX_INFOBOXES
        ),
        suggestions=_queries([p.suggestions for p in parts]),
        corrections=_queries([p.corrections for p in parts]),
        unreadable=sum(p.unreadable for p in parts),
    )


def _bounded_answer(answer: DirectAnswer) -> DirectAnswer:
    return answer._replace(text=shorten_snippet(answer.text, _MAX_ANSWER_CHARS))


def _bounded_infobox(infobox: Infobox) -> Infobox:
    return Infobox(
        title=shorten_snippet(infobox.title, _MAX_LABEL_CHARS),
        content=shorten_snippet(infobox.content, _MAX_INFOBOX_CHARS),
        url=infobox.url,
        attributes=tuple(
            (shorten_snippet(label, _MAX_LABEL_CHARS), shorten_snippet(value, _MAX_LABEL_CHARS))
            for label, value in infobox.attributes[:_MAX_ATTRIBUTES]
        ),
    )


def _queries(lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return _unique((shorten_snippet(q, _MAX_LABEL_CHARS) for q in chain(*lists)), _MAX_QUERIES)


def _unique(values: Iterable[T], most: int) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))[:most]
