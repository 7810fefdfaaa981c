"""Compares the facts of a claim with a sentence of its source: numbers, dates, negation, names."""

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from webquarry.content.claims.claim_sentences import stem_word
from webquarry.content.claims.claim_terms import Term, Vocabulary, terms_of
from webquarry.content.claims.quantities import Quantity, TextDate, dates_of, quantities_of
from webquarry.content.text.word_list import words

FactKind = Literal["number", "date", "negation", "name"]

_SAME_SUBJECT = 0.6  # of the claim's other terms: the sentence is about the same
_SAME_STATEMENT = 0.8  # of the claim's other terms: it states or denies the same
_MIN_REST = 3  # terms of a claim without the names that its source lacks
_LITTLE_MORE = 0.5  # of its own terms that the claim has, too: it says little besides
_NOT_MUCH_MORE = 0.35
_MENTIONED = 0.35  # a sentence that has the fact and so much of the rest confirms it
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|nicht|kein(?:e[mnrs]?)?|nie"
    r"|niemals|jamais|aucune?|sans|nunca|ning[uú]n(?:a)?|sin|fail(?:s|ed)? to|lack(?:s|ed)?)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_NO_NEGATION = re.compile(r"\bnot only\b|\bno\.? (?=\d)|\bno longer than\b", re.IGNORECASE)
_OPPOSITES = tuple(
    (frozenset(map(stem_word, words(left))), frozenset(map(stem_word, words(right))))
    for left, right in (
        ("increase increased increases rise rose rises grew grow grown",
         "decrease decreased decreases fell fall falls declined decline dropped drop reduced"),
        ("higher more greater larger", "lower less fewer smaller"),
        ("improved improve improves better", "worsened worsen worsens worse"),
        ("faster quicker", "slower"),
        ("gained gain", "lost lose"),
        ("won win wins", "lost lose loses"),
        ("accepted accept approved approve", "rejected reject refused refuse"),
        ("positive", "negative"),
        ("above", "below"),
        ("before", "after"),
        ("effective", "ineffective"),
        ("safe", "unsafe dangerous"),
        ("common", "rare uncommon"),
        ("supported supports support", "opposed opposes oppose"),
        ("present", "absent"),
        ("longest", "shortest"),
        ("largest biggest highest", "smallest lowest"),
    )
)  # fmt: skip
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W\d_]+)?")


class FactDifference(NamedTuple):
    """A fact that the claim and its source state differently."""

    kind: FactKind
    cited: str
    source: str
    sentence: str  # of the source

    @property
    def reason(self) -> str:
        """The difference in one sentence."""
        if self.kind == "negation" and self.cited and self.source:
            return f"The document says “{self.cited}”, the source “{self.source}”."
        if self.kind == "negation":
            negated, other = ("document", "source") if self.cited else ("source", "document")
            return f"The {negated} says “{self.cited or self.source}”, the {other} does not."
        return f"{self.kind.capitalize()}: the document has {self.cited}, the source {self.source}."


