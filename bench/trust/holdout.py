"""References written after the matcher was tuned, with changes it was not tuned on."""

from collections.abc import Callable
from itertools import cycle, islice
from random import Random

from bench.trust.references import Change, Reference, changed_references
from bench.trust.styles import author_list, elided_last_page
from bench.trust.works import GIVEN, SUBTITLES, VENUES, Entry, Person, entries, people

_BRITISH = {"modelling": "modeling", "labour": "labor", "rumour": "rumor",
            "randomised": "randomized"}  # fmt: skip


def no_accents(work: Entry, _: Random) -> tuple[Entry, str]:
    letters = str.maketrans("üöäéèáíóúñøØłŁčćšžřýãâşıİÖÜÅå", "uoaeeaiounoOlLccszryaasiIOUAa")
    return work._replace(authors=tuple(Person(*(part.translate(letters) for part in each))
                                       for each in work.authors)), ""  # fmt: skip


def american_spelling(work: Entry, _: Random) -> tuple[Entry, str]:
    title = work.title
    for british, other in _BRITISH.items():
        title = title.replace(british, other)
    return work._replace(title=title), ""


def title_in_capitals(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.upper()), ""


def letter_missing(work: Entry, random: Random) -> tuple[Entry, str]:
    words = work.title.split()
    index = random.choice(
        [index for index, word in enumerate(words) if len(word) > 6 and word.isalpha()]
    )
    position = random.randint(2, len(words[index]) - 2)
    words[index] = words[index][:position] + words[index][position + 1 :]
    return work._replace(title=" ".join(words)), ""


def with_access_date(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, " Accessed 3 May 2025."


def uppercase_doi(work: Entry, _: Random) -> tuple[Entry, str]:
    return work, f" DOI: {work.doi.upper()}." if work.doi else ""


def first_author_only(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(authors=work.authors[:1]), ""


def subtitle_after_dash(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(title=work.title.replace(": ", " \u2013 ")), ""


def one_author_replaced(work: Entry, random: Random) -> tuple[Entry, str]:
    real = {each.family for each in work.authors}
    invented = next(each for each in iter(lambda: people(random, 1)[0], None)
                    if each.family not in real)  # fmt: skip
    first, *others = work.authors
    # a style that writes "et al." would hide the last author
    return work._replace(authors=(invented, *others) if len(others) > 1 else (first, invented)), ""


def author_added(work: Entry, random: Random) -> tuple[Entry, str]:
    invented = Person(random.choice(GIVEN), random.choice(("Vandermeer", "Oyelaran", "Sokolowa")))
    return work._replace(authors=(invented, *work.authors)), ""


def word_added(work: Entry, random: Random) -> tuple[Entry, str]:
    words = work.title.split()
    words.insert(random.randint(3, len(words) - 1), random.choice(("seasonal", "early", "severe")))
    return work._replace(title=" ".join(words)), ""


def word_dropped(work: Entry, _: Random) -> tuple[Entry, str]:
    words = [word for word in work.title.partition(":")[0].split() if len(word) > 5]
    return work._replace(title=" ".join(work.title.replace(words[-1], "", 1).split())), ""


def different_subtitle(work: Entry, random: Random) -> tuple[Entry, str]:
    main, _, old = work.title.partition(": ")
    new = random.choice([each for each in SUBTITLES if each != old])
    old_or_second = f"{main}: {new}" if old else f"{main} revisited"
    return work._replace(title=old_or_second), ""


def similar_journal(work: Entry, random: Random) -> tuple[Entry, str]:
    name, short = work.venue
    venue = random.choice((
        VENUES[0]._replace(name=f"{name} and Policy", short=f"{short} Policy"),
        VENUES[0]._replace(name=f"Asian {name}", short=f"Asian {short}"),
    ))  # fmt: skip
    return work._replace(venue=venue), ""


def pages_shifted(work: Entry, _: Random) -> tuple[Entry, str]:
    return work._replace(first=work.last, last=work.last + work.last - work.first + 1), ""


def wrong_year(work: Entry, random: Random) -> tuple[Entry, str]:
    return work._replace(year=work.year + random.choice((-20, -10, 10, 2, -2))), ""


def wrong_doi_digit(work: Entry, random: Random) -> tuple[Entry, str]:
    doi = work.doi or "10.5100/wq.0001.1"
    known = {each.doi for each in entries()}
    digit = random.choice([d for d in "123456789" if doi[:-1] + d not in known])
    return work, f" https://doi.org/{doi[:-1]}{digit}"


CORRECT_CHANGES: tuple[Change, ...] = (
    no_accents, american_spelling, title_in_capitals, letter_missing, with_access_date,
    uppercase_doi, first_author_only, subtitle_after_dash,
)  # fmt: skip
WRONG_CHANGES: tuple[Change, ...] = (
    one_author_replaced, author_added, word_added, word_dropped, different_subtitle,
    similar_journal, pages_shifted, wrong_year, wrong_doi_digit,
)  # fmt: skip


def references(count: int = 160, seed: int = 77) -> list[Reference]:
    """Return `count` correct references, some in informal styles, and `count` wrong ones."""
    informal = count // 8
    return [
        *changed_references(CORRECT_CHANGES, count - informal, seed, correct=True),
        *_informal_references(informal, seed),
        *changed_references(WRONG_CHANGES, count, seed + 1, correct=False),
    ]


def _informal_references(count: int, seed: int) -> list[Reference]:
    """Return correct references in forms that no style guide describes."""
    random = Random(seed)
    works = random.sample(entries()[:500], count)
    forms: tuple[Callable[[Entry], str], ...] = (_numbered, _title_first, _german, _in_sentence)
    return [Reference(form.__name__, form(work), correct=True)
            for form, work in islice(zip(cycle(forms), works, strict=False), count)]  # fmt: skip


def _numbered(work: Entry) -> str:
    return (f"[12] {author_list(work.authors)}. {work.title}. In: {work.venue.name}, "
            f"{work.volume} ({work.year}), {work.first}-{elided_last_page(work)}.")  # fmt: skip


def _title_first(work: Entry) -> str:
    return f"{work.title}. {author_list(work.authors)}. {work.venue.name} {work.year}."


def _german(work: Entry) -> str:
    authors = "; ".join(f"{family}, {given}" for given, family in work.authors)
    return (f"{authors} ({work.year}): {work.title}. In: {work.venue.name} {work.volume} "
            f"({work.issue}), S. {work.first}\u2013{work.last}.")  # fmt: skip


def _in_sentence(work: Entry) -> str:
    family = work.authors[0].family
    return f'See the study by {family} et al., "{work.title}", {work.venue.name} ({work.year})'
