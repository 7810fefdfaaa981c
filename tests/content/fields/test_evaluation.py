"""A part of the evaluation (`make eval-extract`), on every run of the tests."""

from collections import Counter
from typing import Any

import jsonschema
import pytest

from bench.extract_fields import URL, judged, measured
from bench.extract_lies import passed
from bench.field_pages import Page, pages
from bench.liar import LIES, Liar, Manner
from webquarry.content.fields.extract_fields import fill_from_html
from webquarry.content.fields.json_schema import nullable, plain_schema
from webquarry.services.llm.language_model import LanguageModel
from webquarry.services.llm.llm_port import ChatMessage, LlmReply
from webquarry.storage.memory_store import MemoryStore

SOME = list(pages())[::3]
UNSEEN = list(pages(unseen=True))[::3]


def test_there_are_enough_pages_of_every_kind() -> None:
    kinds = Counter(page.name.split("/")[0] for page in pages())

    assert kinds.total() >= 80
    assert set(kinds) == {"article", "event", "job", "listing", "person", "product", "recipe"}


@pytest.mark.parametrize("kept", [SOME, UNSEEN], ids=["known", "unseen"])
def test_fields_are_right_or_null_and_hardly_ever_wrong(kept: list[Page]) -> None:
    table, lines = measured(kept)
    total: Counter[str] = sum(table.values(), Counter[str]())

    assert total["right"] / total.total() >= 0.85, lines
    assert total["wrong"] / total.total() <= 0.03, lines


def test_a_wrong_answer_counts_as_wrong() -> None:
    page = next(page for page in pages() if page.name == "product/jsonld/1")
    other = Page(page.name, page.html, page.schema, {**page.gold, "name": "Another", "sku": None})

    verdicts = {pointer: verdict for pointer, verdict, _, _ in judged(other)}

    assert verdicts["/name"] == "wrong"
    assert verdicts["/sku"] == "wrong"
    assert verdicts["/price"] == "right"


@pytest.mark.parametrize("page", SOME, ids=lambda page: page.name)
def test_data_agree_with_the_schema_and_every_value_has_its_quote(page: Page) -> None:
    schema = plain_schema(page.schema)
    filled = fill_from_html(page.html, schema, url=URL)

    jsonschema.validate(filled.data, nullable(schema))
    assert all(found.quote and found.method for found in filled.sources.values())
    assert all(filled.missing.values())
    assert not filled.sources.keys() & filled.missing.keys()


class Mouth:
    """Says what the liar says, without a network."""

    def __init__(self, liar: Liar) -> None:
        self._liar = liar

    async def say(
        self, instructions: str, turns: tuple[ChatMessage, ...], schema: dict[str, Any]
    ) -> LlmReply:
        return LlmReply(self._liar.message(turns[0].text), 10, 10)


@pytest.mark.anyio
@pytest.mark.parametrize("manner", [lie for lie in LIES if lie != "of another field"])
async def test_nothing_a_model_invents_gets_past_the_page(manner: Manner) -> None:
    liar = Liar()
    model = LanguageModel(Mouth(liar), MemoryStore())
    counts: Counter[str] = Counter()
    for page in SOME:
        counts += await passed(model, liar, page, manner)

    assert counts["wrong"] == 0
    assert counts["fields"] > 100


@pytest.mark.anyio
async def test_what_a_model_reads_from_the_page_gets_through() -> None:
    liar = Liar()
    model = LanguageModel(Mouth(liar), MemoryStore())
    page = next(page for page in SOME if page.name.startswith("person/dl"))

    counts = await passed(model, liar, page, "truth")

    assert counts["wrong"] == 0
    assert counts["through"] >= 6
