"""Works that nobody wrote: what the registries of the evaluation hold."""

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
    """A journal, and how it is abbreviated."""

    name: str
    short: str


class Entry(NamedTuple):
    """One work; `agency` says who registered it: crossref, datacite, or nobody (no DOI)."""

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
WHAT = words(
    "effects measurement prediction modelling regulation decline diversity cost quality mapping "
    "detection stability dynamics structure origin treatment prevention perception"
)
OF = (
    "soil carbon", "sleep disorders", "urban heat", "groundwater recharge", "protein folding",
    "stock volatility", "bilingual reading", "hearing loss", "forest fires", "bee colonies",
    "childhood asthma", "knee surgery", "labour migration", "graph kernels", "coral bleaching",
    "dark matter halos", "rumour spreading", "insulin resistance", "sea ice", "vowel harmony",
    "kidney transplants", "rice paddies", "voter turnout", "solar flares", "working memory",
    "river sediments", "speech recognition", "antibiotic residues", "glacier retreat", "wage gaps",
)  # fmt: skip
WHERE = (
    "in alpine valleys", "in coastal cities", "among older adults", "among school children",
    "under drought", "in pregnant women", "after the financial crisis", "in tropical islands",
    "in small samples", "across 40 countries", "in northern Europe", "during adolescence",
    "from satellite data", "with sparse sensors", "in rural clinics", "over two decades",
)  # fmt: skip
SUBTITLES = (
    "a systematic review", "a randomised trial", "evidence from panel data", "a simulation study",
    "methods and limits", "results of a cohort study", "a reappraisal",
)  # fmt: skip
LEADS = (
    "The {0} of {1} {2}", "Long-term {0} of {1} {2}", "How {1} shape the {0} of markets {2}",
    "Rethinking the {0} of {1} {2}", "{0} of {1} {2}", "On the {0} of {1} {2}",
    "Bayesian {0} of {1} {2}", "Towards better {0} of {1} {2}",
)  # fmt: skip


def people(random: Random, most: int = 5) -> tuple[Person, ...]:
    """Return one to `most` people with different family names."""
    found = random.sample(FAMILIES, random.randint(1, most))
    return tuple(Person(random.choice(GIVEN), name.replace("_", " ")) for name in found)


def titled(random: Random) -> str:
    """Return a title, every third with a subtitle."""
    lead = random.choice(LEADS).format(random.choice(WHAT), random.choice(OF), random.choice(WHERE))
    title = lead[0].upper() + lead[1:]
    return f"{title}: {random.choice(SUBTITLES)}" if random.random() < 0.35 else title


@cache
def entries(seed: int = 9) -> tuple[Entry, ...]:
    """Return the works; some have near neighbours, a few have the title of another."""
    random = Random(seed)
    found: dict[str, Entry] = {}
    while len(found) < COUNT:
        title = titled(random)
        if title not in found:
            found[title] = _entry(random, title, len(found))
    twins = [_entry(random, each.title, 5000 + at) for at, each in enumerate(sample(found, 12))]
    return (*found.values(), *twins)


def sample(found: dict[str, Entry], count: int) -> Sequence[Entry]:
    """Return some of the works, always the same."""
    return Random(3).sample(list(found.values()), count)


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
