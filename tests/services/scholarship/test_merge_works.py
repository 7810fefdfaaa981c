"""One record per work."""

from typing import Any

import pytest

from tests.services.scholarship import five
from webquarry.content.citations.identifiers import doi_key
from webquarry.content.citations.title_match import same_person, title_key
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work
from webquarry.services.scholarship.merge_works import combine_records, merge_works

pytestmark = pytest.mark.anyio
PROVIDERS = ("openalex", "crossref", "pubmed", "semanticscholar", "arxiv")
OWN = {"source", "providers", "origins", "conflicts", "ids", "noticesKnown", "retraction"}
# of these any spelling is as good as another
FREE = {"url", "abstract", "type", "publisher", "tldr", "isInfluential", "citationIntents"}


def work(**told: Any) -> Work:
    usual = {"title": "Hearing of owls in forests", "url": "", "source": "openalex"}
    return Work.model_validate(usual | told)


async def test_25_works_of_five_providers_become_25_records() -> None:
    told = await five.described()
    assert {name: len(works) for name, works in told.items()} == dict.fromkeys(PROVIDERS, 25)

    merged = merge_works(told.values())

    assert {doi_key(each.doi or "") for each in merged} == {five.doi(n).lower() for n in range(25)}
    assert len(merged) == 25
    assert {each.providers for each in merged} == {PROVIDERS}


async def test_no_field_is_lost_and_every_contradiction_is_shown() -> None:
    told = await five.described()

    for record in merge_works(told.values()):
        parts = [w for works in told.values() for w in works if _describes(w, record)]
        assert [part.source for part in parts] == list(PROVIDERS)
        for name in set(Work.model_fields) - OWN:
            given = {part.source: getattr(part, name) for part in parts if getattr(part, name)}
            if not given:
                continue
            assert getattr(record, name) == given[record.origins[name]], name
            silent = set(given) - {record.origins[name]} - set(record.conflicts.get(name, {}))
            for source in silent if name not in FREE else ():
                assert _means(name, given[source], getattr(record, name)), (name, source)
        ids = {key: value for part in parts for key, value in part.ids.items()}
        assert record.ids == ids
        assert set(ids) == {"openalex", "pmid", "pmcid", "s2", "arxiv"}


async def test_the_record_of_one_work_is_complete() -> None:
    told = await five.described()

    record = next(w for w in merge_works(told.values()) if w.ids["openalex"] == "W5")

    assert record == Work(
        title="HEARING OF OWLS & MICE, PART 5",
        url="https://doi.org/10.1000/owl.(5)",
        source="openalex",
        doi="10.1000/owl.(5)",
        authors=("Ada Strix", "Bo Asio"),
        journal="Journal of Owl Studies",
        year=2005,
        published="2005-02-03",
        abstract="Owls hear, as we show at length.",
        citationCount=15,
        openAccess=True,
        pdfUrl="https://example.org/5.pdf",
        tldr="Owls hear.",
        isInfluential=True,
        ids={"openalex": "W5", "pmid": "105", "pmcid": "PMC905", "s2": "s5", "arxiv": "2101.00005"},
        type="JournalArticle",
        publisher="Owl Press",
        volume="3",
        issue="1",
        pages="7-19",
        noticesKnown=True,
        providers=PROVIDERS,
        origins={
            "url": "openalex",
            "tldr": "semanticscholar",
            "isInfluential": "semanticscholar",
            "type": "semanticscholar",
            "publisher": "crossref",
            "title": "openalex",
            "doi": "openalex",
            "journal": "openalex",
            "year": "openalex",
            "published": "openalex",
            "citationCount": "openalex",
            "openAccess": "openalex",
            "pdfUrl": "semanticscholar",
            "volume": "crossref",
            "issue": "crossref",
            "pages": "crossref",
            "abstract": "pubmed",
            "authors": "openalex",
        },
        conflicts={
            "year": {"semanticscholar": 2004},
            "published": {"arxiv": "2005-01-09"},
            "citationCount": {"crossref": 10, "semanticscholar": 25},
            "journal": {"arxiv": "arXiv"},
            "pdfUrl": {"arxiv": "https://arxiv.org/pdf/2101.00005v1"},
        },
    )


