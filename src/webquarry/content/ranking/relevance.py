"""How much a text has to say about a question: by the words they share, near each other."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from webquarry.content.claims.claim_sentences import WINDOW, stems
from webquarry.content.text.sentences import sentences_of

NEUTRAL = 0.5  # when the question has no words to look for
_LONGEST = 120_000  # characters of a text that are looked at
_MANY = 6  # sentences on the topic, from which a text is about it
_ON_TOPIC = 0.4  # share of the question that makes a sentence one of them
_NEAR = 2  # words that may stand between two that belong together
_ALIKE = 0.75  # of the longer of two words
_LEAST_ALIKE = 6  # letters: police is not policy
_NUMBER_WEIGHT = 1.3  # a year or an amount is rarely there by chance


@dataclass(frozen=True)
class RelevanceParts:
    """What the relevance of a text is made of, each 0 to 1."""

    title: float  # share of the question in the title
    passage: float  # share of it within a few sentences
    whole: float  # share of it anywhere
    focus: float  # how many sentences are about it
    phrases: float  # share of its neighbouring words that are neighbours here

    @property
    def total(self) -> float:
        """Return all of it in one number."""
        return (
            0.25 * self.title
            + 0.40 * self.passage
            + 0.10 * self.whole
            + 0.15 * self.focus
            + 0.10 * self.phrases
        )


class QueryTerms:
    """The words of a query, each as heavy as it is telling."""

    def __init__(self, text: str) -> None:
        self.terms = tuple(dict.fromkeys(stems(text)))
        lengths = [len(term) for term in self.terms]
        usual = sum(lengths) / len(lengths) if lengths else 1.0
        self._weights = {
            term: _NUMBER_WEIGHT if term[0].isdecimal() else 0.5 + 0.5 * min(2.0, len(term) / usual)
            for term in self.terms
        }
        self._all = sum(self._weights.values())
        self._known: dict[str, str] = {}
        self._pairs = tuple(pairwise(self.terms))

    def share(self, words: Iterable[str]) -> float:
        """Return the share of the question that these words cover."""
        if not self.terms:
            return NEUTRAL
        found = self._found(words)
        # in the order of the question, or the last digit would depend on the run
        return sum(self._weights[term] for term in self.terms if term in found) / self._all

    def parts(self, title: str, text: "TextWords") -> RelevanceParts:
        """Return what a text with this title has to say about the question."""
        if not self.terms:
            return RelevanceParts(NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL)
        sentences = [tuple(map(self._term, sentence)) for sentence in text.sentences]
        found = [self._weights.keys() & sentence for sentence in sentences]
        shares = [self.share(words) for words in found]
        # what a page is about need not be said again in every sentence of it
        named = self._found(stems(title))
        windows = (
            frozenset[str]().union(*found[at : at + WINDOW]) for at in range(len(found) or 1)
        )
        best = max((self._with_title(window, named) for window in windows), default=0.0)
        on_topic = sum(share >= _ON_TOPIC for share in shares)
        return RelevanceParts(
            title=self.share(named),
            passage=best,
            whole=self.share(frozenset[str]().union(*found)),
            focus=min(1.0, on_topic / _MANY),
            phrases=self._phrases(sentences),
        )

    def _found(self, words: Iterable[str]) -> set[str]:
        return self._weights.keys() & set(map(self._term, words))

    def _term(self, word: str) -> str:
        """Return the term that a word is a form of (concurrency, concurrent), or the word."""
        if word not in self._known:
            alike = (term for term in self.terms if _is_form(word, term))
            self._known[word] = word if word in self._weights else next(alike, word)
        return self._known[word]

    def _with_title(self, window: frozenset[str], named: set[str]) -> float:
        """Return the share a passage covers; what only the title says counts half."""
        own = self.share(window)
        return own + 0.5 * (self.share(window | named) - own) if own else 0.0

    def _phrases(self, sentences: Sequence[tuple[str, ...]]) -> float:
        if not self._pairs:
            return 1.0 if any(self.terms[0] in sentence for sentence in sentences) else 0.0
        met: set[tuple[str, str]] = set()
        for sentence in sentences:
            for at, word in enumerate(sentence):
                if word in self._weights:
                    near = sentence[at + 1 : at + 2 + _NEAR]
                    met.update((word, other) for other in near)
        return sum(pair in met for pair in self._pairs) / len(self._pairs)


def _is_form(word: str, term: str) -> bool:
    """Tell whether two words begin alike for most of their length."""
    longer = max(len(word), len(term))
    same = max(_LEAST_ALIKE, math.ceil(_ALIKE * longer))
    letters = not term[0].isdecimal()
    return letters and len(word) >= same <= len(term) and word[:same] == term[:same]


class TextWords:
    """A text as the words of its sentences."""

    def __init__(self, text: str) -> None:
        self._text = text[:_LONGEST]

    @cached_property
    def sentences(self) -> list[tuple[str, ...]]:
        """The telling words of each sentence, in their order."""
        return [tuple(stems(sentence)) for sentence in sentences_of(self._text)]
