"""Invented scholarly works: the contents of the fake registries."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from webquarry.content.text.word_list import words

COUNT = 560


class Person(NamedTuple):
    """An author."""

    given: str
    family: str


class Venue(NamedTuple):
    """A journal and its abbreviated name."""

    name: str
    short: str


class Entry(NamedTuple):
    """One work; `agency` is where its DOI is registered: crossref, datacite or nobody (no DOI)."""

    title: str
    authors: tuple[Person, ...]
    year: int
    venue: Venue
    volume: int
    issue: int
    first: int
    last: int
    doi: str
    agency: str


FAMILIES = words(
    "Müller Østergaard Łukaszewicz Björklund Nuñez García_Márquez Ferreira Dubois Lefèvre O'Brien "
    "MacDonald van_der_Berg de_la_Cruz Ivanova Petrov Shcherbakov Kowalski Nowak Horváth Szabó "
    "Papadopoulos Y\u0131lmaz Öztürk Tanaka Yamamoto Watanabe Wang Zhang Chen Liu Kim Park "
    "Nguyen Singh Patel Rao Okafor Mensah Abebe Haddad Rahimi Cohen Levy Smith Johnson Williams "
    "Brown Jones Thompson Anderson Fischer Weber Schröder Großmann Jansen Visser Lindqvist "
    "Virtanen Saarinen Rossi Bianchi Esposito Silva Carvalho Oliveira Hernández Morales Castillo "
    "Quispe Ibrahim Nakamura Fujimoto Takahashi Gupta Banerjee Chaudhry Dlamini Novák Dvořák "
    "Popescu Ionescu Kovačević Petrović Tkachenko Dostoevsky Chekhov Eriksson Halvorsen"
)
GIVEN = words(
    "Anna Jürgen Søren Maria Ivan Olga Li Wei Min Hiroshi Yuki Amara Kwame Fatima Omar David Sarah "
    "John Robert Katherine Emily Peter Lars Ingrid Paolo Giulia Carlos Lucía João Beatriz Pierre "
    "Chloé Tomáš Jana Elena Mihai Priya Arjun Daniel Rachel Stefan Ursula Mehmet Ayşe Nikos Zoe"
)
VENUES = tuple(
    Venue(*pair.split("|"))
    for pair in (
        "Journal of Clinical Oncology|J. Clin. Oncol.",
        "Journal of Clinical Medicine|J. Clin. Med.",
        "Nature|Nature",
        "Nature Communications|Nat. Commun.",
        "Proceedings of the National Academy of Sciences|Proc. Natl. Acad. Sci.",
        "European Journal of Neuroscience|Eur. J. Neurosci.",
        "Journal of Neuroscience|J. Neurosci.",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence|"
        "IEEE Trans. Pattern Anal. Mach. Intell.",
        "Physical Review Letters|Phys. Rev. Lett.",
        "Journal of Applied Ecology|J. Appl. Ecol.",
        "Ecology Letters|Ecol. Lett.",
        "Annals of Statistics|Ann. Stat.",
        "Zeitschrift für Soziologie|Z. Soziol.",
        "Revue française de sociologie|Rev. fr. sociol.",
        "American Economic Review|Am. Econ. Rev.",
        "Quarterly Journal of Economics|Q. J. Econ.",
        "Sleep Medicine Reviews|Sleep Med. Rev.",
        "International Journal of Epidemiology|Int. J. Epidemiol.",
        "Journal of Machine Learning Research|J. Mach. Learn. Res.",
        "Water Resources Research|Water Resour. Res.",
        "Soil Biology and Biochemistry|Soil Biol. Biochem.",
        "Journal of Geophysical Research: Atmospheres|J. Geophys. Res. Atmos.",
        "Computers & Education|Comput. Educ.",
        "Cognitive Psychology|Cogn. Psychol.",
    )
)
ASPECTS = words(
    "effects measurement prediction modelling regulation decline diversity cost quality mapping "
    "detection stability dynamics structure origin treatment prevention perception"
)
TOPICS = (
    "soil carbon", "sleep disorders", "urban heat", "groundwater recharge", "protein folding",
    "stock volatility", "bilingual reading", "hearing loss", "forest fires", "bee colonies",
    "childhood asthma", "knee surgery", "labour migration", "graph kernels", "coral bleaching",
    "dark matter halos", "rumour spreading", "insulin resistance", "sea ice", "vowel harmony",
    "kidney transplants", "rice paddies", "voter turnout", "solar flares", "working memory",
    "river sediments", "speech recognition", "antibiotic residues", "glacier retreat", "wage gaps",
)  # fmt: skip
CONTEXTS = (
    "in alpine valleys", "in coastal cities", "among older adults", "among school children",
    "under drought", "in pregnant women", "after the financial crisis", "in tropical islands",
    "in small samples", "across 40 countries", "in northern Europe", "during adolescence",
    "from satellite data", "with sparse sensors", "in rural clinics", "over two decades",
)  # fmt: skip
SUBTITLES = (
    "a systematic review", "a randomised trial", "evidence from panel data", "a simulation study",
    "methods and limits", "results of a cohort study", "a reappraisal",
)  # fmt: skip
TITLE_TEMPLATES = (
    "The {0} of {1} {2}", "Long-term {0} of {1} {2}", "How {1} shape the {0} of markets {2}",
    "Rethinking the {0} of {1} {2}", "{0} of {1} {2}", "On the {0} of {1} {2}",
    "Bayesian {0} of {1} {2}", "Towards better {0} of {1} {2}",
)  # fmt: skip


def people(random: Random, max_people: int = 5) -> tuple[Person, ...]:
    """Return one to `max_people` people with different family names."""
    chosen = random.sample(FAMILIES, random.randint(1, max_people))
    return tuple(Person(random.choice(GIVEN), name.replace("_", " ")) for name in chosen)


def random_title(random: Random) -> str:
    """Return a random title, about every third with a subtitle."""
    text = random.choice(TITLE_TEMPLATES).format(
        random.choice(ASPECTS), random.choice(TOPICS), random.choice(CONTEXTS)
    )
    title = text[0].upper() + text[1:]
    return f"{title}: {random.choice(SUBTITLES)}" if random.random() < 0.35 else title


@cache
def entries(seed: int = 9) -> tuple[Entry, ...]:
    """Return the works; some have similar titles, a few share a title."""
    random = Random(seed)
    chosen: dict[str, Entry] = {}
    while len(chosen) < COUNT:
        title = random_title(random)
        if title not in chosen:
            chosen[title] = _entry(random, title, len(chosen))
    same_titles = [
        _entry(random, each.title, 5000 + index) for index, each in enumerate(sample(chosen, 12))
    ]
    return (*chosen.values(), *same_titles)


def sample(chosen: dict[str, Entry], count: int) -> Sequence[Entry]:
    """Return a fixed random sample of the works."""
    return Random(3).sample(list(chosen.values()), count)


def _entry(random: Random, title: str, number: int) -> Entry:
    first = random.randint(1, 1900)
    agency = random.choices(("crossref", "datacite", "nobody"), (88, 7, 5))[0]
    return Entry(
        title=title,
        authors=people(random),
        year=random.randint(1988, 2024),
        venue=random.choice(VENUES),
        volume=random.randint(2, 90),
        issue=random.randint(1, 12),
        first=first,
        last=first + random.randint(3, 40),
        doi="" if agency == "nobody" else f"10.{5100 + number % 37}/wq.{number:04d}.{first}",
        agency=agency,
    )
