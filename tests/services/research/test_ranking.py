"""The best source is first, on the pages written for it."""

import pytest

from tests.research_pages import Query, queries
from tests.research_pages.our_ranking import our_order

pytestmark = pytest.mark.anyio

TARGET = 0.9


def test_there_are_queries_enough() -> None:
    assert len(queries()) >= 30
    assert len({query.text for query in queries()}) == len(queries())


async def test_the_best_source_is_first_in_nine_of_ten() -> None:
    missed: list[Query] = []
    for query in queries():
        order = await our_order(query)
        if order[0] != query.best_url:
            missed.append(query)

    share = 1 - len(missed) / len(queries())
    assert share >= TARGET, [query.text for query in missed]


async def test_copies_of_a_text_are_listed_once() -> None:
    orders = {query.text: await our_order(query) for query in queries()}
    fewer = [query.text for query in queries() if len(orders[query.text]) < len(query.pages)]

    assert fewer == [
        "wildfire smoke N95 mask effectiveness",
        "SQLite WAL mode concurrent readers writers",
        "city council approves bike lane network budget Portside",
        "Rust borrow checker error E0502 cannot borrow as mutable",
    ]
