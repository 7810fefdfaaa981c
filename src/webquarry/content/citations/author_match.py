"""Compares the author names of a reference with the authors of a work."""

from collections.abc import Iterable, Sequence

from webquarry.content.text.spelling import SpellingToken, normalized_words, same_name
from webquarry.content.text.word_list import word_set

PARTICLES = word_set(
    "van von der den de del della di da do dos du la le les el al bin ibn ter ten zu und"
)
_NOT_NAMES = word_set(
    "and et al others other jr sr iii phd md prof professor eds ed editor editors edited by in "
    "see the with von und y e available retrieved author authors review article paper ref"
)
_MIN_PREFIX = 3  # shared letters that make a short form of a given name: Kate, Katherine


def same_authors(tokens: Sequence[SpellingToken], authors: Sequence[str]) -> bool:
    """Tell whether the words before a title name the authors and nobody else."""
    people = [_Person(name) for name in authors]
    words = [token.word for token in tokens]
    named = [person for person in people if person.is_named_in(words)]
    if not named or (people[0] not in named and len(named) < 2):
        return False
    return all(
        any(person.may_include(token.word) for person in people)
        for token in tokens
        if _looks_like_name(token)
    )


def family_names(authors: Iterable[str]) -> list[str]:
    """Return the normalised family names."""
    return [family for name in authors for family in _Person(name).families]


class _Person:
    """An author's name: all its words, and those of the family name."""

    def __init__(self, name: str) -> None:
        family, comma, _ = name.partition(",")
        self.words = normalized_words(name)
        candidates = normalized_words(family) if comma else self.words[1:]
        long_words = [word for word in candidates if word not in PARTICLES and len(word) > 1]
        self.families = long_words or self.words[-1:]

    def is_named_in(self, words: Sequence[str]) -> bool:
        """Tell whether one of the words is the family name."""
        return any(same_name(word, family) for family in self.families for word in words)

    def may_include(self, word: str) -> bool:
        """Tell whether a word can be part of this name: K. and Kate of Katherine."""
        if word in "".join(self.words):
            return True
        return any(same_name(word, part) or self._shortens(word, part) for part in self.words)

    def _shortens(self, word: str, part: str) -> bool:
        if len(part) == 1:
            return word.startswith(part)
        if min(len(word), len(part)) < _MIN_PREFIX or part in self.families:
            return False
        return word[:_MIN_PREFIX] == part[:_MIN_PREFIX]


def _looks_like_name(token: SpellingToken) -> bool:
    word, raw = token.word, token.raw
    if len(word) < 3 or word in _NOT_NAMES or word in PARTICLES or word[0].isdecimal():
        return False
    is_lower_case = raw[0].lower() == raw[0] and raw[0].upper() != raw[0]
    # Vancouver style writes initials without stops: JRR
    are_initials = len(raw) <= 3 and raw.isupper() and raw.isascii()
    return not is_lower_case and not are_initials
