"""Results of other tools as sources."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from webquarry.models.page import Citation
from webquarry.models.patents import Patent
from webquarry.models.reading import ScrapePageOut
from webquarry.models.records import Case, Filing, Trial
from webquarry.models.research import SourceResult
from webquarry.models.search import NewsResult, Place, WebResult
from webquarry.models.session import ResearchSource
from webquarry.models.synthesis import AnswerCitation
from webquarry.models.tool_results import CitedSource, Recommended
from webquarry.models.works import Paper
from webquarry.tools.web_search import SearchResult

PAPER: dict[str, Any] = {
    "title": "Attention Is All You Need",
    "url": "https://p.test/attention",
    "source": "crossref",
    "doi": "10.5555/3295222",
    "authors": ["Ashish Vaswani", "Noam Shazeer"],
    "journal": "NeurIPS",
    "year": 2017,
    "citationCount": 9,
    "openAccess": None,
}
AS_SOURCE = CitedSource(
    url="https://p.test/attention",
    title="Attention Is All You Need",
    author="Ashish Vaswani; Noam Shazeer",
    site="NeurIPS",
    date="2017",
    doi="10.5555/3295222",
)


@pytest.mark.parametrize(
    ("result", "source"),
    [
        (PAPER, AS_SOURCE),
        (
            {"id": "stone2024owls", "type": "article-journal", "title": "Owls", "page": "1-2",
             "author": [{"literal": "Owl Group"}, {"family": "Stone", "given": "Ann"}],
             "issued": {"date-parts": [[2024, 5, 6]]}, "container-title": "Nature",
             "DOI": "10.1/x", "URL": "https://o.test"},
            CitedSource(url="https://o.test", title="Owls", author="Owl Group; Ann Stone",
                        site="Nature", date="2024-05-06", doi="10.1/x"),
        ),
        (
            {"URL": "https://o.test", "title": "Owls", "issued": {"raw": "2024"}},
            CitedSource(url="https://o.test", title="Owls"),
        ),
        ({"verificationStatus": "confirmed", "input": "x", "matchedRecord": PAPER}, AS_SOURCE),
        (
            {"title": "Owls", "url": "https://n.test/1", "source": "Bird News",
             "publishedAt": "2024-05-06T07:08:09Z", "snippet": "…"},
            CitedSource(url="https://n.test/1", title="Owls", site="Bird News",
                        date="2024-05-06T07:08:09Z"),
        ),
        (
            {"url": "https://o.test/a", "content": "…", "detectedDoi": "10.1/x",
             "metadata": {"title": "Owls", "author": "Ann Stone, Ed Pit"},
             "citation": {"url": "https://o.test/owls", "accessedDate": "2026-11-05",
                          "metadata": {"title": "Owls", "author": "Ann Stone; Ed Pit",
                                       "site": "O", "date": "2024"},
                          "formatted": {"apa": "", "mla": "", "bibtex": ""}}},
            CitedSource(url="https://o.test/owls", title="Owls", author="Ann Stone; Ed Pit",
                        site="O", date="2024", doi="10.1/x"),
        ),
        (
            {"caseName": "Brown v. Board of Education", "citation": "347 U.S. 483",
             "court": "Supreme Court", "dateFiled": "1954-05-17", "url": "https://c.test/b",
             "source": "courtlistener", "citationCount": 1},
            CitedSource(url="https://c.test/b", title="Brown v. Board of Education, 347 U.S. 483",
                        site="Supreme Court", date="1954-05-17"),
        ),
        (
            {"company": "Apple Inc.", "formType": "10-K", "filingDate": "2023-11-03",
             "periodOfReport": "2023-09-30", "url": "https://sec.test/x", "source": "edgar"},
            CitedSource(url="https://sec.test/x", title="Form 10-K for 2023-09-30",
                        author="Apple Inc.", date="2023-11-03"),
        ),
        (
            {"title": "Owl box", "number": "US1234567B2", "url": "https://pat.test/1",
             "inventor": "Ann Stone", "assignee": "Oak Ltd", "filed": "2019-01-02",
             "granted": "2021-03-04"},
            CitedSource(url="https://pat.test/1", title="Owl box (US1234567B2)",
                        author="Ann Stone", site="Oak Ltd", date="2021-03-04"),
        ),
        (
            {"url": "https://s.test/a", "title": "Owls", "authors": ["Ann Stone"],
             "published": "2024-05", "foundInStep": 2, "tool": "web_search", "read": True},
            CitedSource(url="https://s.test/a", title="Owls", author="Ann Stone", date="2024-05"),
        ),
        (
            {"nctId": "NCT01", "title": "Trial of owls", "url": "https://ct.test/1",
             "sponsor": "NIH", "startDate": "2020-01", "source": "clinicaltrials",
             "phases": [], "hasResults": False},
            CitedSource(url="https://ct.test/1", title="Trial of owls", author="NIH",
                        date="2020-01"),
        ),
    ],
)  # fmt: skip
def test_a_result_of_another_tool_is_a_source(result: dict[str, Any], source: CitedSource) -> None:
    assert CitedSource.model_validate(result) == source


@pytest.mark.parametrize(
    "model",
    [AnswerCitation, Case, Citation, Filing, NewsResult, Paper, Patent, Place, ResearchSource,
     ScrapePageOut, SearchResult, SourceResult, Trial, WebResult],
)  # fmt: skip
def test_no_field_of_a_result_is_refused(model: type[BaseModel]) -> None:
    names = [field.alias or name for name, field in model.model_fields.items()]
    own = {"url": "https://a.test/", "title": "A title"}

    for name in names:
        for value in (None, "x"):
            assert CitedSource.model_validate({name: value, **own}).url == "https://a.test/"
            assert Recommended.model_validate({name: value, **own}).url == "https://a.test/"


def test_own_fields_count_more_than_those_of_results() -> None:
    given = {**PAPER, "author": "Me", "site": "Here", "date": "2001"}
    source = CitedSource.model_validate(given)
    assert (source.author, source.site, source.date) == ("Me", "Here", "2001")


def test_a_recommendation_may_be_a_paper_or_a_place() -> None:
    assert Recommended.model_validate(PAPER) == Recommended(
        title="Attention Is All You Need",
        url="https://p.test/attention",
        author="Ashish Vaswani; Noam Shazeer",
    )
    place = {"id": "1", "name": "Owl Café", "website": "https://cafe.test/", "rating": 4.5}
    assert Recommended.model_validate(place) == Recommended(
        title="Owl Café", url="https://cafe.test/"
    )


@pytest.mark.parametrize("given", [{"titel": "Owls"}, {**PAPER, "titel": "Owls"}])
def test_a_misspelled_field_is_still_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="titel"):
        CitedSource.model_validate(given)
