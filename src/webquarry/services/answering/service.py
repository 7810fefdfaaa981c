"""Which service answers, and what callers are told when it cannot."""

from collections.abc import Awaitable, Callable
from typing import ClassVar, Protocol, TypeVar

from webquarry.errors import BadInputError, ProviderError
from webquarry.models.session import ProviderCall
from webquarry.models.synthesis import AnswerQuery, Structured, StructuredQuery, WrittenAnswer
from webquarry.observe.provider_log import note_ask
from webquarry.providers.capabilities_synthesis import AnswersQuestions, SearchesStructured
from webquarry.providers.provider import ProviderInfo
from webquarry.services.answering.local_answers import NAME as LOCAL
from webquarry.services.provider_choice import CapableProviders, ProviderDirectory
from webquarry.services.provider_failure import combined


class _Described(Protocol):
    about: ClassVar[ProviderInfo]


P = TypeVar("P", bound=_Described)
T = TypeVar("T")


class AnswerService:
    """Writes answers and fills schemas, each with one service; no other steps in for it."""

    def __init__(
        self, choices: ProviderDirectory, answers: AnswersQuestions, searches: SearchesStructured
    ) -> None:
        """Take what others offer, and our own means of doing the same."""
        self.answers: CapableProviders[AnswersQuestions] = choices.beside(AnswersQuestions, answers)
        self.searches: CapableProviders[SearchesStructured] = choices.beside(
            SearchesStructured, searches
        )

    async def answer(self, question: AnswerQuery, name: str | None) -> tuple[str, WrittenAnswer]:
        """Return who answered, and what."""
        provider = _chosen(self.answers, name)
        answered = await _asked(self.answers, provider, lambda: provider.answer_question(question))
        _note(provider, question.text, len(answered.citations))
        return provider.about.name, answered

    async def search(self, query: StructuredQuery, name: str | None) -> tuple[str, Structured]:
        """Return who searched, and what was found."""
        provider = _chosen(self.searches, name)
        found = await _asked(self.searches, provider, lambda: provider.search_structured(query))
        _note(provider, query.text, len(found.items))
        return provider.about.name, found


def _chosen(choice: CapableProviders[P], name: str | None) -> P:
    """Return the service that is named, or the only one with a key, or what we do ourselves."""
    with_keys = [known for known in choice.ready if known != LOCAL]
    if name is None and len(with_keys) > 1:
        # each costs money, so nobody but the caller may choose between them
        raise BadInputError(
            f"provider: is required, as several are configured: {', '.join(choice.ready)}.",
            alternatives=tuple(choice.ready),
        )
    return choice.first(name or next(iter(with_keys), None))


async def _asked(
    choice: CapableProviders[P], provider: P, question: Callable[[], Awaitable[T]]
) -> T:
    used = provider.about.name
    try:
        return await question()
    except ProviderError as error:
        others = tuple(other for other in choice.ready if other != used)
        raise combined("the web", [(used, error)], others) from error


def _note(provider: _Described, text: str, count: int) -> None:
    used = provider.about.name
    if used != LOCAL:  # whose searches are noted where they are made
        note_ask(ProviderCall(provider=used, query=text, hits=count, kept=count))
