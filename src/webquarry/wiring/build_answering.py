"""Builds the services that write answers and fill schemas."""

from collections.abc import Callable

from webquarry.services.answering.local_answers import LocalAnswers
from webquarry.services.answering.local_structured import LocalStructured, StructuredDependencies
from webquarry.services.answering.service import AnswerService
from webquarry.services.llm.llm_port import JsonModel
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.research.research_service import ResearchService
from webquarry.storage.store import Store


def build_answering(
    choices: ProviderDirectory,
    store: Store,
    research: Callable[[], ResearchService],
    parts: StructuredDependencies,
    model: JsonModel | None,
) -> AnswerService:
    """Return answering over these providers; what it reads with is made when first needed."""
    return AnswerService(choices, LocalAnswers(research, store, model), LocalStructured(parts))
