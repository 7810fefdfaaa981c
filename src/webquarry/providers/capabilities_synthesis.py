"""What a provider that writes answers, or takes data out of pages, can be asked."""

from typing import ClassVar, Protocol, runtime_checkable

from webquarry.errors import BadInputError
from webquarry.models.synthesis import AnswerQuery, Structured, StructuredQuery, WrittenAnswer
from webquarry.net.upstream.api import ApiLimits
from webquarry.providers.provider import ProviderInfo

# writing takes longer than finding; sent once, as every try is paid for
WRITING = ApiLimits(timeout=45, deadline=45, tries=1)


@runtime_checkable
class AnswersQuestions(Protocol):
    """Writes an answer from sources."""

    about: ClassVar[ProviderInfo]

    async def answer_question(self, question: AnswerQuery) -> WrittenAnswer:
        """Return the answer; raise `BadInputError` before anything that costs money."""
        ...


@runtime_checkable
class SearchesStructured(Protocol):
    """Finds pages and takes data out of them."""

    about: ClassVar[ProviderInfo]

    async def search_structured(self, query: StructuredQuery) -> Structured:
        """Return the best pages first; raise `BadInputError` before anything that costs money."""
        ...


def fitting(text: str, most: int, provider: str) -> str:
    """Return the question if the provider takes one that long; refuse it otherwise."""
    if len(text) > most:
        raise BadInputError(
            f"query: {provider} takes at most {most} characters, got {len(text)}.",
            provider=provider,
        )
    return text
