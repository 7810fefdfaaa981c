"""References of all kinds for the CSL benchmark, generated with a fixed seed."""

from itertools import cycle
from random import Random

from webquarry.content.citations.export import Reference

_PEOPLE = (
    "Ann B. Stone", "Ludwig van Slate", "Maria de la Cruz", "Jean-Pierre Dubois", "J. K. Rowling",
    "J.R.R. Tolkien", "Peter A Hall", "Oliveira, Rafael C. de", "Martin Luther King, Jr.",
    "Øystein Ås", "Иван Петров", "山田, 太郎", "Zhang Wei", "Anne O'Neill", "Plato",
    "Ursula K. Le Guin", "Søren Kierkegaard", "García Márquez, Gabriel", "Chinua Achebe",
    "Tim Berners-Lee", "Mary-Ann Smith", "Von Neumann, John", "Ada Lovelace", "Alan M. Turing",
)  # fmt: skip
_GROUPS = (
    "World Health Organization", "Food and Drug Administration", "Acme Inc.", "OECD",
    "Intergovernmental Panel on Climate Change", "The Owl Society",
)  # fmt: skip
_TITLES = (
    "Attention Is All You Need", "Owls at Dusk: A Field Guide", "Why Do Owls Turn Their Heads?",
    "Stop Now!", "On the Origin of Species.", 'The "Quiet" Flight of Owls', 'They Said "No"',
    "Barn Owls (Tyto Alba) in Europe", "Don't Panic", "COVID-19 and 5G", "100 Years of Solitude",
    "R&D in the U.S.", "Über das Fliegen", "フクロウ", "C++ Programming", "What's in a Name?",
)  # fmt: skip
_SITES = (
    "Nature", "J. Biol. Chem.", "Bird Notes", "The New York Times", "Proc. Natl. Acad. Sci. U.S.A.",
    "Science & Society", "Quarterly Review of Owls", "example.org",
)  # fmt: skip
_DATES = ("2021", "2021-03", "2021-03-03", "", "1859-11-24", "2019-05-31", "2020-02")
_AUTHOR_COUNTS = (0, 1, 1, 2, 2, 3, 4, 6, 7, 8, 20, 21, 25)


def generated_references(count: int = 200) -> list[Reference]:
    """Return references that combine names, titles, sites, dates and identifiers."""
    random = Random(20261118)
    titles, dates, sites = cycle(_TITLES), cycle(_DATES), cycle(_SITES)
    return [
        Reference(
            url=f"https://example.org/works/{number}",
            title=next(titles),
            authors=_authors(random),
            site=next(sites),
            published=next(dates),
            doi=f"10.1000/work.{number}" if random.random() < 0.5 else "",
        )
        for number in range(count)
    ]


def _authors(random: Random) -> tuple[str, ...]:
    if random.random() < 0.15:
        return (random.choice(_GROUPS),)
    return tuple(random.sample(_PEOPLE, min(random.choice(_AUTHOR_COUNTS), len(_PEOPLE))))
