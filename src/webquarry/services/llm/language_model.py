"""A language model that answers in JSON: retries, token counts and a daily budget."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from webquarry.content.text.token_count import BYTES_PER_TOKEN, compact_json
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import PayloadError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.net.clock import Clock
from webquarry.services.llm.llm_port import (
    ChatApi,
    ChatMessage,
    LlmAnswer,
    LlmReply,
    LlmTask,
    LlmUsage,
)
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store

_DAY = 86_400.0
_MICRO = 1_000_000
NAME = "llm"


@dataclass(frozen=True, kw_only=True)
class LlmBudget:
    """Prices and limits; 0 means no price and no limit."""

    price_in: float = 0.0  # USD for a million tokens
    price_out: float = 0.0
    daily_tokens: int = 0  # of one tenant
    daily_usd: float = 0.0
    tries: int = 3


class LanguageModel:
    """Answers in JSON."""

    def __init__(
        self,
        api: ChatApi,
        store: Store,
        budget: LlmBudget | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._api = api
        self._store = store
        self._budget = budget or LlmBudget()
        self._clock = clock or Clock()

    async def answer(self, task: LlmTask, caller: Caller) -> LlmAnswer:
        """Return the answer to a task within the budget of the caller's tenant."""
        instructions = f"{task.instructions}\n\nAnswer with JSON only, of this schema:\n"
        instructions += compact_json(task.schema)
        turns, usage = (ChatMessage("user", without_invisible(task.text)),), LlmUsage()
        problem = ""
        for _ in range(self._budget.tries):
            await self._check_budget(caller)
            reply = await self._api.complete(instructions, turns, task.schema)
            usage += await self._count(reply, caller, instructions, turns)
            data, problem = _parsed(reply.text, task.schema)
            if data is not None:
                return LlmAnswer(data, usage)
            correction = (
                f"That was not what was asked: {problem}. Answer again, with the JSON only."
            )
            turns = (
                *turns,
                ChatMessage("assistant", reply.text[:20_000] or "-"),
                ChatMessage("user", correction),
            )
        raise PayloadError(
            f"The language model gave no valid answer in {self._budget.tries} tries: {problem}.",
            provider=NAME,
        )

    async def _check_budget(self, caller: Caller) -> None:
        tokens = await self._spent(caller, "tokens")
        if self._budget.daily_tokens and tokens >= self._budget.daily_tokens:
            raise self._exhausted(f"LLM_DAILY_TOKENS={self._budget.daily_tokens}")
        usd = await self._spent(caller, "usd") / _MICRO
        if self._budget.daily_usd and usd >= self._budget.daily_usd:
            raise self._exhausted(f"LLM_DAILY_USD={self._budget.daily_usd:g}")

    def _exhausted(self, setting: str) -> RateLimitError:
        remaining = _DAY - self._clock.time() % _DAY
        return RateLimitError(
            f"The language model's budget for today is used up ({setting}).",
            provider=NAME,
            retry_after=remaining,
        )

    async def _count(
        self, reply: LlmReply, caller: Caller, instructions: str, turns: tuple[ChatMessage, ...]
    ) -> LlmUsage:
        sent = len(instructions) + sum(len(turn.text) for turn in turns)
        usage = LlmUsage(
            # services that do not report tokens are counted as well
            tokens_in=reply.tokens_in or sent // BYTES_PER_TOKEN,
            tokens_out=reply.tokens_out or len(reply.text) // BYTES_PER_TOKEN,
        )
        budget = self._budget
        cost = (usage.tokens_in * budget.price_in + usage.tokens_out * budget.price_out) / _MICRO
        total = usage.tokens_in + usage.tokens_out
        await self._store.increment(self._key(caller, "tokens"), total, ttl=2 * _DAY)
        if not (budget.price_in or budget.price_out):
            return usage
        await self._store.increment(self._key(caller, "usd"), round(cost * _MICRO), ttl=2 * _DAY)
        return LlmUsage(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, cost_usd=cost)

    async def _spent(self, caller: Caller, what: str) -> int:
        # adding 0 reads a counter; stores have no other way
        return await self._store.increment(self._key(caller, what), 0, ttl=2 * _DAY)

    def _key(self, caller: Caller, what: str) -> str:
        day = datetime.fromtimestamp(self._clock.time(), UTC).date().isoformat()
        return name_of("llm", caller.tenant, what, day)


def _parsed(text: str, schema: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    start, end = text.find("{"), text.rfind("}")
    try:
        data: Any = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError) as error:
        return None, f"it is not JSON ({error})"
    if not isinstance(data, dict):
        return None, "it contains no JSON object"
    found = cast("dict[str, Any]", data)
    missing = [name for name in schema.get("required", ()) if name not in found]
    return (None, f"{missing[0]} is missing") if missing else (found, "")
