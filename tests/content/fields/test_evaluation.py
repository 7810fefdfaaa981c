"""A part of the extraction evaluation (`make eval-extract`)."""

from collections import Counter
from typing import Any

import jsonschema
import pytest

from bench.extract_fields import URL, field_verdicts, score_pages
from bench.extract_hallucinations import count_accepted
from bench.field_pages import Page, pages
from bench.hallucinating_llm import FABRICATIONS, Fabrication, HallucinatingLlm
from webquarry.content.fields.extract_fields import fill_from_html
from webquarry.content.fields.json_schema import nullable, resolve_schema
from webquarry.services.llm.language_model import LanguageModel
from webquarry.services.llm.llm_port import ChatMessage, LlmReply
from webquarry.storage.memory_store import MemoryStore

SOME = list(pages())[::3]
UNSEEN = list(pages(unseen=True))[::3]


def test_there_are_enough_pages_of_every_kind() -> None:
    kinds = Counter(page.name.split("/")[0] for page in pages())

    assert kinds.total() >= 80
    assert set(kinds) == {"article", "event", "job", "listing", "person", "product", "recipe"}


@pytest.mark.parametrize("chosen", [SOME, UNSEEN], ids=["known", "unseen"])
def test_fields_are_correct_or_null_and_rarely_wrong(chosen: list[Page]) -> None:
    table, lines = score_pages(chosen)
    total: Counter[str] = sum(table.values(), Counter[str]())

    assert total["right"] / total.total() >= 0.85, lines
    assert total["wrong"] / total.total() <= 0.03, lines


def test_a_wrong_value_counts_as_wrong() -> None:
    page = next(page for page in pages() if page.name == "product/jsonld/1")
    other = Page(page.name, page.html, page.schema, {**page.gold, "name": "Another", "sku": None})

    verdicts = {pointer: verdict for pointer, verdict, _, _ in field_verdicts(other)}

    assert verdicts["/name"] == "wrong"
    assert verdicts["/sku"] == "wrong"
    assert verdicts["/price"] == "right"


@pytest.mark.parametrize("page", SOME, ids=lambda page: page.name)
def test_data_agree_with_the_schema_and_every_value_has_its_quote(page: Page) -> None:
    schema = resolve_schema(page.schema)
    filled = fill_from_html(page.html, schema, url=URL)

    jsonschema.validate(filled.data, nullable(schema))
    assert all(found.quote and found.method for found in filled.sources.values())
    assert all(filled.missing.values())
    assert not filled.sources.keys() & filled.missing.keys()


class FakeLlmApi:
    """An LLM API that returns the fabricated replies without a network."""

    def __init__(self, llm: HallucinatingLlm) -> None:
        self._llm = llm

    async def complete(
        self, instructions: str, turns: tuple[ChatMessage, ...], schema: dict[str, Any]
    ) -> LlmReply:
        return LlmReply(self._llm.reply(turns[0].text), 10, 10)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "fabrication", [each for each in FABRICATIONS if each != "of another field"]
)
async def test_values_that_the_model_invents_are_rejected(fabrication: Fabrication) -> None:
    llm = HallucinatingLlm()
    model = LanguageModel(FakeLlmApi(llm), MemoryStore())
    counts: Counter[str] = Counter()
    for page in SOME:
        counts += await count_accepted(model, llm, page, fabrication)

    assert counts["wrong"] == 0
    assert counts["fields"] > 100


@pytest.mark.anyio
async def test_values_that_the_model_reads_from_the_page_are_accepted() -> None:
    llm = HallucinatingLlm()
    model = LanguageModel(FakeLlmApi(llm), MemoryStore())
    page = next(page for page in SOME if page.name.startswith("person/dl"))

    counts = await count_accepted(model, llm, page, "truth")

    assert counts["wrong"] == 0
    assert counts["accepted"] >= 6