class StatedFacts:
    """The terms and facts of one sentence."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return tuple(dict.fromkeys(terms_of(self.text)))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(term.stem for term in self.terms)

    @cached_property
    def quantities(self) -> list[Quantity]:
        return quantities_of(self.text)

    @cached_property
    def dates(self) -> list[TextDate]:
        return dates_of(self.text)

    @cached_property
    def negation(self) -> str:
        """The word that negates the sentence; empty if none does."""
        found = _NEGATION.search(_NO_NEGATION.sub(" ", self.text))
        return found[0] if found else ""

    @cached_property
    def plain_words(self) -> tuple[Term, ...]:
        """The terms that are no numbers."""
        return tuple(term for term in self.terms if term.kind != "number")

    def coverage_of(self, terms: Sequence[Term]) -> float:
        """Return the share of the terms that this sentence has."""
        return sum(map(self.vocabulary.match, terms)) / len(terms) if terms else 0.0


def fact_differences(claim: str, known: list[StatedFacts]) -> list[FactDifference]:
    """Return the facts of a claim that sentences of its source contradict."""
    cited = StatedFacts(claim)
    if len(cited.plain_words) < 2:  # too little to tell that a sentence is about the same
        return []
    found = (
        *_number_differences(cited, known),
        *_date_differences(cited, known),
        *_polarity_difference(cited, known),
        *_name_difference(cited, known),
    )
    return list(dict.fromkeys(found))


def _near(
    cited: StatedFacts, known: list[StatedFacts], share: float, *, back: float = 0.0
) -> list[StatedFacts]:
    """Return the sentences that have this share of the claim's words, the closest first.

    `back` is the share of their own words that the claim must have.
    """
    scored = [(each.coverage_of(cited.plain_words), each) for each in known]
    ordered = sorted(scored, key=lambda pair: -pair[0])
    near = [each for score, each in ordered if score >= share]
    return [each for each in near if cited.coverage_of(each.plain_words) >= back]


def _number_differences(cited: StatedFacts, known: list[StatedFacts]) -> Iterable[FactDifference]:
    mentioned = [each for near in _near(cited, known, _MENTIONED) for each in near.quantities]
    closest = _near(cited, known, _SAME_SUBJECT, back=_NOT_MUCH_MORE)[:1]
    for quantity in cited.quantities:
        if any(_same(quantity, other) for other in mentioned):
            continue
        for sentence in closest:
            other = _other_value(quantity, sentence, cited)
            if other:
                yield FactDifference("number", quantity.text, other.text, sentence.text)


def _same(left: Quantity, right: Quantity) -> bool:
    """Tell whether two numbers are equal; their units must agree only if both are known."""
    is_measured = left.unit and right.unit and left.unit != right.unit
    return left.equals(right) or right.equals(left) if not is_measured else False


def _other_value(quantity: Quantity, sentence: StatedFacts, cited: StatedFacts) -> Quantity | None:
    """Return the value of the same unit that the claim does not have."""
    others = [
        other
        for other in sentence.quantities
        if other.unit == quantity.unit and not any(_same(each, other) for each in cited.quantities)
    ]
    return others[0] if len(others) == 1 or (others and quantity.unit) else None


def _date_differences(cited: StatedFacts, known: list[StatedFacts]) -> Iterable[FactDifference]:
    mentioned = [each for near in _near(cited, known, _MENTIONED) for each in near.dates]
    closest = _near(cited, known, _SAME_STATEMENT, back=_LITTLE_MORE)[:1]
    for date in cited.dates:
        if date.is_among(mentioned):
            continue
        for sentence in closest:
            others = [other for other in sentence.dates if date.has_parts_of(other)]
            others = [other for other in others if other[:3] not in [d[:3] for d in cited.dates]]
            if len(others) == 1:
                yield FactDifference("date", date.text, others[0].text, sentence.text)


def _polarity_difference(cited: StatedFacts, known: list[StatedFacts]) -> Iterable[FactDifference]:
    """Yield the negation or the opposite word by which the closest sentences deny the claim."""
    closest = _near(cited, known, _SAME_STATEMENT, back=_LITTLE_MORE)
    denied = [(each, difference) for each in closest if (difference := _denial(cited, each))]
    if denied and len(denied) == len(closest):
        sentence, (mine, theirs) = denied[0]
        yield FactDifference("negation", mine, theirs, sentence.text)


def _denial(cited: StatedFacts, other: StatedFacts) -> tuple[str, str] | None:
    if opposite := _opposite(cited, other):
        return None if bool(cited.negation) != bool(other.negation) else opposite
    if bool(cited.negation) == bool(other.negation):
        return None
    negated, plain = (cited, other) if cited.negation else (other, cited)
    if not _is_inside(negated, plain):
        return None
    return cited.negation, other.negation


def _is_inside(negated: StatedFacts, plain: StatedFacts) -> bool:
    """Tell whether the negation stands among the words that both sentences have."""
    at = negated.text.find(negated.negation)
    known = {match[0].casefold() for match in _TOKEN.finditer(plain.text)}
    places = [m.start() for m in _TOKEN.finditer(negated.text) if m[0].casefold() in known]
    return bool(places) and places[0] <= at <= places[-1]


def _opposite(cited: StatedFacts, other: StatedFacts) -> tuple[str, str] | None:
    """Return words of opposite meaning, if the rest of the two sentences is the same."""
    mine, theirs = cited.vocabulary.stems, other.vocabulary.stems
    for left, right in (*_OPPOSITES, *((b, a) for a, b in _OPPOSITES)):
        is_mine = mine & left and not mine & right
        if is_mine and theirs & right and not theirs & left:
            return _word_of(cited.text, left), _word_of(other.text, right)
    return None


def _word_of(text: str, stems: frozenset[str]) -> str:
    tokens = (match[0] for match in _TOKEN.finditer(text))
    return next((token for token in tokens if stem_word(token.casefold()) in stems), "")


def _name_difference(cited: StatedFacts, known: list[StatedFacts]) -> Iterable[FactDifference]:
    """Yield a name of the claim in whose place the closest sentence has another."""
    missing = [
        term
        for term in cited.terms
        if term.kind == "name" and not any(each.vocabulary.match(term) for each in known)
    ]
    rest = [term for term in cited.plain_words if term not in missing]
    closest = max(known, key=lambda each: each.coverage_of(rest), default=None)
    if not missing or len(rest) < _MIN_REST or not closest or not _is_copy(cited, rest, closest):
        return
    stems = {term.stem for term in missing}
    for mine, theirs in _replaced(cited.text, closest.text):
        if _names_one_of(mine, stems) and _is_other_name(mine, theirs):
            yield FactDifference("name", " ".join(mine), " ".join(theirs), closest.text)


def _is_copy(cited: StatedFacts, rest: Sequence[Term], other: StatedFacts) -> bool:
    has_rest = other.coverage_of(rest) >= _SAME_STATEMENT
    return has_rest and cited.coverage_of(other.plain_words) >= _LITTLE_MORE


def _names_one_of(tokens: list[str], stems: set[str]) -> bool:
    return any(stem_word(token.casefold()) in stems for token in tokens)


def _is_other_name(mine: list[str], theirs: list[str]) -> bool:
    """Tell whether the source has another name; one with the same initial may be a short form."""
    return any(token[0].isupper() for token in theirs) and mine[0][0] != theirs[0][0]


def _replaced(left: str, right: str) -> Iterable[tuple[list[str], list[str]]]:
    """Yield the words of one sentence in whose place the other has others."""
    mine, theirs = ([match[0] for match in _TOKEN.finditer(text)] for text in (left, right))
    folded = ([stem_word(token.casefold()) for token in tokens] for tokens in (mine, theirs))
    matcher = difflib.SequenceMatcher(None, *folded, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "replace" and b - a <= 4 and d - c <= 4:
            yield mine[a:b], theirs[c:d]
