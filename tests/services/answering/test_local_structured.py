"""Structured search with our own means."""

from typing import Any, cast

import pytest

from tests.services.answering.fakes import PRODUCT, local, product
from tests.services.research.research_setup import ResearchSetup, page
from tests.services.searching.fakes import provider
from tests.support import ALICE, services
from webquarry.errors import BadInputError, BlockedError
from webquarry.models.search import NewsQuery, NewsResult, WebQuery
from webquarry.models.synthesis import Structured, StructuredItem, StructuredQuery
from webquarry.providers.provider import Provider
from webquarry.wiring.container import Services

pytestmark = pytest.mark.anyio
LAMP, DESK = "https://shop.test/lamp", "https://shop.test/desk-lamp"


def wanted(**more: Any) -> StructuredQuery:
    return StructuredQuery(text="lamp aurora", asker=ALICE, **more)


async def find(made: Services, **more: Any) -> Structured:
    return (await made.answering.search(wanted(**more), "local"))[1]


async def test_every_page_found_comes_with_the_data_it_states() -> None:
    shelf = ResearchSetup(
        product(LAMP, "Lamp Aurora", "49.90"), product(DESK, "Lamp Borealis", "19")
    )

    found = await find(local(shelf), fields=PRODUCT)

    assert [(item.url, item.summary) for item in found.items] == [
        (LAMP, {"name": "Lamp Aurora", "price": 49.9, "wattage": None}),
        (DESK, {"name": "Lamp Borealis", "price": 19.0, "wattage": None}),
    ]
    assert (found.cost, found.note) == (0.0, None)


async def test_highlights_stand_on_the_page_word_for_word() -> None:
    shelf = ResearchSetup(product(LAMP, "Lamp Aurora", "49.90"))

    (item,) = (await find(local(shelf), fields=PRODUCT)).items

    assert item.highlights == ("The Lamp Aurora lights a whole room for a song.",)


async def test_a_value_stated_for_programs_comes_with_the_line_that_shows_it() -> None:
    lamp = product(LAMP, "Lamp Aurora", "49.90")
    shown = f"{lamp.markdown}\n\nBefore: 149.90 EUR\n\nNow: 49,90 EUR"
    shelf = ResearchSetup(lamp.model_copy(update={"markdown": shown}))

    (item,) = (await find(local(shelf), fields=PRODUCT)).items

    assert item.highlights == (
        "The Lamp Aurora lights a whole room for a song.",
        "Now: 49,90 EUR",
    )


async def test_without_a_schema_the_summary_is_what_the_page_says_about_it() -> None:
    text = "Lamp Aurora is made in Ghent.\n\nShipping takes two days."
    about = {"title": "Lamp", "authors": ("A. Strix", "B. Otus"), "published": "2026-05-01"}
    shelf = ResearchSetup(page(LAMP, text, **about))

    found = await find(local(shelf))

    assert found.items == (
        StructuredItem(
            title="Lamp",
            url=LAMP,
            publishedDate="2026-05-01",
            author="A. Strix, B. Otus",
            summary="Lamp Aurora is made in Ghent.",
            highlights=("Lamp Aurora is made in Ghent.",),
        ),
    )


async def test_a_page_that_cannot_be_read_is_listed_and_counted() -> None:
    shelf = ResearchSetup((LAMP, BlockedError("Blocked: a wall.")))

    assert await find(local(shelf), fields=PRODUCT) == Structured(
        items=(StructuredItem(title="Result 1", url=LAMP),),
        cost=0.0,
        note="1 of 1 pages could not be read (blocked: 1).",
    )


async def test_no_more_pages_are_read_than_wanted() -> None:
    shelf = ResearchSetup(
        product(LAMP, "Lamp Aurora", "49.90"), product(DESK, "Lamp Borealis", "19")
    )

    assert len((await find(local(shelf), count=1)).items) == 1
    assert shelf.reads == [LAMP]


async def test_nothing_found_is_an_empty_list() -> None:
    assert await find(local(ResearchSetup())) == Structured(cost=0.0)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"category": "company"}, "category: local has news, github; got 'company'."),
        ({"fields": {"type": "string"}}, "schema: must describe an object or an array"),
    ],
)
async def test_what_cannot_be_done_is_refused_before_anything_is_searched(
    more: dict[str, Any], complaint: str
) -> None:
    shelf = ResearchSetup(product(LAMP, "Lamp Aurora", "49.90"))

    with pytest.raises(BadInputError) as caught:
        await find(local(shelf), **more)

    assert str(caught.value) == complaint
    assert (shelf.searches, shelf.reads) == ([], [])


async def test_github_is_searched_where_it_is() -> None:
    shelf = ResearchSetup(product("https://github.com/owls/lamp", "Lamp Aurora", "1"))

    await find(local(shelf), category="github")

    asked: list[WebQuery] = shelf.searches
    assert [query.sites for query in asked] == [("github.com",)]


async def test_news_are_searched_as_news() -> None:
    shelf = ResearchSetup(page(LAMP, "Lamp Aurora sells out in Ghent."))
    article = NewsResult(
        title="Sold out", url=LAMP, source="shop.test", publishedAt="2026-05-01T08:00:00Z"
    )
    asked: list[NewsQuery] = []
    stub: Any = provider("stub")

    async def search_news(query: NewsQuery) -> list[NewsResult]:
        asked.append(query)
        return [article]

    stub.__class__.news_support = stub.web_support
    stub.__class__.search_news = staticmethod(search_news)
    made = services(cast("Provider", stub), reader=shelf)

    (item,) = (await find(made, category="news", count=2)).items

    assert (asked[0].text, asked[0].count) == ("lamp aurora", 2)
    assert (item.title, item.publishedDate) == ("Sold out", "2026-05-01T08:00:00Z")
