"""Builds the services that write answers and fill schemas."""

from collections.abc import Callable

from webquarry.services.answering.extracting import LocalStructured, Parts
from webquarry.services.answering.local import LocalAnswers
from webquarry.services.answering.service import Answering
from webquarry.services.choice import Choices
from webquarry.services.llm.port import AnswersInJson
from webquarry.services.research.gathering import Research
from webquarry.storage.base import Store


def build_answering(
    choices: Choices,
    store: Store,
    research: Callable[[], Research],
    parts: Parts,
    model: AnswersInJson | None,
) -> Answering:
    """Return answering over these providers; what it reads with is made when first needed."""
    return Answering(choices, LocalAnswers(research, store, model), LocalStructured(parts))
