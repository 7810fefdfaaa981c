"""Answers with our own means: nothing in them that no page says."""

import re
from typing import Any

import pytest

from tests.services.answering.fakes import FakeModel, local, sentence
from tests.services.research.research_setup import OWL_FACTS, OWL_MUSIC, ResearchSetup, page
from tests.support import ALICE, BOB
from webquarry.errors import BlockedError, RateLimitError
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.wiring.container import Services

pytestmark = pytest.mark.anyio

QUERY = "How far can barn owls hear a mouse?"
FACTS, BAND, CLUB = "https://birds.test/hearing", "https://band.test/", "https://club.test/owls"
HEARING = "Barn owls can hear a mouse from 40 metres away, as a study of 31 birds showed in 2019."
CLUB_TEXT = """Do barn owls hear better than mice do in the dark of night?

Our club counts barn owls every spring. In tests, barn owls could hear a mouse at 36 metres.

Membership costs 12 euros a year."""
_MARKED = re.compile(r"\u201c(.+?)\u201d \[(\d+)\] ?")


def shelf() -> ResearchSetup:
    return ResearchSetup(
        page(FACTS, title="Barn owls", published="2026-05-01"),
        page(BAND, OWL_MUSIC, title="The Barn Owls"),
        page(CLUB, CLUB_TEXT, title="Owl club"),
    )


async def ask(services: Services, text: str = QUERY, asker: Any = ALICE) -> WrittenAnswer:
    return (await services.answering.answer(AnswerQuery(text=text, asker=asker), None))[1]


async def test_without_a_model_the_answer_is_the_best_sentences_word_for_word() -> None:
    answered = await ask(local(shelf()))

    assert answered.text == (
        f"\u201c{HEARING}\u201d [1] "
        "\u201cIn tests, barn owls could hear a mouse at 36 metres.\u201d [2]"
    )
    assert [(c.title, c.url, c.publishedDate) for c in answered.citations] == [
        ("Barn owls", FACTS, "2026-05-01"),
        ("Owl club", CLUB, None),
    ]
    assert answered.cost == 0.0
    assert answered.note == "Sentences quoted from the sources; no language model is configured."


async def test_every_sentence_can_be_traced_to_a_quotation_that_holds() -> None:
    services = local(shelf())
    answered = await ask(services)

    assert _MARKED.sub("", answered.text + " ").strip() == ""
    for quote, number in _MARKED.findall(answered.text + " "):
        anchors = answered.citations[int(number) - 1].anchors or ()
        (anchor,) = [anchor for anchor in anchors if anchor.quote == quote]
        checked = await services.research.evidence.verify(anchor, ALICE)
        assert checked.stored == "verified"
        assert anchor.url.startswith(f"{answered.citations[int(number) - 1].url}#:~:text=")


async def test_an_answer_is_kept_for_whoever_asked_and_nobody_else() -> None:
    pages = shelf()
    model = FakeModel(sentence("Owls hear mice from 40 metres.", (1, HEARING)))
    services = local(pages, model)

    first, second = await ask(services), await ask(services)
    others = await ask(services, asker=BOB)

    assert first.model_copy(update={"cost": 0.0}) == second
    assert len(model.read) == 2
    for anchor in others.citations[0].anchors or ():
        assert (await services.research.evidence.verify(anchor, BOB)).stored == "verified"


async def test_pages_that_say_nothing_about_it_are_named_without_an_answer() -> None:
    answered = await ask(local(shelf()), "melting point of tungsten carbide")

    assert answered.text == ""
    assert {c.url for c in answered.citations} == {FACTS, BAND, CLUB}
    assert answered.note == "None of the 3 pages that were read mentions the question."


async def test_pages_that_cannot_be_read_are_not_pages_that_say_nothing() -> None:
    answered = await ask(local(ResearchSetup((FACTS, BlockedError("Blocked: a wall.")))))

    assert answered == WrittenAnswer(
        text="", cost=0.0, note="None of the 1 pages found could be read (blocked: 1)."
    )


