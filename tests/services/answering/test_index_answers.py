"""Answers from the local index: the caller's own pages, without a search or a request."""

from pathlib import Path

import pytest

from tests.services.answering.fakes import FakeModel, sentence
from tests.services.research.research_setup import OWL_FACTS, ResearchSetup, desk
from tests.support import ALICE, BOB
from webquarry.errors import SettingsError
from webquarry.models.caller import Caller
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.services.answering.index_answers import IndexAnswers
from webquarry.services.llm.llm_port import JsonModel
from webquarry.storage.indexed_page import IndexedPage
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio

QUERY = "How far can barn owls hear a mouse?"
FACTS = "https://birds.test/hearing"
HEARING = "Barn owls can hear a mouse from 40 metres away, as a study of 31 birds showed in 2019."


async def ask(
    path: Path, text: str = QUERY, asker: Caller = ALICE, model: JsonModel | None = None
) -> tuple[WrittenAnswer, ResearchSetup]:
    """Answer from an index that has one page of Alice."""
    shelf, index = ResearchSetup(), PageIndex(path / "index.db")
    made = desk(shelf).services
    page = IndexedPage(url=FACTS, title="Barn owls", text=OWL_FACTS, published="2026-05-01")
    await index.add([page], tenant=ALICE.tenant, owner=ALICE.user)
    answers = IndexAnswers(lambda: made.research, made.store, model, index=index)
    try:
        return await answers.answer_question(AnswerQuery(text=text, asker=asker)), shelf
    finally:
        await index.close()


async def test_the_answer_quotes_pages_that_were_read_and_requests_nothing(tmp_path: Path) -> None:
    answered, shelf = await ask(tmp_path)

    assert answered.text == f"\u201c{HEARING}\u201d [1]"
    (cited,) = answered.citations
    assert (cited.title, cited.url, cited.publishedDate) == ("Barn owls", FACTS, "2026-05-01")
    assert [anchor.quote for anchor in cited.anchors or ()] == [HEARING]
    assert (shelf.searches, shelf.reads) == ([], [])


async def test_a_model_writes_from_the_same_pages(tmp_path: Path) -> None:
    model = FakeModel(sentence("Barn owls hear mice 40 metres away.", (1, HEARING)))

    answered, _ = await ask(tmp_path, model=model)

    assert answered.text == "Barn owls hear mice 40 metres away. [1]"


async def test_pages_of_another_person_are_no_source(tmp_path: Path) -> None:
    answered, _ = await ask(tmp_path, asker=BOB)

    assert answered == WrittenAnswer(
        text="",
        cost=0.0,
        note="None of the pages that you have read or crawled has these words.",
    )


async def test_without_an_index_the_setting_is_named() -> None:
    made = desk(ResearchSetup()).services
    answers = IndexAnswers(lambda: made.research, made.store)

    with pytest.raises(SettingsError, match="LOCAL_INDEX=on"):
        await answers.answer_question(AnswerQuery(text=QUERY, asker=ALICE))