async def test_a_retraction_that_one_provider_knows_reaches_the_record() -> None:
    told = await five.described()

    retracted = [w for w in merge_works(told.values()) if w.retraction]

    assert [(w.ids["openalex"], w.retraction) for w in retracted] == [
        (
            "W4",
            RetractionStatus(
                retracted=True,
                kind="retraction",
                noticeDoi="10.1000/notice",
                source="retraction-watch",
            ),
        )
    ]


def test_works_high_in_many_lists_come_first() -> None:
    one, two, three = (
        work(title=f"Owls of the forest number {n}", doi=f"10.1000/{n}") for n in "123"
    )
    again = [each.model_copy(update={"source": "crossref"}) for each in (three, two)]

    assert [w.doi for w in merge_works([[one, two, three], again])] == [
        "10.1000/3",
        "10.1000/2",
        "10.1000/1",
    ]


def test_an_article_and_its_namesake_with_another_doi_stay_apart() -> None:
    same = {"authors": ("Ada Strix",), "year": 2020}
    records = [work(doi="10.1000/a", **same), work(doi="10.1000/b", source="crossref", **same)]

    assert len(merge_works([records[:1], records[1:]])) == 2


def test_a_shared_arxiv_number_joins_preprint_and_article_and_shows_both_dois() -> None:
    preprint = work(doi="10.48550/arxiv.2101.1", ids={"arxiv": "2101.00001"})
    article = work(
        doi="10.1000/a", ids={"arxiv": "2101.00001"}, source="semanticscholar", title="Owls"
    )

    (record,) = merge_works([[preprint], [article]])

    assert record.conflicts["doi"] == {"semanticscholar": "10.1000/a"}
    assert record.conflicts["title"] == {"semanticscholar": "Owls"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"year": 2020, "authors": ("A. Strix",)}, {"year": 2021, "authors": ("Ada Strix",)}, True),
        ({"year": 2020, "authors": ("A. Strix",)}, {"year": 2022, "authors": ("A. Strix",)}, False),
        ({"year": 2020, "authors": ("A. Strix",)}, {"year": 2020, "authors": ("Bo Tyto",)}, False),
        ({"year": 2020}, {"year": 2021}, False),
        ({"year": 2020}, {}, True),
        ({"title": "Owls", "year": 2020}, {"title": "Owls"}, False),
        ({"title": "Owls", "year": 2020, "authors": ("A. Strix",)},
         {"title": "Owls", "year": 2020, "authors": ("A. Strix",)}, True),
    ],
)  # fmt: skip
def test_without_identifiers_title_author_and_year_decide(
    one: dict[str, Any], other: dict[str, Any], *, same: bool
) -> None:
    found = merge_works([[work(**one)], [work(**other, source="core")]])

    assert (len(found) == 1) is same


def test_an_abbreviated_journal_is_no_contradiction() -> None:
    names = ("Nature Machine Intelligence", "Nat. Mac. Intell.", "nature machine intelligence")
    works = [work(journal=name, source=f"p{n}", doi="10.1000/a") for n, name in enumerate(names)]

    assert combine_records(works).conflicts == {}


def test_an_expression_of_concern_never_outweighs_a_retraction() -> None:
    doubt = RetractionStatus(retracted=False, kind="expression_of_concern", noticeDoi="10.1000/n")
    gone = RetractionStatus(retracted=True, kind="retraction", source="pubmed")

    record = combine_records([work(retraction=doubt), work(retraction=gone, source="pubmed")])

    assert record.retraction == gone


def _describes(part: Work, record: Work) -> bool:
    same_doi = part.doi and record.doi and doi_key(part.doi) == doi_key(record.doi)
    return bool(same_doi) or any(record.ids.get(k) == v for k, v in part.ids.items())


def _means(name: str, value: Any, chosen: Any) -> bool:
    if name == "journal":
        return value == "J. Owl Stud." or value.lower() == chosen.lower()
    if name == "authors":
        return all(map(same_person, value, chosen)) and len(value) == len(chosen)
    if name in ("title", "doi"):
        return title_key(value) == title_key(chosen)
    if name == "published":
        return str(chosen).startswith(value)
    return value == chosen
