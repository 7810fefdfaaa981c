"""References that were written after the matcher was tuned, in other ways than those before."""

from collections.abc import Callable
from itertools import cycle, islice
from random import Random

from bench.trust.references import Change, Reference, changed
from bench.trust.styles import elided, named
from bench.trust.works import GIVEN, SUBTITLES, VENUES, Entry, Person, entries, people

_BRITISH = {"modelling": "modeling", "labour": "labor", "rumour": "rumor",
            "randomised": "randomized"}  # fmt: skip


def no_accents(work: Entry, _: Random) -> tuple[Entry, str]:
    letters = str.maketrans("üöäéèáíóúñøØłŁčćšžřýãâşıİÖÜÅå", "uoaeeaiounoOlLccszryaasiIOUAa")
    return work._replace(authors=tuple(Person(*(part.translate(letters) for part in each))
                                       for each in work.authors)), ""  # fmt: skip


def american(work: Entry, _: Random) -> tuple[Entry, str]:
    title = work.title
    for british, other in _BRITISH.items():
        title = title.replace(british, other)
    return work._replace(title=title), ""


def shouted(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.upper()), ""


def letter_lost(work: Entry, random: Random) -> tuple[Entry, str]:
    words = work.title.split()
    at = random.choice([at for at, word in enumerate(words) if len(word) > 6 and word.isalpha()])
    place = random.randint(2, len(words[at]) - 2)
    words[at] = words[at][:place] + words[at][place + 1 :]
    return work._replace(title=" ".join(words)), ""


def accessed(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, " Accessed 3 May 2025."


def bare_doi(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, f" DOI: {work.doi.upper()}." if work.doi else ""


def only_first_named(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(authors=work.authors[:1]), ""


def dashed(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.replace(": ", " \u2013 ")), ""


def one_invented_author(work: Entry, random: Random) -> tuple[Entry, str]:
    real = {each.family for each in work.authors}
    stranger = next(each for each in iter(lambda: people(random, 1)[0], None)
                    if each.family not in real)  # fmt: skip
    first, *others = work.authors
    # behind "et al." nobody would see the last one
    return work._replace(authors=(stranger, *others) if len(others) > 1 else (first, stranger)), ""


def added_author(work: Entry, random: Random) -> tuple[Entry, str]:
    stranger = Person(random.choice(GIVEN), random.choice(("Vandermeer", "Oyelaran", "Sokolowa")))
    return work._replace(authors=(stranger, *work.authors)), ""


def word_added(work: Entry, random: Random) -> tuple[Entry, str]:
    words = work.title.split()
    words.insert(random.randint(3, len(words) - 1), random.choice(("seasonal", "early", "severe")))
    return work._replace(title=" ".join(words)), ""


def word_dropped(work: Entry, _: Random) -> tuple[Entry, str]:
    words = [word for word in work.title.partition(":")[0].split() if len(word) > 5]
    return work._replace(title=" ".join(work.title.replace(words[-1], "", 1).split())), ""


def other_subtitle(work: Entry, random: Random) -> tuple[Entry, str]:
    main, _, old = work.title.partition(": ")
    new = random.choice([each for each in SUBTITLES if each != old])
    old_or_second = f"{main}: {new}" if old else f"{main} revisited"
    return work._replace(title=old_or_second), ""


def sister_journal(work: Entry, random: Random) -> tuple[Entry, str]:
    name, short = work.venue
    venue = random.choice((
        VENUES[0]._replace(name=f"{name} and Policy", short=f"{short} Policy"),
        VENUES[0]._replace(name=f"Asian {name}", short=f"Asian {short}"),
    ))  # fmt: skip
    return work._replace(venue=venue), ""


def pages_turned(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(first=work.last, last=work.last + work.last - work.first + 1), ""


def decade_off(work: Entry, random: Random) -> tuple[Entry, str]:
    return work._replace(year=work.year + random.choice((-20, -10, 10, 2, -2))), ""


def doi_misread(work: Entry, random: Random) -> tuple[Entry, str]:
    doi = work.doi or "10.5100/wq.0001.1"
    known = {each.doi for each in entries()}
    digit = random.choice([d for d in "123456789" if doi[:-1] + d not in known])
    return work, f" https://doi.org/{doi[:-1]}{digit}"


RIGHT: tuple[Change, ...] = (no_accents, american, shouted, letter_lost, accessed, bare_doi,
                             only_first_named, dashed)  # fmt: skip
WRONG: tuple[Change, ...] = (one_invented_author, added_author, word_added, word_dropped,
                             other_subtitle, sister_journal, pages_turned, decade_off,
                             doi_misread)  # fmt: skip


def references(count: int = 160, seed: int = 77) -> list[Reference]:
    """Return so many right references and so many wrong ones, and some in loose forms."""
    loose = count // 8
    return [
        *changed(RIGHT, count - loose, seed, right=True),
        *_loosely(loose, seed),
        *changed(WRONG, count, seed + 1, right=False),
    ]


def _loosely(count: int, seed: int) -> list[Reference]:
    """Return right references in forms that no style guide knows."""
    random = Random(seed)
    works = random.sample(entries()[:500], count)
    forms: tuple[Callable[[Entry], str], ...] = (_numbered, _title_first, _german, _running)
    return [Reference(form.__name__, form(work), right=True)
            for form, work in islice(zip(cycle(forms), works, strict=False), count)]  # fmt: skip


def _numbered(work: Entry) -> str:
    return (f"[12] {named(work.authors)}. {work.title}. In: {work.venue.name}, "
            f"{work.volume} ({work.year}), {work.first}-{elided(work)}.")  # fmt: skip


def _title_first(work: Entry) -> str:
    return f"{work.title}. {named(work.authors)}. {work.venue.name} {work.year}."


def _german(work: Entry) -> str:
    who = "; ".join(f"{family}, {given}" for given, family in work.authors)
    return (f"{who} ({work.year}): {work.title}. In: {work.venue.name} {work.volume} "
            f"({work.issue}), S. {work.first}\u2013{work.last}.")  # fmt: skip


def _running(work: Entry) -> str:
    family = work.authors[0].family
    return f'See the study by {family} et al., "{work.title}", {work.venue.name} ({work.year})'