async def test_a_search_without_results_says_so() -> None:
    answered = await ask(local(ResearchSetup()))

    assert answered == WrittenAnswer(
        text="", cost=0.0, note="The search found nothing; rephrase the question."
    )


async def test_a_model_writes_and_what_it_wrote_is_backed() -> None:
    model = FakeModel(sentence("Barn owls hear mice 40 metres away.", (1, HEARING)))

    answered = await ask(local(shelf(), model))

    assert answered.text == "Barn owls hear mice 40 metres away. [1]"
    (cited,) = answered.citations
    assert [anchor.quote for anchor in cited.anchors or ()] == [HEARING]
    assert (answered.cost, answered.note) == (0.002, None)
    assert QUERY in model.read[0]
    assert OWL_FACTS.split("\n\n")[1] in model.read[0]


INVENTED = [
    sentence("Barn owls hear mice 90 metres away.", (1, HEARING)),  # another figure
    sentence("Barn owls hear mice 40 metres away."),  # no quotation
    sentence("Barn owls hear mice.", (1, "Barn owls can hear a mouse from 90 metres away.")),
    sentence("Barn owls hear mice 40 metres away.", (2, HEARING)),  # another page
    sentence("Barn owls hear mice 40 metres away.", (0, HEARING)),
    sentence("Barn owls hear mice 40 metres away.", (9, HEARING)),
    sentence("Barn owls hear mice 40 metres away.", (1, "Barn owls")),  # says nothing
    sentence("Lead pipes poisoned many Roman emperors slowly.", (1, HEARING)),
    sentence("Barn owls cannot hear a mouse from 40 metres away.", (1, HEARING)),
    sentence("Barn owls hear mice 40 metres away. They sing in operas.", (1, HEARING)),
    sentence("", (1, HEARING)),
]


@pytest.mark.parametrize("invented", INVENTED)
async def test_what_no_source_says_never_passes(invented: dict[str, Any]) -> None:
    good = sentence("Barn owls hear mice 40 metres away.", (1, HEARING))

    answered = await ask(local(shelf(), FakeModel(invented, good)))

    assert answered.text == "Barn owls hear mice 40 metres away. [1]"
    assert answered.note == "Left out 1 of 2 sentences that no source supports."


async def test_a_model_that_only_invents_is_replaced_by_quotations() -> None:
    answered = await ask(local(shelf(), FakeModel(*INVENTED)))

    assert answered.text.startswith(f"\u201c{HEARING}\u201d [1]")
    assert answered.note == (
        "Sentences quoted from the sources; what the language model wrote is not in them."
    )
    assert answered.cost == 0.002  # it was paid all the same


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (FakeModel(), "it wrote nothing"),
        (FakeModel("no object"), "what the language model wrote is not in them"),
    ],
)
async def test_a_model_without_an_answer_is_replaced_by_quotations(
    model: FakeModel, why: str
) -> None:
    answered = await ask(local(shelf(), model))

    assert answered.text.startswith(f"\u201c{HEARING}\u201d [1]")
    assert answered.note == f"Sentences quoted from the sources; {why}."


async def test_a_model_that_fails_is_named_and_replaced() -> None:
    model = FakeModel()
    model.fails = RateLimitError("Rate limited.", provider="llm")

    answered = await ask(local(shelf(), model))

    assert answered.text.startswith(f"\u201c{HEARING}\u201d [1]")
    assert answered.note == (
        "Sentences quoted from the sources; the language model failed (rate_limited)."
    )


async def test_a_model_that_takes_too_long_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.services.answering.local_answers._MODEL_SECONDS", 0)
    model = FakeModel()
    model.waits = True

    answered = await ask(local(shelf(), model))

    assert answered.text.startswith(f"\u201c{HEARING}\u201d [1]")
    assert answered.note == ("Sentences quoted from the sources; the language model took too long.")
    assert answered.cost is None  # it may have been paid
