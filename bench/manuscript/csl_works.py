"""Works of every kind as CSL-JSON, of which reference lists are written.

Titles, people and years are those of the works of `shared/bench/evidence`; the halves `dev` and
`test` share no title, journal, publisher, place or site, and no numbers.
"""

import json
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

Half = Literal["dev", "test"]
WORKS = Path(__file__).parents[3] / "shared/bench/evidence/data/works.jsonl"


class Pool(NamedTuple):
    """The names that one half uses."""

    journals: tuple[tuple[str, str], ...]  # name and abbreviation
    meetings: tuple[str, ...]
    books: tuple[str, ...]
    publishers: tuple[tuple[str, str], ...]  # name and place
    schools: tuple[str, ...]
    institutions: tuple[str, ...]
    sites: tuple[tuple[str, str], ...]  # name and host
    titles: tuple[str, ...]  # of all kinds, beside those of the file


DEV = Pool(
    journals=(
        ("Journal of Clinical Oncology", "J. Clin. Oncol."),
        ("Nature Communications", "Nat. Commun."),
        ("The Lancet", "Lancet"),
        ("Proceedings of the National Academy of Sciences", "Proc. Natl. Acad. Sci."),
        ("Physical Review Letters", "Phys. Rev. Lett."),
        ("American Economic Review", "Am. Econ. Rev."),
        ("Journal of the American Statistical Association", "J. Am. Stat. Assoc."),
        ("Cell", "Cell"),
        ("IEEE Transactions on Pattern Analysis and Machine Intelligence",
         "IEEE Trans. Pattern Anal. Mach. Intell."),
        ("Climate Dynamics", "Clim. Dyn."),
        ("Ecology Letters", "Ecol. Lett."),
        ("BMJ", "BMJ"),
        ("Health & Place", "Health Place"),
        ("Journal of Physics A: Mathematical and General", "J. Phys. A: Math. Gen."),
        ("Language", "Language"),
        ("Deep-Sea Research Part I", "Deep Sea Res. Part I"),
        ("Journal of Economic Literature", "J. Econ. Lit."),
        ("eLife", "eLife"),
    ),
    meetings=(
        "Proceedings of the 34th International Conference on Machine Learning",
        "Advances in Neural Information Processing Systems",
        "2019 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)",
        "Proceedings of the ACM Symposium on Theory of Computing",
        "12th Annual Meeting of the Association for Computational Linguistics",
        "Adjunct Publication of the Conference on User Interfaces",
    ),
    books=("Handbook of Social Psychology", "The Oxford Companion to Wine",
           "Methods in Molecular Biology", "Essays on Economic Growth",
           "The Routledge Companion to Theatre", "Water, Energy and Society"),
    publishers=(("Springer", "Berlin"), ("Oxford University Press", "Oxford"),
                ("MIT Press", "Cambridge, MA"), ("Penguin Books", "London"),
                ("John Wiley & Sons", "Hoboken"), ("J. B. Lippincott Company", "Philadelphia"),
                ("Allen & Unwin", "Sydney"), ("Harvard University Press", "Cambridge, Mass."),
                ("W. H. Freeman and Company", "San Francisco"), ("Verso", "London"),
                ("Taylor & Francis", "Boca Raton, FL"), ("Academic Press", "San Diego")),
    schools=("Stanford University", "University of Edinburgh",
             "University of Illinois, Urbana-Champaign", "ETH Zurich"),
    institutions=("World Health Organization", "International Monetary Fund", "Eurostat", "UNICEF",
                  "Centers for Disease Control and Prevention", "European Central Bank",
                  "Food and Agriculture Organization of the United Nations", "NATO",
                  "Bank of England", "National Institutes of Health"),
    sites=(("BBC News", "www.bbc.co.uk"), ("Our World in Data", "ourworldindata.org"),
           ("The New York Times", "www.nytimes.com"), ("Nature News", "www.nature.com"),
           ("Federal Reserve Bank of St. Louis", "fred.stlouisfed.org")),
    titles=("What is life?", "The tipping point: how little things can make a big difference",
            "Sleep", "HIV-1 Tat protein in vivo: a review", "Why we sleep and when we do not",
            "The economics of climate change", "Effect of 5-HT on rats, mice and men",
            "Is there a \u201creplication crisis\u201d in psychology?", "Fast, frugal, and fair",
            "Emma", "Vitamin D in 1990 to 2005: results from 12 countries", "Against method",
            "The 4% universe", "Growth in the U.S. and the U.K."),
)  # fmt: skip
TEST = Pool(
    journals=(
        ("New England Journal of Medicine", "N. Engl. J. Med."),
        ("Science", "Science"),
        ("PLOS ONE", "PLoS One"),
        ("Journal of Personality and Social Psychology", "J. Pers. Soc. Psychol."),
        ("Annals of Mathematics", "Ann. Math."),
        ("Water Resources Research", "Water Resour. Res."),
        ("The Quarterly Journal of Economics", "Q. J. Econ."),
        ("Journal of Machine Learning Research", "J. Mach. Learn. Res."),
        ("Geophysical Research Letters", "Geophys. Res. Lett."),
        ("Astronomy & Astrophysics", "Astron. Astrophys."),
        ("Child Development", "Child Dev."),
        ("Nucleic Acids Research", "Nucleic Acids Res."),
    ),
    meetings=(
        "Proceedings of the 2018 Conference on Empirical Methods in Natural Language Processing",
        "European Conference on Computer Vision (ECCV)",
        "Companion Proceedings of the Web Conference",
        "15th USENIX Symposium on Operating Systems Design and Implementation",
    ),
    books=("The Cambridge Handbook of Linguistics", "Current Topics in Membranes",
           "Cities and Their Discontents", "A Companion to Ancient History"),
    publishers=(("Elsevier", "Amsterdam"), ("Cambridge University Press", "Cambridge"),
                ("Princeton University Press", "Princeton, NJ"),
                ("W. W. Norton & Company", "New York"), ("Routledge", "Abingdon")),
    schools=("University of California, Berkeley", "Lund University"),
    institutions=("World Bank", "OECD", "National Aeronautics and Space Administration"),
    sites=(("Reuters", "www.reuters.com"), ("Pew Research Center", "www.pewresearch.org"),
           ("The Guardian", "www.theguardian.com")),
    titles=("Who owns the moon?", "Thinking, fast and slow", "Persuasion",
            "p53 in tumours: a 20-year follow-up", "When prophecy fails again",
            "The wealth of nations and of regions",
            "Response of C3 and C4 plants to CO2, 1990 to 2010",
            "Is \u201cgrit\u201d all you need?"),
)  # fmt: skip
# (kind, share of the list)
_KINDS = (
    ("article-journal", 16), ("paper-conference", 6), ("book", 5), ("chapter", 4),
    ("webpage", 3), ("report", 2), ("thesis", 1), ("article", 1),
)  # fmt: skip
COUNT = sum(count for _, count in _KINDS)


