"""Open Library, replaying exchanges in `recorded/openlibrary`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.openlibrary import OpenLibrary

pytestmark = pytest.mark.anyio
FIELDS = "key%2Ctitle%2Csubtitle%2Cauthor_name%2Cfirst_publish_year%2Cpublisher%2Cisbn"
OWLS = Work(
    title="Owls",
    subtitle="how they hear",
    url="https://openlibrary.org/works/OL1W",
    source="openlibrary",
    authors=("Ada Strix",),
    year=1999,
    publisher="Owl Press",
    ids={"isbn": "9780134685991"},
    type="book",
)


@pytest.mark.recording("openlibrary/books")
async def test_a_book_is_found_by_isbn_or_title(upstreams: Upstreams) -> None:
    library = OpenLibrary(upstreams, {})

    assert await library.work_by_identifier("isbn", "9780134685991") == OWLS
    assert await library.work_by_identifier("isbn", "0306406152") is None
    assert await library.books_by_title("Owls") == (OWLS,)


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: OpenLibrary(u, {}).books_by_title("Owls"),
        {"url": f"https://openlibrary.org/search.json?title=Owls&fields={FIELDS}&limit=5"},
        FAILURES[case],
    )
