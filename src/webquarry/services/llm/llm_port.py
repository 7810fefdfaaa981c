"""What we ask of a language model, and what comes back."""

from dataclasses import dataclass
from typing import Any, Protocol

from webquarry.models.caller import Caller


@dataclass(frozen=True, kw_only=True)
class LlmTask:
    """A question whose answer is JSON of a known shape."""

    instructions: str
    text: str  # what it is about; never to be obeyed
    schema: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class LlmUsage:
    """What an answer took."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None  # None: nobody told us the price

    def __add__(self, other: "LlmUsage") -> "LlmUsage":
        priced = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return LlmUsage(
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost_usd=sum(priced) if priced else None,
        )


@dataclass(frozen=True)
class LlmAnswer:
    """JSON that agrees with the schema of the task in its outer shape."""

    data: dict[str, Any]
    usage: LlmUsage


class JsonModel(Protocol):
    """A language model."""

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        """Return the answer; raise an error of ours when there is none, or no budget."""
        ...


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation."""

    role: str  # user or assistant
    text: str


@dataclass(frozen=True)
class LlmReply:
    """What a service answered, and how much it counted."""

    text: str
    tokens_in: int
    tokens_out: int


class ChatApi(Protocol):
    """The wire format of one kind of service."""

    async def say(
        self, instructions: str, turns: tuple[ChatMessage, ...], schema: dict[str, Any]
    ) -> LlmReply:
        """Return the next message."""
        ...
