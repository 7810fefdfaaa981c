"""The sentences of several sources that say most about a question."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.text.sentences import sentences_of
from webquarry.services.research.ranked_sources import RankedSource
from webquarry.services.research.research_service import prose_of

_SHORTEST, _LONGEST = 25, 500  # characters of a sentence worth quoting
_LEAST = 0.34  # share of the question that a sentence must speak of
_NEARLY = 0.6  # of the best sentence's score
_SAME = 0.7  # share of common words from which two sentences say the same
_FIGURE = 0.15  # for a figure where one is asked for
_NEWS = 5  # words that are not in the question make a sentence worth reading
_OF_ONE = 3  # sentences of one source
# who asks for a figure, in a few languages
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:many|much|far|long|old|tall|high|deep|fast|big|large|often|heavy|wide)|when"
    r"|what (?:year|date|percentage|age|number)|wann|wie ?(?:viele?|weit|lange?|alt|hoch|schnell)"
    r"|combien|quand|cu[aá]ndo|cu[aá]nt[oa]s?|quando|quant[oia])\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Passage:
    """A sentence as its page has it."""

    source: int  # its place among the sources
    text: str
    score: float
    words: frozenset[str]


def passages(sources: Sequence[RankedSource], query: str, most: int) -> list[Passage]:
    """Return at most so many sentences that say different things, the best first."""
    found = sorted(_found(sources, query), key=lambda passage: -passage.score)
    best = found[0].score if found else 0.0
    kept: list[Passage] = []
    for passage in found:
        if passage.score < _NEARLY * best or len(kept) == most:
            break
        of_same = sum(other.source == passage.source for other in kept)
        if of_same < _OF_ONE and not any(_alike(passage.words, other.words) for other in kept):
            kept.append(passage)
    return kept


def _found(sources: Iterable[RankedSource], query: str) -> Iterator[Passage]:
    question, asked = QueryTerms(query), frozenset(stems(query))
    wants_figure = bool(_ASKS_FIGURE.search(query))
    for place, source in enumerate(sources):
        named = frozenset(stems(source.title))
        for text in sentences_of(prose_of(source), shortest=_SHORTEST):
            if len(text) > _LONGEST or text.endswith("?"):
                continue
            words = frozenset(stems(text))
            own = question.share(words)
            if own < _LEAST:
                continue
            # what the page is about need not be said again in every sentence of it
            share = own + 0.5 * (question.share(words | named) - own)
            figure = _FIGURE if wants_figure and any(map(str.isdecimal, text)) else 0.0
            # a sentence of the question's own words says nothing new
            news = min(1.0, len(words - asked) / _NEWS)
            worth = (0.3 + 0.7 * source.score) * (0.6 + 0.4 * news)
            yield Passage(place, text, (share + figure) * worth, words)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shorter, longer = sorted((one, other), key=len)
    # another figure is another statement, and worth seeing beside the first
    if any(word[0].isdecimal() for word in shorter - longer):
        return False
    return len(shorter & longer) >= _SAME * len(shorter)
