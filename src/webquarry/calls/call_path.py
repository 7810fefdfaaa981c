"""The one way a tool is called, whoever calls it.

validate → authorise → rate-limit → coalesce → cache → run with deadline → shape → record
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from webquarry.auth.scopes import allows
from webquarry.calls.arguments import parse_arguments
from webquarry.calls.coalesce import CallCoalescer
from webquarry.calls.paging import Budgeted, first_page, next_page
from webquarry.calls.registry import Registry
from webquarry.calls.result_cache import ResultCache, ToolOutput
from webquarry.calls.result_shape import shape, shape_error
from webquarry.calls.session_links import SessionLinks
from webquarry.calls.tool import AnyTool, CacheRule, Call, ReportsProgress
from webquarry.content.text.token_count import compact_json
from webquarry.errors import DeadlineError, ForbiddenError, InternalError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import Result, TextBlock
from webquarry.observe.call_context import bind_call, bind_person
from webquarry.observe.provider_log import collecting
from webquarry.observe.trace import span
from webquarry.services import Services

if TYPE_CHECKING:
    from pydantic import BaseModel

    from webquarry.models.session import ProviderCall

logger = logging.getLogger(__name__)

MAX_SECONDS = 120.0


@dataclass(frozen=True)
class CallRecord:
    """What is remembered about a finished call."""

    tool: str
    caller: Caller
    request_id: str
    seconds: float
    query: str | None  # what was searched for, when the tool takes a query
    outcome: str  # ok, cancelled, or the kind of the error
    message: str = ""
    cached: bool = False
    routing: Mapping[str, Any] | None = None
    spent: Mapping[str, Any] | None = None  # who was paid for it, and how much


@dataclass(frozen=True, kw_only=True)
class CallRules:
    """The bounds of every call."""

    admit: Callable[[Caller], Awaitable[None]]
    record: Callable[[CallRecord], None]
    timeout: float = 60.0
    link_at: int = 24 * 1024
    isolate_cache: bool = False  # each tenant has a cache of its own


class CallPath:
    """Calls tools by name."""

    def __init__(self, registry: Registry, services: Services, rules: CallRules) -> None:
        self.registry = registry
        self._services = services
        self._rules = rules
        self._flights: CallCoalescer[ToolOutput] = CallCoalescer()
        self._kept = ResultCache(lambda: services.store)

    async def close(self) -> None:
        """Store what is still to be stored."""
        await self._kept.close()

    def over(self, registry: Registry) -> "CallPath":
        """Return the same path to other tools."""
        return CallPath(registry, self._services, self._rules)

    async def call(
        self, name: str, arguments: Any, caller: Caller, *, request_id: str, report: ReportsProgress
    ) -> Result:
        """Run the tool; every failure comes back as an error result, never as an exception.

        Only an unknown tool name raises (`NotFoundError`): that is the client's mistake.
        """
        tool = self.registry.lookup(name)
        call = Call(self._services, caller, request_id, report)
        started, outcome, message = time.perf_counter(), "cancelled", ""
        with (
            bind_call(request_id, name),
            bind_person(caller.tenant, caller.user) if caller.proved else nullcontext(),
            span(f"tool {name}", tool=name) as annotate,
        ):
            try:
                result = await self._attempt(tool, arguments, call)
                outcome = "error" if result.is_error else "ok"
            except WebquarryError as exc:
                call.meta.update(exc.meta)
                result, outcome, message = shape_error(exc, call.meta), exc.advice.kind, str(exc)
            finally:
                seconds = time.perf_counter() - started
                annotate(outcome=outcome)
                self._rules.record(
                    CallRecord(
                        tool=name,
                        caller=caller,
                        request_id=request_id,
                        seconds=seconds,
                        query=_query(arguments),
                        outcome=outcome,
                        message=message,
                        cached=bool(call.meta.get("cached")),
                        routing=call.meta.get("routing"),
                        spent=call.meta.get("spent"),
                    )
                )
        return result

    async def _attempt(self, tool: AnyTool, arguments: Any, call: Call) -> Result:
        args = parse_arguments(tool, arguments)
        _authorise(tool, call.caller)
        await self._rules.admit(call.caller)
        if isinstance(args, Budgeted) and args.cursor:
            body = await next_page(tool, args, args.cursor, call)
            return await shape(tool, body, Result(), call, link_at=self._rules.link_at)
        linking = SessionLinks.wanted(tool, args, call)
        try:
            answer = await self._answer(tool, args, call)
        except WebquarryError as exc:
            if linking:
                await linking.failed(exc)
            raise
        call.meta.update(answer.meta)
        if answer.body is None:
            return await shape(tool, None, answer.result, call, link_at=self._rules.link_at)
        if tool.options.afterwards and tool.returns:
            out = answer.out or tool.returns.model_validate(answer.body)
            await tool.options.afterwards(args, out, call)
        notice = await linking.succeeded(answer.body, answer.asks) if linking else None
        body = await first_page(tool, args, answer.body, call)
        result = await shape(tool, body, answer.result, call, link_at=self._rules.link_at)
        return _with(result, notice) if notice else result

    async def _answer(self, tool: AnyTool, args: Model, call: Call) -> ToolOutput:
        rule = tool.options.cache
        if rule is None:
            return await self._run(tool, args, call)
        key = self._cache_key(tool, rule, args, call.caller)
        if (kept := await self._kept.find(rule, key)) is not None:
            return kept

        async def work(report: ReportsProgress) -> ToolOutput:
            own = Call(
                call.services,
                call.caller,
                call.request_id,
                report,
                started=call.started,
                unlisted=call.unlisted,
            )
            answer = await self._run(tool, args, own)
            return self._kept.keep(rule, key, answer)

        # Callers of one flight share the answer, so its key names the person as well.
        flight = f"{call.caller.tenant}\0{call.caller.user}\0{key}"
        return await self._flights.run(flight, call.report, work)

    async def _run(self, tool: AnyTool, args: Model, call: Call) -> ToolOutput:
        seconds = min(tool.options.timeout or self._rules.timeout, MAX_SECONDS)
        deadline = asyncio.timeout(seconds)
        asks: list[ProviderCall] = []
        try:
            async with deadline:
                with collecting(asks):
                    returned = await tool.handler(args, call)
                    body, result = tool.split(returned)
        except WebquarryError as exc:
            exc.meta, exc.asks = dict(call.meta), tuple(asks)
            raise
        # a handler is anybody's code: whatever it raises becomes one honest sentence
        except Exception as exc:
            if deadline.expired():
                late = f"{tool.name} did not finish within {seconds:g} seconds."
                raise DeadlineError(late) from exc
            logger.exception("%s failed unexpectedly", tool.name)
            raise InternalError(
                f"{tool.name} failed inside the server; see its log, request {call.request_id}."
            ) from exc
        asked = [ask.model_dump() for ask in asks]
        return ToolOutput(body, result, dict(call.meta), asked, _typed(tool, returned))

    def _cache_key(self, tool: AnyTool, rule: CacheRule, args: Model, caller: Caller) -> str:
        asked = args.model_dump(mode="json", exclude={"max_tokens", "cursor", *rule.ignore})
        question = compact_json([tool.name, rule.version, asked])
        scope = caller.tenant if self._rules.isolate_cache else ""
        return f"cache:{scope}:{hashlib.sha256(question.encode()).hexdigest()}"


def _typed(tool: AnyTool, returned: Any) -> "BaseModel | None":
    """Return the output model among what a handler returned, if the body was made from it."""
    pair = cast("tuple[Any, ...]", returned if isinstance(returned, tuple) else (returned,))
    out: Any = pair[0]
    typed = tool.returns is not None and isinstance(out, tool.returns)
    return out if typed and out.model_fields_set else None


def _with(result: Result, notice: str) -> Result:
    """Return the result with something that the assistant itself should read."""
    return result.model_copy(update={"content": (*result.content, TextBlock(text=notice))})


def _query(arguments: Any) -> str | None:
    query = cast("dict[str, Any]", arguments).get("query") if isinstance(arguments, dict) else None
    return query if isinstance(query, str) else None


def _authorise(tool: AnyTool, caller: Caller) -> None:
    if not allows(caller.scopes, tool.name, tool.toolset):
        raise ForbiddenError(
            f"{tool.name}: your token lacks a scope for this tool; ask for tool:{tool.name}.",
            details={"detail": "insufficient_scope"},
        )
