"""Answering over pages that a test wrote."""

import asyncio
import json
from typing import Any, ClassVar

from tests.services.research.research_setup import ResearchSetup, desk, page
from tests.support import CallHarness, override
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.reading import Reading
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.services.answering.local_answers import LocalAnswers
from webquarry.services.answering.local_structured import LocalStructured, StructuredDependencies
from webquarry.services.answering.service import AnswerService
from webquarry.services.llm.llm_port import JsonModel, LlmAnswer, LlmTask, LlmUsage
from webquarry.tools.answer import answer
from webquarry.wiring.container import Services

PRODUCT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "price": {"type": "number"},
        "wattage": {"type": "number"},
    },
}


def product(url: str, name: str, price: str) -> Reading:
    """Return a page of a shop that states its product for programs as well."""
    stated = {"@type": "Product", "name": name, "offers": {"@type": "Offer", "price": price}}
    told = f"The {name} lights a whole room for a song."
    html = (
        f"<html><head><title>{name}</title><script type='application/ld+json'>"
        f"{json.dumps({'@context': 'https://schema.org'} | stated)}</script></head>"
        f"<body><h1>{name}</h1><p>{told}</p></body></html>"
    )
    read = page(url, f"# {name}\n\n{told}", title=name)
    return read.model_copy(update={"source": html})


class FakeModel:
    """A language model that writes what it is told, and remembers what it read."""

    def __init__(self, *sentences: Any, cost: float | None = 0.002) -> None:
        self.sentences = list(sentences)
        self.cost = cost
        self.read: list[str] = []
        self.fails: WebquarryError | None = None
        self.waits = False

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        self.read.append(task.text)
        if self.waits:
            await asyncio.Event().wait()
        if self.fails:
            raise self.fails
        return LlmAnswer({"sentences": self.sentences}, LlmUsage(cost_usd=self.cost))


def sentence(text: str, *quotes: tuple[int, str]) -> dict[str, Any]:
    return {"text": text, "quotes": [{"source": at, "quote": quote} for at, quote in quotes]}


def local(shelf: ResearchSetup, model: JsonModel | None = None) -> Services:
    """Services whose answers come from the pages of the shelf."""
    made = desk(shelf).services
    answers = LocalAnswers(lambda: made.research, made.store, model)
    searches = LocalStructured(
        StructuredDependencies(
            lambda: made.searching, lambda: made.reading, lambda: made.extraction
        )
    )
    return override(made, answering=AnswerService(made.providers, [answers], searches))


def local_desk(shelf: ResearchSetup, model: JsonModel | None = None) -> CallHarness:
    return CallHarness((answer,), services=local(shelf, model))


def answerer(name: str, *, requires: tuple[str, ...] = ()) -> Any:
    """Return a provider of this name that answers what it is told to."""

    class Answers:
        about: ClassVar = ProviderInfo(name=name, docs="", base_url="", requires=requires)

        def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
            del upstreams, keys
            self.asked: list[str] = []
            self.answered = WrittenAnswer(text=f"{name} knows.")
            self.fails: WebquarryError | None = None

        async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
            self.asked.append(question.text)
            if self.fails:
                raise self.fails
            return self.answered

    return Answers()
