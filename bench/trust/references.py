"""Correct and wrong references to the works. The matcher was tuned on these."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from bench.trust.styles import STYLES
from bench.trust.works import (
    ASPECTS,
    CONTEXTS,
    TOPICS,
    VENUES,
    Entry,
    Person,
    entries,
    people,
    random_title,
)


class Reference(NamedTuple):
    """The text of a reference, and whether it is correct."""

    kind: str
    text: str
    correct: bool


Change = Callable[[Entry, Random], tuple[Entry, str]]  # the changed work, and text to append

_WITHOUT_ACCENTS = {
    "ü": "u", "Ø": "O", "ø": "o", "Ł": "L", "ö": "o", "é": "e", "è": "e", "á": "a", "í": "i",
    "ñ": "n", "ß": "ss", "Ö": "O", "\u0131": "i", "ř": "r", "č": "c", "ć": "c", "ó": "o",
    "ã": "a", "ş": "s", "š": "s",
}  # fmt: skip
_GERMAN = {"ü": "ue", "ö": "oe", "Ö": "Oe", "Ø": "Oe", "ø": "oe", "ß": "ss"}
_TRANSLITERATIONS = {"Ivanova": "Iwanowa", "Petrov": "Petrow", "Shcherbakov": "Scherbakov",
              "Tkachenko": "Tkatchenko", "Dostoevsky": "Dostojewski", "Chekhov": "Tchekhov",
              "Nguyen": "Nguyễn", "Papadopoulos": "Παπαδόπουλος"}  # fmt: skip


def unchanged(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, ""


def with_doi(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, f" https://doi.org/{work.doi}" if work.doi else ""


def swapped_letters(work: Entry, random: Random) -> tuple[Entry, str]:
    words = work.title.split()
    long = [index for index, word in enumerate(words) if len(word) > 6 and word.isalpha()]
    index = random.choice(long)
    position = random.randint(2, len(words[index]) - 3)
    word = words[index]
    words[index] = word[:position] + word[position + 1] + word[position] + word[position + 2 :]
    return work._replace(title=" ".join(words)), ""


def transliterated(work: Entry, random: Random) -> tuple[Entry, str]:
    letters = random.choice((_WITHOUT_ACCENTS, _GERMAN))
    return work._replace(authors=tuple(Person(*(_respell(p, letters) for p in each))
                                       for each in work.authors)), ""  # fmt: skip


def without_subtitle(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.partition(":")[0]), ""


def abbreviated_venue(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(
        venue=VENUES[0]._replace(name=work.venue.short, short=work.venue.short)
    ), ""


def adjacent_year(work: Entry, random: Random) -> tuple[Entry, str]:
    return work._replace(year=work.year + random.choice((-1, 1))), ""


def title_in_lower_case(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.lower()), ""


def invented_doi(work: Entry, random: Random) -> tuple[Entry, str]:
    return (
        work,
        f" https://doi.org/10.{random.randint(5100, 5136)}/wq.{random.randint(9000, 9999)}.7",
    )


def doi_of_another_work(work: Entry, random: Random) -> tuple[Entry, str]:
    registered = [each for each in entries() if each.doi and not _similar_titles(each, work)]
    return work, f" doi:{random.choice(registered).doi}"


def other_authors(work: Entry, random: Random) -> tuple[Entry, str]:
    real = {each.family for each in work.authors}
    invented = people(random)
    while real & {each.family for each in invented}:
        invented = people(random)
    return work._replace(authors=invented), ""


def other_year(work: Entry, random: Random) -> tuple[Entry, str]:
    return work._replace(year=work.year + random.choice((-11, -6, -3, 3, 5))), ""


def other_venue(work: Entry, random: Random) -> tuple[Entry, str]:
    venue = random.choice([each for each in VENUES if each != work.venue])
    return work._replace(venue=venue), ""


def other_pages(work: Entry, random: Random) -> tuple[Entry, str]:
    first = work.first + random.choice((-7, 11, 90, 1000))
    first = first if first > 0 else work.first + 13
    return work._replace(first=first, last=first + work.last - work.first), ""


def similar_title(work: Entry, random: Random) -> tuple[Entry, str]:
    titles = {each.title for each in entries()}
    while True:
        old, new = random.choice([(a, b) for group in (ASPECTS, TOPICS, CONTEXTS) for a in group
                                  if a in work.title for b in group if b != a])  # fmt: skip
        title = work.title.replace(old, new, 1)
        if title not in titles and not any(title == t.partition(":")[0] for t in titles):
            return work._replace(title=title), ""


def invented(work: Entry, random: Random) -> tuple[Entry, str]:
    titles = {each.title.partition(":")[0] for each in entries()}
    title = random_title(random)
    while title.partition(":")[0] in titles:
        title = random_title(random)
    return work._replace(title=title, authors=people(random)), ""


CORRECT_CHANGES: tuple[Change, ...] = (
    unchanged, with_doi, swapped_letters, transliterated, without_subtitle, abbreviated_venue,
    adjacent_year, title_in_lower_case,
)  # fmt: skip
WRONG_CHANGES: tuple[Change, ...] = (
    invented_doi, doi_of_another_work, other_authors, other_year, other_venue, other_pages,
    similar_title, invented,
)  # fmt: skip


def references(count: int = 160, seed: int = 21) -> list[Reference]:
    """Return `count` correct and `count` wrong references, in all styles."""
    return [
        *changed_references(CORRECT_CHANGES, count, seed, correct=True),
        *changed_references(WRONG_CHANGES, count, seed + 1, correct=False),
    ]


def changed_references(
    changes: Sequence[Change], count: int, seed: int, *, correct: bool
) -> Iterator[Reference]:
    """Yield `count` references, each with one change."""
    random = Random(seed)
    works = [each for each in entries() if _has_unique_title(each)]
    pairs = zip(cycle(changes), cycle(STYLES[1:] + STYLES[:1] + STYLES), strict=False)
    for change, style in islice(pairs, count):
        work, suffix = change(random.choice(works), random)
        yield Reference(change.__name__, style(work) + suffix, correct)


def _has_unique_title(work: Entry) -> bool:
    """Whether no other work has the same title without its subtitle."""
    main = work.title.partition(":")[0]
    return sum(each.title.partition(":")[0] == main for each in entries()) == 1


def _similar_titles(one: Entry, other: Entry) -> bool:
    return len({*one.title.lower().split()} & {*other.title.lower().split()}) > 3


def _respell(name: str, letters: dict[str, str]) -> str:
    name = _TRANSLITERATIONS.get(name, name)
    return "".join(letters.get(letter, letter) for letter in name)