def csl_works(half: Half, seed: int = 24) -> list[dict[str, Any]]:
    """Return the works of a half, the same each time; another seed gives other works of it."""
    pool = DEV if half == "dev" else TEST
    # test data, no secret
    random = Random(f"{half} {seed}")  # noqa: S311
    rows = [json.loads(line) for line in WORKS.read_text("utf-8").splitlines()]
    rows = random.sample(rows[0::2] if half == "dev" else rows[1::2], 3 * COUNT)
    kinds = [kind for kind, count in _KINDS for _ in range(count)]
    works = [
        _work(kind, row, pool, random) | {"id": f"{half}-{number}"}
        for number, (kind, row) in enumerate(zip(kinds, rows, strict=False))
    ]
    for work, title in zip(random.sample(works, len(pool.titles)), pool.titles, strict=True):
        work["title"] = title
    return works


def _work(kind: str, row: dict[str, Any], pool: Pool, random: Random) -> dict[str, Any]:
    people = [{"given": given, "family": family} for given, family in row["authors"]]
    people = people[: random.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 22))]
    work: dict[str, Any] = {
        "type": kind,
        "title": row["title"],
        "author": people,
        "issued": {"date-parts": [[row["year"] - random.randrange(25)]]},
    }
    return work | _MAKERS[kind](pool, random)


