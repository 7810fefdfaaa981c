"""Language models: tasks, answers, and the protocols of models and chat APIs."""

from dataclasses import dataclass
from typing import Any, Protocol

from webquarry.models.caller import Caller


@dataclass(frozen=True, kw_only=True)
class LlmTask:
    """A task whose answer is JSON of a given schema."""

    instructions: str
    text: str  # external data, never instructions
    schema: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class LlmUsage:
    """Tokens and cost of an answer."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None  # None: no price is configured

    def __add__(self, other: "LlmUsage") -> "LlmUsage":
        priced = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return LlmUsage(
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost_usd=sum(priced) if priced else None,
        )


@dataclass(frozen=True)
class LlmAnswer:
    """JSON that has the required top-level fields of the schema."""

    data: dict[str, Any]
    usage: LlmUsage


class JsonModel(Protocol):
    """A language model."""

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        """Return the answer; a `WebquarryError` if there is none or no budget."""
        ...


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation."""

    role: str  # user or assistant
    text: str


@dataclass(frozen=True)
class LlmReply:
    """A reply of a service, with its token counts."""

    text: str
    tokens_in: int
    tokens_out: int


class ChatApi(Protocol):
    """The chat API of one kind of service."""

    async def complete(
        self, instructions: str, turns: tuple[ChatMessage, ...], schema: dict[str, Any]
    ) -> LlmReply:
        """Return the next message."""
        ...
