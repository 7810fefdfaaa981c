"""Protocols of providers that write answers or extract data from pages."""

from typing import ClassVar, Protocol, runtime_checkable

from webquarry.errors import BadInputError
from webquarry.models.synthesis import AnswerQuery, Structured, StructuredQuery, WrittenAnswer
from webquarry.net.upstream.api import ApiLimits
from webquarry.providers.provider import ProviderInfo

# writing takes longer than searching; one try only, because each one costs money
WRITING_LIMITS = ApiLimits(timeout=45, deadline=45, tries=1)


@runtime_checkable
class AnswersQuestions(Protocol):
    """Writes an answer from sources."""

    about: ClassVar[ProviderInfo]

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        """Return the answer; raise `BadInputError` before any paid request."""
        ...


@runtime_checkable
class SearchesStructured(Protocol):
    """Finds pages and extracts data from them."""

    about: ClassVar[ProviderInfo]

    async def search_structured(self, query: StructuredQuery) -> Structured:
        """Return the best pages first; raise `BadInputError` before any paid request."""
        ...


def check_length(text: str, max_chars: int, provider: str) -> str:
    """Return the question; `BadInputError` if it is too long for the provider."""
    if len(text) > max_chars:
        raise BadInputError(
            f"query: {provider} takes at most {max_chars} characters, got {len(text)}.",
            provider=provider,
        )
    return text
