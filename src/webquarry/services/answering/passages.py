"""The sentences of several sources that are most relevant to a question."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.text.sentences import sentences_of
from webquarry.services.research.ranked_sources import ReadSource
from webquarry.services.research.source_selection import prose_of

_MIN_CHARS, _MAX_CHARS = 25, 500  # of a sentence to quote
_MIN_COVERAGE = 0.34  # share of the question's words in a sentence
_MIN_RELATIVE_SCORE = 0.6  # compared with the best sentence
_DUPLICATE = 0.7  # share of common words of two equivalent sentences
_FIGURE_BONUS = 0.15  # for a figure, if the question asks for one
_NEW_WORDS = 5  # not in the question, for the full score
_MAX_PER_SOURCE = 3
# questions that ask for a figure, in a few languages
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:many|much|far|long|old|tall|high|deep|fast|big|large|often|heavy|wide)|when"
    r"|what (?:year|date|percentage|age|number)|wann|wie ?(?:viele?|weit|lange?|alt|hoch|schnell)"
    r"|combien|quand|cu[aá]ndo|cu[aá]nt[oa]s?|quando|quant[oia])\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Passage:
    """A sentence of a page."""

    source: int  # index of its source
    text: str
    score: float
    words: frozenset[str]


def best_passages(sources: Sequence[ReadSource], query: str, max_count: int) -> list[Passage]:
    """Return at most `max_count` different sentences, the best first."""
    found = sorted(_candidates(sources, query), key=lambda passage: -passage.score)
    best = found[0].score if found else 0.0
    kept: list[Passage] = []
    for passage in found:
        if passage.score < _MIN_RELATIVE_SCORE * best or len(kept) == max_count:
            break
        from_source = sum(other.source == passage.source for other in kept)
        if from_source < _MAX_PER_SOURCE and not any(
            _is_duplicate(passage.words, other.words) for other in kept
        ):
            kept.append(passage)
    return kept


def _candidates(sources: Iterable[ReadSource], query: str) -> Iterator[Passage]:
    question, query_words = QueryTerms(query), frozenset(stems(query))
    asks_figure = bool(_ASKS_FIGURE.search(query))
    for index, source in enumerate(sources):
        title_words = frozenset(stems(source.title))
        for text in sentences_of(prose_of(source), min_length=_MIN_CHARS):
            if len(text) > _MAX_CHARS or text.endswith("?"):
                continue
            words = frozenset(stems(text))
            own = question.coverage(words)
            if own < _MIN_COVERAGE:
                continue
            # words of the title count half: sentences rarely repeat the topic
            coverage = own + 0.5 * (question.coverage(words | title_words) - own)
            figure = _FIGURE_BONUS if asks_figure and any(map(str.isdecimal, text)) else 0.0
            # a sentence that repeats the question has no new information
            novelty = min(1.0, len(words - query_words) / _NEW_WORDS)
            weight = (0.3 + 0.7 * source.score) * (0.6 + 0.4 * novelty)
            yield Passage(index, text, (coverage + figure) * weight, words)


def _is_duplicate(one: frozenset[str], other: frozenset[str]) -> bool:
    shorter, longer = sorted((one, other), key=len)
    # a sentence with another figure makes another statement
    if any(word[0].isdecimal() for word in shorter - longer):
        return False
    return len(shorter & longer) >= _DUPLICATE * len(shorter)
