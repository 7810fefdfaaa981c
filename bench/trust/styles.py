"""Six common citation styles."""

from collections.abc import Callable, Sequence

from bench.trust.works import Entry, Person


def apa(work: Entry) -> str:
    names = [f"{family}, {_initial(given)}" for given, family in work.authors]
    authors = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, & {names[-1]}"
    source = f"{work.venue.name}, {work.volume}({work.issue}), {work.first}\u2013{work.last}"
    return f"{authors} ({work.year}). {work.title}. {source}."


def mla(work: Entry) -> str:
    given, family = work.authors[0]
    authors = f"{family}, {given}"
    if len(work.authors) == 2:
        authors += f", and {work.authors[1].given} {work.authors[1].family}"
    elif len(work.authors) > 2:
        authors += ", et al"
    source = f"{work.venue.name}, vol. {work.volume}, no. {work.issue}, {work.year}"
    return f"{authors}. “{_title_case(work.title)}.” {source}, pp. {work.first}-{work.last}."


def chicago(work: Entry) -> str:
    first, *others = work.authors
    names = [f"{first.family}, {first.given}", *(f"{p.given} {p.family}" for p in others)]
    authors = names[0] if not others else f"{', '.join(names[:-1])}, and {names[-1]}"
    source = f"{work.venue.name} {work.volume}, no. {work.issue} ({work.year})"
    return f"{authors}. “{_title_case(work.title)}.” {source}: {work.first}\u2013{work.last}."


def ieee(work: Entry) -> str:
    names = [f"{_initial(given)} {family}" for given, family in work.authors]
    authors = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])}, and {names[-1]}"
    source = f"{work.venue.short}, vol. {work.volume}, no. {work.issue}"
    return (
        f"{authors}, “{work.title},” {source}, pp. {work.first}\u2013{work.last}, Mar. {work.year}."
    )


def vancouver(work: Entry) -> str:
    names = [f"{family} {_initial(given).replace('.', '')}" for given, family in work.authors]
    source = work.venue.short.replace(".", "")
    pages = f"{work.first}-{elided_last_page(work)}"
    return (
        f"{_et_al(names, 6)}. {work.title}. {source}. {work.year};{work.volume}({work.issue})"
        f":{pages}."
    )


def harvard(work: Entry) -> str:
    names = [f"{family}, {_initial(given)}" for given, family in work.authors]
    authors = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    source = f"{work.venue.name}, {work.volume}({work.issue}), pp. {work.first}\u2013{work.last}"
    return f"{authors} ({work.year}) '{work.title}', {source}."


STYLES: tuple[Callable[[Entry], str], ...] = (apa, mla, chicago, ieee, vancouver, harvard)


def elided_last_page(work: Entry) -> str:
    """Return the last page without the digits it shares with the first: 123-9."""
    first, last = str(work.first), str(work.last)
    if len(first) != len(last):
        return last
    first_difference = next(
        index for index, pair in enumerate(zip(first, last, strict=True)) if len({*pair}) > 1
    )
    return last[first_difference:]


def author_list(people: Sequence[Person]) -> str:
    """Return the names as a comma-separated list."""
    return ", ".join(f"{given} {family}" for given, family in people)


def _initial(given: str) -> str:
    return f"{given[0]}."


def _et_al(names: Sequence[str], max_names: int) -> str:
    return ", ".join(names[:max_names]) + (", et al" if len(names) > max_names else "")


def _title_case(title: str) -> str:
    small = {"of", "the", "in", "on", "and", "a", "with", "for", "from", "to", "after", "by"}
    words = title.split()
    return " ".join(
        word if index and word in small else word[0].upper() + word[1:]
        for index, word in enumerate(words)
    )
