"""Estimates how fully a text states a claim. It finds missing parts; it does not judge truth."""

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache

from webquarry.content.claims.claim_sentences import MAX_CLAIM_CHARS
from webquarry.content.claims.claim_terms import Term, Vocabulary, terms_of
from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.sentences import sentences_of

_PASSAGE = 4  # consecutive sentences that may state a claim together
_HEAD = 4  # first sentences of a page: its title and date apply to all of it
_CHOSEN = 4  # sentences from anywhere in the text that together cover most of a claim
_CANDIDATES = 40
_MAX_SENTENCES = 2000
_MIN_TERMS = 3  # a shorter claim is not held to be harder to state
# logistic regression on the development half of WiCE (349 claims), where a score of 0.5 has
# precision .72 at recall .60 in cross-validation
_INTERCEPT = -4.68
_WEIGHTS = {
    "pair_coverage": 2.01,
    "weakest_clause": 1.36,
    "missing_names": -0.42,
    "missing_terms": -0.24,
    "missing_numbers": -1.45,
    "log_terms": 1.56,
}
_CLAUSE = re.compile(
    r"[,;:()\u2013\u2014]| - |\b(?:and|but|which|who|where|when|while|because|with|before|after"
    r"|until|as|to|for|by|in|at|on|from|und|aber|der|die|das|weil|mit|nach|vor|bis|et|mais|qui|que"
    r"|avec|avant|après|y|pero|con|antes|después)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class ClaimFeatures:
    """What distinguishes a claim that a text states from one that it states in part."""

    pair_coverage: float  # of the claim's terms, in the best two consecutive sentences
    weakest_clause: float  # coverage of the clause that the best passage covers least
    missing_names: int  # in the best passage and the head of the text
    missing_terms: int  # in the best sentences from anywhere in the text
    missing_numbers: int  # in the whole text
    log_terms: float  # number of the claim's terms


class ClaimSupportEstimator:
    """Compares one claim with texts."""

    def __init__(self, claim: str) -> None:
        self._text = cap_text(claim, MAX_CLAIM_CHARS)
        self._terms = tuple(dict.fromkeys(_with_kinds(terms_of(self._text))))

    def has_overlap(self, text: str) -> bool:
        """Tell whether the text contains any term of the claim, or a related form of one."""
        vocabulary = Vocabulary(term.stem for term in terms_of(text))
        return any(map(vocabulary.match, self._terms))

    def score(self, text: str) -> float:
        """Return the estimated chance, 0 to 1, that the text states the whole claim."""
        if not self._terms:
            return 0.0
        features = asdict(self.features(text))
        total = sum(weight * features[name] for name, weight in _WEIGHTS.items())
        return 1 / (1 + math.exp(-_INTERCEPT - total))

    def features(self, text: str) -> ClaimFeatures:
        """Return what the score is made of."""
        page = _page(text)
        passage = max(page.windows(_PASSAGE), key=self._coverage, default=page.head)
        with_head = Vocabulary((*passage.stems, *page.head.stems))
        clauses = (_coverage(clause, with_head) for clause in self._clauses)
        return ClaimFeatures(
            pair_coverage=max(map(self._coverage, page.windows(2)), default=0.0),
            weakest_clause=min(clauses, default=1.0),
            missing_names=self._missing(with_head, "name"),
            missing_terms=self._missing(self._best_sentences(page)),
            missing_numbers=self._missing(page.whole, "number"),
            log_terms=math.log(max(len(self._terms), _MIN_TERMS) + 1),
        )

    @cached_property
    def _clauses(self) -> list[list[Term]]:
        clauses = ([*dict.fromkeys(terms_of(part))] for part in _CLAUSE.split(self._text))
        return [clause for clause in clauses if clause]

    def _coverage(self, vocabulary: Vocabulary) -> float:
        return _coverage(self._terms, vocabulary)

    def _missing(self, vocabulary: Vocabulary, kind: str = "") -> int:
        return sum(
            not vocabulary.match(term) for term in self._terms if not kind or term.kind == kind
        )

    def _best_sentences(self, page: "_Page") -> Vocabulary:
        """Return the terms of a few sentences that together cover most of the claim."""
        candidates = sorted(page.sentences, key=self._coverage, reverse=True)[:_CANDIDATES]
        chosen, covered = Vocabulary(()), 0.0
        for _ in range(_CHOSEN):
            joined = (Vocabulary((*chosen.stems, *each.stems)) for each in candidates)
            best = max(joined, key=self._coverage, default=chosen)
            if self._coverage(best) <= covered:
                break
            chosen, covered = best, self._coverage(best)
        return chosen


class _Page:
    """The sentences of a text, as terms."""

    def __init__(self, text: str) -> None:
        sentences = sentences_of(text)[:_MAX_SENTENCES]
        self._stems = [[term.stem for term in terms_of(sentence)] for sentence in sentences]
        self.sentences = [Vocabulary(stems) for stems in self._stems]
        self.head = Vocabulary(_joined(self._stems[:_HEAD]))
        self.whole = Vocabulary(_joined(self._stems))
        self._windows: dict[int, list[Vocabulary]] = {}

    def windows(self, size: int) -> list[Vocabulary]:
        """Return the vocabulary of each run of consecutive sentences."""
        if size not in self._windows:
            starts = range(max(1, len(self._stems) - size + 1))
            runs = (_joined(self._stems[at : at + size]) for at in starts)
            self._windows[size] = [Vocabulary(run) for run in runs]
        return self._windows[size]


@lru_cache(maxsize=2)  # several claims are compared with one text
def _page(text: str) -> _Page:
    return _Page(text)


def _joined(sentences: Sequence[list[str]]) -> list[str]:
    return [stem for stems in sentences for stem in stems]


def _coverage(terms: Sequence[Term], vocabulary: Vocabulary) -> float:
    """Return the weighted share of the terms that the vocabulary has."""
    total = sum(map(_weight, terms))
    return sum(_weight(term) * vocabulary.match(term) for term in terms) / total if total else 0.0


def _weight(term: Term) -> float:
    """Return how much a term says: longer words are rarer, names and numbers identify."""
    if term.kind == "number":
        return 1.6
    by_length = 1.0 + min(len(term.stem), 8) / 8
    return 1.3 * by_length if term.kind == "name" else by_length


def _with_kinds(terms: list[Term]) -> list[Term]:
    """Treat capitalised words as words where most are: German nouns, titles."""
    words = [term for term in terms if term.kind != "number"]
    names = sum(term.kind == "name" for term in words)
    if len(words) < 4 or names <= 0.7 * len(words):
        return terms
    return [term._replace(kind="word") if term.kind == "name" else term for term in terms]
