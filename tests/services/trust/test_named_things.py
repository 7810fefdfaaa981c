"""arXiv works, PubMed articles, books and court cases: asked where they are known."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from tests.services.trust.fakes import DOWN, OWLS, Handles, Registry, about
from webquarry.content.citations.reference_kind import named_thing
from webquarry.errors import WebquarryError
from webquarry.models.records import Case, CaseQuery, RecordsFound
from webquarry.models.trust import Existence
from webquarry.models.works import Work
from webquarry.providers.provider import ProviderInfo
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.trust.cited_work import CitedWork
from webquarry.services.trust.existence import ExistenceChecker
from webquarry.services.trust.named_things import NamedThingChecker

pytestmark = pytest.mark.anyio
ORIGIN = Work(
    title="On the Origin of Species",
    url="https://openlibrary.org/works/OL1W",
    source="openlibrary",
    authors=("Charles Darwin",),
    year=1859,
    type="book",
)
BROWN = Case(
    caseName="Brown v. Board of Education of Topeka",
    citation="Brown v. Board of Education of Topeka, 347 U.S. 483 (1954)",
    dateFiled="1954-05-17",
    url="https://www.courtlistener.com/opinion/1/",
    source="courtlistener",
)


class Catalogue:
    """Knows works by number and books by title."""

    about: ClassVar[ProviderInfo] = about("catalogue")
    identifiers: ClassVar[frozenset[str]] = frozenset({"arxiv", "pmid", "pmcid", "isbn"})

    def __init__(self, *works: Work, fails: WebquarryError | None = None) -> None:
        self.works = works
        self.fails = fails

    async def work_by_identifier(self, kind: str, value: str) -> Work | None:
        if self.fails:
            raise self.fails
        return next((work for work in self.works if work.ids.get(kind) == value), None)

    async def books_by_title(self, title: str, author: str = "") -> tuple[Work, ...]:
        if self.fails:
            raise self.fails
        return self.works


class Court:
    """Knows cases."""

    about: ClassVar[ProviderInfo] = about("courtlistener")

    def __init__(self, *cases: Case, fails: WebquarryError | None = None) -> None:
        self.cases = cases
        self.fails = fails

    async def search_cases(self, query: CaseQuery) -> RecordsFound[Case]:
        if self.fails:
            raise self.fails
        return RecordsFound(self.cases, ())


def checker(*providers: Any) -> NamedThingChecker:
    kinds: Sequence[Any] = [type(p) for p in providers]
    return NamedThingChecker(ExistenceChecker(ProviderDirectory(providers, kinds)))


async def checked(text: str, *providers: Any, beside: str = "") -> Existence:
    thing = named_thing(text)
    assert thing
    return await checker(*providers).check(thing, CitedWork(beside))


NUMBERED = OWLS.model_copy(update={"ids": {"pmid": "23903748", "isbn": "9780134685991"}})


@pytest.mark.parametrize("text", ["PMID: 23903748", "ISBN 978-0-13-468599-1"])
async def test_a_number_is_looked_up_where_it_was_given(text: str) -> None:
    found = await checked(text, Catalogue(NUMBERED))

    assert (found.standing, found.exists, found.record and found.record.title) == (
        "confirmed", True, OWLS.title,
    )  # fmt: skip


async def test_another_title_beside_a_number_is_a_mismatch() -> None:
    found = await checked(
        "PMID: 23903748", Catalogue(NUMBERED), beside="Volatile markets and the price of grain"
    )

    assert (found.standing, found.mismatches) == ("uncertain", ("title",))


async def test_only_who_lists_everything_can_say_that_it_does_not_exist() -> None:
    article = await checked("PMID: 1", Catalogue())
    book = await checked("ISBN 978-0-13-468599-1", Catalogue())
    invalid = await checked("ISBN 978-0-13-468599-2", Catalogue())
    free = await checked("PMC3814466", Catalogue())

    assert (article.standing, book.standing, invalid.standing, free.standing) == (
        "not_found", "unchecked", "not_found", "unchecked",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "PMID: 1",
        "PMC3814466",
        "ISBN 978-0-13-468599-1",
        "arXiv:1706.03762",
        "Roe v. Wade, 410 U.S. 113 (1973)",
    ],
)
async def test_a_failure_and_nobody_to_ask_are_unchecked(text: str) -> None:
    providers = (Catalogue(fails=DOWN), Court(fails=DOWN), Handles(fails=DOWN))

    assert (await checked(text, *providers)).standing == "unchecked"
    assert (await checked(text)).standing == "unchecked"


async def test_an_arxiv_number_is_its_doi_or_asked_for_at_arxiv() -> None:
    registered = OWLS.model_copy(update={"doi": "10.48550/arXiv.1706.03762"})
    numbered = OWLS.model_copy(update={"ids": {"arxiv": "1706.03762"}})

    by_doi = await checked("arXiv:1706.03762", Registry(registered), Handles())
    by_number = await checked("arXiv:1706.03762", Registry(), Handles(), Catalogue(numbered))
    nowhere = await checked("arXiv:1706.03762", Registry(), Handles(), Catalogue())

    assert [by_doi.standing, by_number.standing, nowhere.standing] == [
        "confirmed", "confirmed", "not_found",
    ]  # fmt: skip


async def test_a_case_is_found_by_name_and_report() -> None:
    found = await checked("Brown v. Board of Education, 347 U.S. 483 (1954)", Court(BROWN))

    assert found.standing == "confirmed"
    assert found.record
    assert (found.record.title, found.record.year) == (BROWN.caseName, 1954)


async def test_a_made_up_case_is_not_found_and_a_similar_one_is_shown() -> None:
    made_up = "Varghese v. China S. Airlines Co., 925 F.3d 1339 (11th Cir. 2019)"

    found = await checked(made_up, Court(BROWN))

    assert (found.standing, found.record) == ("not_found", None)
    assert found.near
    assert found.near.title == BROWN.caseName


async def test_a_book_is_found_in_whatever_edition() -> None:
    text = "Darwin, C. (1872). On the Origin of Species. London: John Murray."

    found = await checker(Catalogue(ORIGIN)).check_book(CitedWork(text))
    other = await checker(Catalogue(ORIGIN)).check_book(CitedWork("Smith, J. (1859). Owls."))

    assert found
    assert (found.standing, found.exists) == ("confirmed", True)
    assert other is None
