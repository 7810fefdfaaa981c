"""Formats that are derived from the text of a page: summaries, and data of a schema."""

from pathlib import Path
from typing import Any

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import Reply, running_site
from webquarry.crawl.derived_formats import DerivedContent
from webquarry.errors import BadInputError, NetworkError, SettingsError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.services.extraction.derived_content import PageDerivation
from webquarry.services.extraction.service import ExtractionService
from webquarry.services.llm.llm_port import LlmAnswer, LlmTask, LlmUsage

pytestmark = pytest.mark.anyio

PRICE: dict[str, Any] = {"type": "object", "properties": {"price": {"type": "number"}}}
PAGE = Reading(
    url="https://owls.test/",
    final_url="https://owls.test/",
    markdown="Owls cost money.\n\nPrice: 12.50 EUR",
    kind="html",
    metadata=PageMetadata(title="Owl shop"),
)


class SummarisingModel:
    """Summarises every page in the same words, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.texts: list[str] = []

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        self.texts.append(task.text)
        if self.error:
            raise self.error
        return LlmAnswer({"summary": " Owls are sold. "}, LlmUsage())


def derivation(model: SummarisingModel | None = None) -> PageDerivation:
    return PageDerivation(ExtractionService, lambda: model)


async def test_a_model_summarises_a_page() -> None:
    model = SummarisingModel()

    made = await derivation(model).derive("summary", PAGE, None, ALICE)

    assert made == DerivedContent(content="Owls are sold.")
    assert model.texts == [f"<page>\nOwl shop\n\n{PAGE.markdown}\n</page>"]


async def test_the_data_of_a_schema_has_its_quotes() -> None:
    made = await derivation().derive("json", PAGE, PRICE, ALICE)

    assert made == DerivedContent(
        content={
            "data": {"price": 12.5},
            "sources": {"/price": {"quote": "Price: 12.50 EUR", "method": "label"}},
        }
    )


def test_what_cannot_be_made_is_refused_before_the_work_starts() -> None:
    with pytest.raises(SettingsError, match="summary needs a language model; set LLM_MODEL"):
        derivation().check(("markdown", "summary"), None)
    with pytest.raises(BadInputError, match="schema: is for the format json"):
        derivation().check(("markdown",), PRICE)
    with pytest.raises(BadInputError, match="schema: "):
        derivation().check(("json",), {"type": "string"})
    derivation().check(("markdown", "json"), PRICE)
    derivation(SummarisingModel()).check(("summary",), None)


async def test_a_crawl_with_a_schema_has_the_data_of_each_page(tmp_path: Path) -> None:
    def site(path: str, headers: dict[str, str]) -> Reply:
        return Reply(b"<title>Shop</title><main><p>Price: 12.50 EUR</p></main>")

    with running_site(site) as running:
        async with open_crawl_service(tmp_path) as crawling:
            request = CrawlRequest(
                url=f"{running.url}/", max_depth=1, formats=("json", "text"), json_schema=PRICE
            )
            job = await run_crawl(crawling, request)
            first, again = [await crawling.pages(job.id, ALICE) for _ in range(2)]
            with pytest.raises(SettingsError, match="summary"):
                await crawling.start(CrawlRequest(url=running.url, formats=("summary",)), ALICE)

    assert first == again
    assert [dict(page.content) for page in first[0]] == [
        {
            "json": {
                "data": {"price": 12.5},
                "sources": {"/price": {"quote": "Price: 12.50 EUR", "method": "label"}},
            },
            "text": "Price: 12.50 EUR",
        }
    ]


async def test_a_model_that_fails_costs_one_page_its_summary_only(tmp_path: Path) -> None:
    def site(path: str, headers: dict[str, str]) -> Reply:
        return Reply(b"<title>Shop</title><main><p>Owls are sold here.</p></main>")

    model = SummarisingModel(NetworkError("the model does not respond"))
    with running_site(site) as running:
        async with open_crawl_service(tmp_path, derivation=derivation(model)) as crawling:
            request = CrawlRequest(url=f"{running.url}/", max_depth=1, formats=("summary", "text"))
            job = await run_crawl(crawling, request)
            failed, _ = await crawling.pages(job.id, ALICE)
            model.error = None
            made, _ = await crawling.pages(job.id, ALICE)
            stored, _ = await crawling.pages(job.id, ALICE)

    assert [page.content["summary"] for page in (*failed, *made, *stored)] == [
        {"error": "the model does not respond"}, "Owls are sold.", "Owls are sold.",
    ]  # fmt: skip
    assert len(model.texts) == 2
