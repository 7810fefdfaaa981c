"""What is added to works that were found."""

import pytest

from tests.services.scholarship.fakes import DOWN, copies, keeps, work
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import OpenCopy, ProviderFailure
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.enrichment import EnrichedWorks, with_notices, with_open_copies

pytestmark = pytest.mark.anyio
GONE = RetractionStatus(
    retracted=True, kind="retraction", noticeDoi="10.1000/n", source="publisher"
)
DOUBT = RetractionStatus(retracted=False, kind="expression_of_concern", source="publisher")


async def test_a_pdf_is_added_where_there_is_none_and_nothing_is_overwritten() -> None:
    finder = copies(
        {f"10.1000/{n}": OpenCopy(open=True, pdfUrl="https://free.org/x.pdf") for n in "123"}
    )
    works = [
        work(1, doi="10.1000/1"),
        work(2, doi="10.1000/2", pdfUrl="https://own.org/x.pdf", openAccess=False),
        work(3, doi="10.1000/3", openAccess=False),
        work(4),
    ]

    found = await with_open_copies(works, ProviderDirectory([finder]))

    added = {"pdfUrl": "https://free.org/x.pdf"}
    told = {"pdfUrl": "unpaywall"}
    assert found == [
        works[0].model_copy(
            update=added | {"openAccess": True, "origins": told | {"openAccess": "unpaywall"}}
        ),
        works[1],
        works[2].model_copy(
            update=added | {"origins": told, "conflicts": {"openAccess": {"unpaywall": True}}}
        ),
        works[3],
    ]
    assert finder.requests == ["10.1000/1", "10.1000/3"]


async def test_copies_are_looked_for_side_by_side_but_not_all_at_once() -> None:
    finder = copies({})
    works = [work(n, doi=f"10.1000/{n}") for n in range(30)]

    assert await with_open_copies(works, ProviderDirectory([finder])) == works
    assert (len(finder.requests), finder.most_at_once) == (30, 10)


async def test_no_failure_of_an_extra_spoils_the_works() -> None:
    works = [work(1, doi="10.1000/1")]

    assert await with_open_copies(works, ProviderDirectory([copies({"10.1000/1": DOWN})])) == works
    assert await with_open_copies(works, ProviderDirectory()) == works


async def test_an_arxiv_number_is_a_pdf() -> None:
    (found,) = await with_open_copies([work(1, ids={"arxiv": "2101.00001"})], ProviderDirectory())

    assert (found.pdfUrl, found.origins) == (
        "https://arxiv.org/pdf/2101.00001",
        {"pdfUrl": "arxiv"},
    )


async def test_notices_are_attached_in_one_pass() -> None:
    keeper = keeps({"10.1000/1": GONE, "10.1000/2": DOUBT, "10.1000/3": None})
    works = [work(n, doi=f"10.1000/{n}") for n in (1, 2, 3, 4)] + [work(5)]
    known = work(6, doi="10.1000/6", noticesKnown=True)

    checked = await with_notices([*works, known], ProviderDirectory([keeper]))

    assert keeper.requests == [["10.1000/1", "10.1000/2", "10.1000/3", "10.1000/4"]]
    assert checked == EnrichedWorks(
        [
            works[0].model_copy(update={"retraction": GONE, "noticesKnown": True}),
            works[1].model_copy(update={"retraction": DOUBT, "noticesKnown": True}),
            works[2].model_copy(update={"noticesKnown": True}),
            *works[3:],
            known,
        ],
        unchecked=("10.1000/4",),
    )


async def test_what_the_provider_itself_says_stays_when_crossref_has_no_notice() -> None:
    own = RetractionStatus(retracted=True, kind="retraction", source="pubmed")
    keeper = keeps({"10.1000/1": None})

    checked = await with_notices(
        [work(1, doi="10.1000/1", retraction=own)], ProviderDirectory([keeper])
    )

    assert checked.works[0].retraction == own


async def test_a_registry_that_is_down_leaves_works_unchecked_not_clean() -> None:
    works = [work(1, doi="10.1000/1")]

    checked = await with_notices(works, ProviderDirectory([keeps({}, fails=DOWN)]))

    assert checked == EnrichedWorks(
        works,
        unchecked=("10.1000/1",),
        failure=ProviderFailure(
            provider="crossref", kind="upstream_unavailable", message=str(DOWN)
        ),
    )
    assert not checked.works[0].noticesKnown
