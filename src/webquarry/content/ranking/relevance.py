"""Relevance of a text to a query, by shared and neighbouring words."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from webquarry.content.claims.claim_sentences import WINDOW, stems
from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.sentences import sentences_of

NEUTRAL = 0.5  # when the query has no content words
_MAX_CHARS = 120_000  # characters of a text that are compared
_FOCUSED_SENTENCES = 6  # sentences on the topic that give full marks
_ON_TOPIC = 0.4  # share of the query that makes a sentence one of them
_MAX_DISTANCE = 2  # words allowed between the two words of a phrase
_SAME_FORM_SHARE = 0.75  # common prefix, as a share of the longer word
SAME_FORM_LETTERS = 6  # minimum common prefix: police is not policy
_NUMBER_WEIGHT = 1.3  # a year or an amount rarely matches by chance


@dataclass(frozen=True)
class RelevanceParts:
    """The components of a text's relevance, each 0 to 1."""

    title: float  # share of the query in the title
    passage: float  # best share of it within a few sentences
    anywhere: float  # share of it anywhere
    focus: float  # how many sentences are about it
    phrases: float  # share of its neighbouring words that are neighbours in the text

    @property
    def total(self) -> float:
        """Return the weighted sum."""
        return (
            0.25 * self.title
            + 0.40 * self.passage
            + 0.10 * self.anywhere
            + 0.15 * self.focus
            + 0.10 * self.phrases
        )


class QueryTerms:
    """The stemmed words of a query, weighted by length; numbers weigh more."""

    def __init__(self, text: str) -> None:
        self.terms = tuple(dict.fromkeys(stems(text)))
        lengths = [len(term) for term in self.terms]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._weights = {
            term: _NUMBER_WEIGHT if term[0].isdecimal() else 0.5 + 0.5 * min(2.0, len(term) / mean)
            for term in self.terms
        }
        self._total_weight = sum(self._weights.values())
        self._term_cache: dict[str, str] = {}
        self._phrases = tuple(pairwise(self.terms))

    def coverage(self, words: Iterable[str]) -> float:
        """Return the weighted share of the query's terms among these words, 0 to 1."""
        if not self.terms:
            return NEUTRAL
        matched = self._terms_in(words)
        # summed in query order: set order would change the last digit from run to run
        return (
            sum(self._weights[term] for term in self.terms if term in matched) / self._total_weight
        )

    def relevance_parts(self, title: str, text: "TextWords") -> RelevanceParts:
        """Return the components of the relevance of a text with this title."""
        if not self.terms:
            return RelevanceParts(NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL)
        sentences = [tuple(map(self._term, sentence)) for sentence in text.sentences]
        matched = [self._weights.keys() & sentence for sentence in sentences]
        title_terms = self._terms_in(stems(title))
        windows = (
            frozenset[str]().union(*matched[at : at + WINDOW]) for at in range(len(matched) or 1)
        )
        on_topic = sum(self.coverage(terms) >= _ON_TOPIC for terms in matched)
        return RelevanceParts(
            title=self.coverage(title_terms),
            passage=max(self._with_title(window, title_terms) for window in windows),
            anywhere=self.coverage(frozenset[str]().union(*matched)),
            focus=min(1.0, on_topic / _FOCUSED_SENTENCES),
            phrases=self._phrase_share(sentences),
        )

    def _terms_in(self, words: Iterable[str]) -> set[str]:
        return self._weights.keys() & set(map(self._term, words))

    def _term(self, word: str) -> str:
        """Return the term that a word is a form of (concurrency, concurrent), or the word."""
        if word not in self._term_cache:
            terms = (term for term in self.terms if is_form(word, term))
            self._term_cache[word] = word if word in self._weights else next(terms, word)
        return self._term_cache[word]

    def _with_title(self, window: frozenset[str], title_terms: set[str]) -> float:
        """Return the share a passage covers; terms that only the title has count half."""
        own = self.coverage(window)
        return own + 0.5 * (self.coverage(window | title_terms) - own) if own else 0.0

    def _phrase_share(self, sentences: Sequence[tuple[str, ...]]) -> float:
        if not self._phrases:
            return 1.0 if any(self.terms[0] in sentence for sentence in sentences) else 0.0
        neighbours = {pair for sentence in sentences for pair in self._neighbours(sentence)}
        return sum(phrase in neighbours for phrase in self._phrases) / len(self._phrases)

    def _neighbours(self, sentence: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Yield each term with each of the words shortly after it."""
        for index, word in enumerate(sentence):
            if word in self._weights:
                for other in sentence[index + 1 : index + 2 + _MAX_DISTANCE]:
                    yield word, other


def is_form(word: str, term: str) -> bool:
    """Tell whether two words have a common prefix of most of their length."""
    if term[0].isdecimal():
        return False
    longer = max(len(word), len(term))
    length = max(SAME_FORM_LETTERS, math.ceil(_SAME_FORM_SHARE * longer))
    return len(word) >= length <= len(term) and word[:length] == term[:length]


class TextWords:
    """A text as the stemmed content words of its sentences."""

    def __init__(self, text: str) -> None:
        self._text = cap_text(text, _MAX_CHARS)

    @cached_property
    def sentences(self) -> list[tuple[str, ...]]:
        """The stems of each sentence, in order."""
        return [tuple(stems(sentence)) for sentence in sentences_of(self._text)]
