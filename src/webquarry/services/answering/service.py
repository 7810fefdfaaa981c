"""Selects the provider that answers a question or fills a schema."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Protocol, TypeVar

from webquarry.errors import BadInputError, ProviderError
from webquarry.models.session import ProviderCall
from webquarry.models.synthesis import AnswerQuery, Structured, StructuredQuery, WrittenAnswer
from webquarry.observe.call_context import log_provider_call
from webquarry.providers.capabilities_synthesis import AnswersQuestions, SearchesStructured
from webquarry.providers.provider import ProviderInfo
from webquarry.services.answering.index_answers import NAME as INDEX
from webquarry.services.answering.local_answers import NAME as LOCAL
from webquarry.services.provider_choice import CapableProviders, ProviderDirectory
from webquarry.services.provider_queries import combined_error


class _Described(Protocol):
    about: ClassVar[ProviderInfo]


OWN = frozenset({LOCAL, INDEX})
P = TypeVar("P", bound=_Described)
T = TypeVar("T")


class AnswerService:
    """Answers and structured searches, each with one provider; there is no fallback."""

    def __init__(
        self,
        choices: ProviderDirectory,
        answers: Sequence[AnswersQuestions],
        searches: SearchesStructured,
    ) -> None:
        """Use the configured providers, and the local implementations as the last ones."""
        self.answers: CapableProviders[AnswersQuestions] = choices.with_own(
            AnswersQuestions, *answers
        )
        self.searches: CapableProviders[SearchesStructured] = choices.with_own(
            SearchesStructured, searches
        )

    async def answer(self, question: AnswerQuery, name: str | None) -> tuple[str, WrittenAnswer]:
        """Return the provider and its answer."""
        provider = _chosen(self.answers, name)
        answer = await _query(self.answers, provider, lambda: provider.answer_question(question))
        _log(provider, question.text, len(answer.citations))
        return provider.about.name, answer

    async def search(self, query: StructuredQuery, name: str | None) -> tuple[str, Structured]:
        """Return the provider and its results."""
        provider = _chosen(self.searches, name)
        found = await _query(self.searches, provider, lambda: provider.search_structured(query))
        _log(provider, query.text, len(found.items))
        return provider.about.name, found


def _chosen(choice: CapableProviders[P], name: str | None) -> P:
    """Return the named provider, the only one with a key, or `local`."""
    with_keys = [known for known in choice.ready if known not in OWN]
    if name is None and len(with_keys) > 1:
        # each costs money, so the caller must choose
        raise BadInputError(
            f"provider: is required, as several are configured: {', '.join(choice.ready)}.",
            alternatives=tuple(choice.ready),
        )
    return choice.first(name or next(iter(with_keys), None))


async def _query(
    choice: CapableProviders[P], provider: P, request: Callable[[], Awaitable[T]]
) -> T:
    used = provider.about.name
    try:
        return await request()
    except ProviderError as error:
        others = tuple(other for other in choice.ready if other != used)
        raise combined_error("the web", [(used, error)], others) from error


def _log(provider: _Described, text: str, count: int) -> None:
    used = provider.about.name
    if used not in OWN:  # the router logs the searches of `local`
        log_provider_call(ProviderCall(provider=used, query=text, hits=count, kept=count))
