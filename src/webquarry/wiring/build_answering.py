"""Builds the service that answers questions."""

from typing import TYPE_CHECKING

from webquarry.services.answering.index_answers import IndexAnswers
from webquarry.services.answering.local_answers import LocalAnswers
from webquarry.services.answering.local_structured import LocalStructured, StructuredDependencies
from webquarry.services.answering.service import AnswerService

if TYPE_CHECKING:
    from webquarry.wiring.container import Services


def build_answering(services: "Services") -> AnswerService:
    """Return the service; only answers that are written here need reading and searching."""
    structured = StructuredDependencies(
        lambda: services.searching,
        lambda: services.reading,
        lambda: services.extraction,
        lambda: services.parsers,
    )
    store, model = services.store, services.language_model
    answers = (
        LocalAnswers(lambda: services.research, store, model),
        IndexAnswers(lambda: services.research, store, model, index=services.page_index),
    )
    return AnswerService(services.providers, answers, LocalStructured(structured))
