"""References to the works, right and wrong. The matcher was tuned on these."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from bench.trust.styles import STYLES
from bench.trust.works import OF, VENUES, WHAT, WHERE, Entry, Person, entries, people, titled


class Reference(NamedTuple):
    """A reference as somebody wrote it, and whether it is right."""

    kind: str
    text: str
    right: bool


Change = Callable[[Entry, Random], tuple[Entry, str]]  # the changed work, and what stands behind it

_PLAIN = {"ü": "u", "Ø": "O", "ø": "o", "Ł": "L", "ö": "o", "é": "e", "è": "e", "á": "a", "í": "i",
          "ñ": "n", "ß": "ss", "Ö": "O", "\u0131": "i", "ř": "r", "č": "c", "ć": "c", "ó": "o",
          "ã": "a", "ş": "s", "š": "s"}  # fmt: skip
_GERMAN = {"ü": "ue", "ö": "oe", "Ö": "Oe", "Ø": "Oe", "ø": "oe", "ß": "ss"}
_OTHERWISE = {"Ivanova": "Iwanowa", "Petrov": "Petrow", "Shcherbakov": "Scherbakov",
              "Tkachenko": "Tkatchenko", "Dostoevsky": "Dostojewski", "Chekhov": "Tchekhov",
              "Nguyen": "Nguyễn", "Papadopoulos": "Παπαδόπουλος"}  # fmt: skip


def as_it_is(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, ""


def with_doi(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, f" https://doi.org/{work.doi}" if work.doi else ""


def typo(work: Entry, random: Random) -> tuple[Entry, str]:
    words = work.title.split()
    long = [at for at, word in enumerate(words) if len(word) > 6 and word.isalpha()]
    at = random.choice(long)
    place = random.randint(2, len(words[at]) - 3)
    word = words[at]
    words[at] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return work._replace(title=" ".join(words)), ""


def transliterated(work: Entry, random: Random) -> tuple[Entry, str]:
    letters = random.choice((_PLAIN, _GERMAN))
    return work._replace(authors=tuple(Person(*(_respelt(p, letters) for p in each))
                                       for each in work.authors)), ""  # fmt: skip


def without_subtitle(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.partition(":")[0]), ""


def abbreviated(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(
        venue=VENUES[0]._replace(name=work.venue.short, short=work.venue.short)
    ), ""


def next_year(work: Entry, random: Random) -> tuple[Entry, str]:
    return work._replace(year=work.year + random.choice((-1, 1))), ""


def small_letters(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.lower()), ""


def invented_doi(work: Entry, random: Random) -> tuple[Entry, str]:
    return (
        work,
        f" https://doi.org/10.{random.randint(5100, 5136)}/wq.{random.randint(9000, 9999)}.7",
    )


def doi_of_another(work: Entry, random: Random) -> tuple[Entry, str]:
    registered = [each for each in entries() if each.doi and not _alike(each, work)]
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


def near_title(work: Entry, random: Random) -> tuple[Entry, str]:
    titles = {each.title for each in entries()}
    while True:
        old, new = random.choice([(a, b) for group in (WHAT, OF, WHERE) for a in group
                                  if a in work.title for b in group if b != a])  # fmt: skip
        title = work.title.replace(old, new, 1)
        if title not in titles and not any(title == t.partition(":")[0] for t in titles):
            return work._replace(title=title), ""


def invented(work: Entry, random: Random) -> tuple[Entry, str]:
    titles = {each.title.partition(":")[0] for each in entries()}
    title = titled(random)
    while title.partition(":")[0] in titles:
        title = titled(random)
    return work._replace(title=title, authors=people(random)), ""


RIGHT: tuple[Change, ...] = (as_it_is, with_doi, typo, transliterated, without_subtitle,
                             abbreviated, next_year, small_letters)  # fmt: skip
WRONG: tuple[Change, ...] = (invented_doi, doi_of_another, other_authors, other_year, other_venue,
                             other_pages, near_title, invented)  # fmt: skip


def references(count: int = 160, seed: int = 21) -> list[Reference]:
    """Return so many right references and so many wrong ones, in all forms."""
    return [*changed(RIGHT, count, seed, right=True), *changed(WRONG, count, seed + 1, right=False)]


def changed(
    changes: Sequence[Change], count: int, seed: int, *, right: bool
) -> Iterator[Reference]:
    """Yield references, each changed in one way."""
    random = Random(seed)
    works = [each for each in entries() if _only(each)]
    pairs = zip(cycle(changes), cycle(STYLES[1:] + STYLES[:1] + STYLES), strict=False)
    for change, style in islice(pairs, count):
        work, behind = change(random.choice(works), random)
        yield Reference(change.__name__, style(work) + behind, right)


def _only(work: Entry) -> bool:
    """Leave out titles that are the beginning of another: without a subtitle they are both."""
    main = work.title.partition(":")[0]
    return sum(each.title.partition(":")[0] == main for each in entries()) == 1


def _alike(one: Entry, other: Entry) -> bool:
    return len({*one.title.lower().split()} & {*other.title.lower().split()}) > 3


def _respelt(name: str, letters: dict[str, str]) -> str:
    name = _OTHERWISE.get(name, name)
    return "".join(letters.get(letter, letter) for letter in name)