def _pages(random: Random) -> str:
    first = random.randrange(1, 2400)
    return f"{first}-{first + random.randrange(2, 30)}"


def _doi(random: Random) -> dict[str, str]:
    if random.random() < 0.4:
        return {}
    prefix = random.choice(("1038/s", "1016/j.cell.", "1109/TPAMI.", "1145/", "1371/journal.pone."))
    return {"DOI": f"10.{prefix}{random.randrange(10000, 9999999)}"}


def _article(pool: Pool, random: Random) -> dict[str, Any]:
    name, short = random.choice(pool.journals)
    work = {"container-title": name, "container-title-short": short,
            "volume": str(random.randrange(1, 400))}  # fmt: skip
    if random.random() < 0.75:
        work["issue"] = str(random.randrange(1, 13))
    work["page"] = _pages(random) if random.random() < 0.85 else f"e{random.randrange(1000, 99999)}"
    return work | _doi(random)


def _paper(pool: Pool, random: Random) -> dict[str, Any]:
    work = {"container-title": random.choice(pool.meetings), "page": _pages(random)}
    if random.random() < 0.4:
        name, place = random.choice(pool.publishers)
        work |= {"publisher": name, "publisher-place": place}
    return work | _doi(random)


def _book(pool: Pool, random: Random) -> dict[str, Any]:
    name, place = random.choice(pool.publishers)
    work: dict[str, Any] = {"publisher": name}
    if random.random() < 0.7:
        work["publisher-place"] = place
    if random.random() < 0.3:
        work["edition"] = str(random.randrange(2, 6))
    return work


def _chapter(pool: Pool, random: Random) -> dict[str, Any]:
    editors = [{"given": "Jane M.", "family": "Okafor"}, {"given": "Lars", "family": "Novák"}]
    return {
        "container-title": random.choice(pool.books),
        "editor": editors[: random.randrange(1, 3)],
        "page": _pages(random),
    } | _book(pool, random)


def _webpage(pool: Pool, random: Random) -> dict[str, Any]:
    name, host = random.choice(pool.sites)
    return {
        "container-title": name,
        "URL": f"https://{host}/news/item-{random.randrange(1000, 99999)}",
        "accessed": {"date-parts": [[2024, random.randrange(1, 13), random.randrange(1, 29)]]},
    }


def _report(pool: Pool, random: Random) -> dict[str, Any]:
    name = random.choice(pool.institutions)
    return {"publisher": name, "author": [{"literal": name}],
            "URL": f"https://example.org/reports/{random.randrange(100, 999)}.pdf"}  # fmt: skip


def _thesis(pool: Pool, random: Random) -> dict[str, Any]:
    return {"publisher": random.choice(pool.schools), "genre": "PhD thesis"}


def _preprint(pool: Pool, random: Random) -> dict[str, Any]:
    del pool
    number = f"{random.randrange(1501, 2399)}.{random.randrange(10000, 19999)}"
    return {"publisher": "arXiv", "number": f"arXiv:{number}",
            "DOI": f"10.48550/arXiv.{number}"}  # fmt: skip


_MAKERS = {
    "article-journal": _article,
    "paper-conference": _paper,
    "book": _book,
    "chapter": _chapter,
    "webpage": _webpage,
    "report": _report,
    "thesis": _thesis,
    "article": _preprint,
}
