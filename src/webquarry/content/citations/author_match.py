"""Whether the people named in a reference are the authors of a work."""

from collections.abc import Iterable, Sequence

from webquarry.content.text.spelling import SpellingToken, same_name, tokens_of
from webquarry.content.text.word_list import words

PARTICLES = frozenset(
    words("van von der den de del della di da do dos du la le les el al bin ibn ter ten zu und")
)
_NOT_NAMES = frozenset(
    words(
        "and et al others other jr sr iii phd md prof professor eds ed editor editors edited by in "
        "see the with von und y e available retrieved author authors review article paper ref"
    )
)
_ENOUGH = 3  # shared letters that make a short form of a given name


def same_authors(named: Sequence[SpellingToken], known: Sequence[str]) -> bool:
    """Tell whether the words in front of a title name the authors, and nobody else."""
    people = [_Person(name) for name in known]
    said = [token.word for token in named]
    present = [person for person in people if person.is_in(said)]
    if not present or (people[0] not in present and len(present) < 2):
        return False
    return not any(_is_stranger(token, people) for token in named)


def same_list(given: Sequence[str], known: Sequence[str]) -> bool:
    """Tell whether names given one by one are the authors, the first of them first."""
    people = [_Person(name) for name in known]
    named = [[token.word for token in tokens_of(name)] for name in given]
    real = [said for said in named if said not in (["others"], ["et", "al"], ["al"])]
    if not real:
        return True
    return people[0].is_in(real[0]) and all(
        any(person.is_in(said) for person in people) for said in real
    )


def families(known: Iterable[str]) -> list[str]:
    """Return the family names, plainly spelt."""
    return [family for name in known for family in _Person(name).families]


class _Person:
    """A name of the record: its words, and those that others call the person by."""

    def __init__(self, name: str) -> None:
        family, comma, _ = name.partition(",")
        self.words = [token.word for token in tokens_of(name)]
        own = [token.word for token in tokens_of(family)] if comma else self.words[1:]
        solid = [word for word in own if word not in PARTICLES and len(word) > 1]
        self.families = solid or self.words[-1:]

    def is_in(self, said: Sequence[str]) -> bool:
        return any(same_name(word, family) for family in self.families for word in said)

    def may_be(self, word: str) -> bool:
        """Tell whether a word can be part of this name: Katherine is K. and Kate."""
        return any(
            same_name(word, part)
            or (len(part) == 1 and word.startswith(part))
            or (min(len(word), len(part)) >= _ENOUGH and word[:_ENOUGH] == part[:_ENOUGH]
                and part not in self.families)
            for part in self.words
        ) or "".join(self.words).find(word) >= 0  # fmt: skip


def _is_stranger(token: SpellingToken, people: Sequence[_Person]) -> bool:
    """Tell whether a word is a name that no author bears. Initials are no names."""
    word, raw = token.word, token.raw
    if len(word) < 3 or word in _NOT_NAMES or word in PARTICLES or word[0].isdecimal():
        return False
    if raw[0].lower() == raw[0] and raw[0].upper() != raw[0]:  # running text
        return False
    if len(raw) <= 3 and raw.isupper() and raw.isascii():  # initials of Vancouver: JRR
        return False
    return not any(person.may_be(word) for person in people)
