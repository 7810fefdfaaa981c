"""The six forms that references are usually written in."""

from collections.abc import Callable, Sequence

from bench.trust.works import Entry, Person


def apa(work: Entry) -> str:
    names = [f"{family}, {_dotted(given)}" for given, family in work.authors]
    who = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, & {names[-1]}"
    where = f"{work.venue.name}, {work.volume}({work.issue}), {work.first}\u2013{work.last}"
    return f"{who} ({work.year}). {work.title}. {where}."


def mla(work: Entry) -> str:
    given, family = work.authors[0]
    who = f"{family}, {given}"
    if len(work.authors) == 2:
        who += f", and {work.authors[1].given} {work.authors[1].family}"
    elif len(work.authors) > 2:
        who += ", et al"
    where = f"{work.venue.name}, vol. {work.volume}, no. {work.issue}, {work.year}"
    return f"{who}. “{_capitals(work.title)}.” {where}, pp. {work.first}-{work.last}."


def chicago(work: Entry) -> str:
    first, *others = work.authors
    named = [f"{first.family}, {first.given}", *(f"{p.given} {p.family}" for p in others)]
    who = named[0] if not others else f"{', '.join(named[:-1])}, and {named[-1]}"
    where = f"{work.venue.name} {work.volume}, no. {work.issue} ({work.year})"
    return f"{who}. “{_capitals(work.title)}.” {where}: {work.first}\u2013{work.last}."


def ieee(work: Entry) -> str:
    names = [f"{_dotted(given)} {family}" for given, family in work.authors]
    who = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])}, and {names[-1]}"
    where = f"{work.venue.short}, vol. {work.volume}, no. {work.issue}"
    return f"{who}, “{work.title},” {where}, pp. {work.first}\u2013{work.last}, Mar. {work.year}."


def vancouver(work: Entry) -> str:
    names = [f"{family} {_dotted(given).replace('.', '')}" for given, family in work.authors]
    where = work.venue.short.replace(".", "")
    pages = f"{work.first}-{elided(work)}"
    return (
        f"{_several(names, 6)}. {work.title}. {where}. {work.year};{work.volume}({work.issue})"
        f":{pages}."
    )


def harvard(work: Entry) -> str:
    names = [f"{family}, {_dotted(given)}" for given, family in work.authors]
    who = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    where = f"{work.venue.name}, {work.volume}({work.issue}), pp. {work.first}\u2013{work.last}"
    return f"{who} ({work.year}) '{work.title}', {where}."


STYLES: tuple[Callable[[Entry], str], ...] = (apa, mla, chicago, ieee, vancouver, harvard)


def elided(work: Entry) -> str:
    """Return the last page as Vancouver writes it: 123-9."""
    first, last = str(work.first), str(work.last)
    if len(first) != len(last):
        return last
    same = next(at for at, pair in enumerate(zip(first, last, strict=True)) if len({*pair}) > 1)
    return last[same:]


def named(people: Sequence[Person]) -> str:
    """Return the people as a plain list."""
    return ", ".join(f"{given} {family}" for given, family in people)


def _dotted(given: str) -> str:
    return f"{given[0]}."


def _several(names: Sequence[str], most: int) -> str:
    return ", ".join(names[:most]) + (", et al" if len(names) > most else "")


def _capitals(title: str) -> str:
    small = {"of", "the", "in", "on", "and", "a", "with", "for", "from", "to", "after", "by"}
    words = title.split()
    return " ".join(
        word if at and word in small else word[0].upper() + word[1:]
        for at, word in enumerate(words)
    )
