"""Which results have rows for a data frame."""

from webquarry.models.data_frames import table_rows
from webquarry.models.works import Paper
from webquarry.tools.academic_search import AcademicSearchOut
from webquarry.tools.web_search import SearchResult, WebSearchOut


def test_the_rows_of_a_web_search_are_its_results() -> None:
    result = SearchResult.model_construct(title="Owls", url="https://owls.test/")
    found = WebSearchOut.model_construct(results=[result])

    assert [row["url"] for row in table_rows(found)] == ["https://owls.test/"]


def test_the_rows_of_a_search_for_papers_are_the_papers_not_the_failures() -> None:
    paper = Paper.model_construct(title="Owls hear well")

    rows = table_rows(AcademicSearchOut.model_construct(papers=[paper]))

    assert [row["title"] for row in rows] == ["Owls hear well"]
