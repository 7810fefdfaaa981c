"""The one way a tool is called, for every transport.

validate → authorise → limit → cache → coalesce → run with a deadline → remove invisible
characters → page → shape → record
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import to_json

from webquarry.auth.scopes import allows
from webquarry.calls.arguments import parse_arguments
from webquarry.calls.call_summary import call_subject, check_verdict
from webquarry.calls.capture_scope import capture_scope
from webquarry.calls.paging import Budgeted, check_cursor, first_page, next_page, token_budget
from webquarry.calls.registry import Registry
from webquarry.calls.result_cache import ResultCache
from webquarry.calls.result_shape import SizeLimits, shape, shape_error
from webquarry.calls.session_links import SessionLink
from webquarry.calls.text_parts import next_text, text_cursor
from webquarry.calls.tool import AnyTool, CacheRule, Call, StopsWork, ToolOutput
from webquarry.calls.visible_result import visible_output, visible_progress
from webquarry.concurrency.coalesce import Coalescer, ReportsProgress
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import DeadlineError, ForbiddenError, InternalError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import Result, TextBlock
from webquarry.observe.active_recorder import captured_for
from webquarry.observe.call_context import ActiveCall, CallRecord, new_request_id
from webquarry.observe.trace import span
from webquarry.services.provider_queries import without_other_providers
from webquarry.wiring.container import Services

logger = logging.getLogger(__name__)

MAX_SECONDS = 120.0
_CACHE_FORMAT = 2  # increase it when the results of all tools change
_NOT_IN_KEY = {"max_tokens", "cursor", "sessionId"}  # they do not change the output of a tool


@dataclass(frozen=True, kw_only=True)
class CallRules:
    """The limits of every call."""

    record: Callable[[CallRecord], None]
    # counts a call, and raises when a rate limit is reached; None: no limits
    admit: Callable[[Caller], Awaitable[object]] | None = None
    timeout: float = 60.0
    link_at: int = 24 * 1024  # bytes from which a result is stored as an artifact
    summary_tokens: int = 10_000  # of the text of a result; a longer one is returned in parts
    isolate_cache: bool = False  # tenants share no cached results


class CallPath:
    """Calls tools by name."""

    def __init__(self, registry: Registry, services: Services, rules: CallRules) -> None:
        self.registry = registry
        self._services = services
        self._rules = rules
        self._coalescer: Coalescer[ToolOutput] = Coalescer()
        self._cache = ResultCache(lambda: services.store)

    async def close(self) -> None:
        """Write the results that are not in the store yet."""
        await self._cache.close()

    def over(self, registry: Registry) -> "CallPath":
        """Return the same path to other tools."""
        return CallPath(registry, self._services, self._rules)

    async def call(
        self,
        name: str,
        arguments: Any,
        caller: Caller,
        *,
        request_id: str = "",
        report: ReportsProgress | None = None,
        time_limit: float | None = None,
    ) -> Result:
        """Run the tool; every failure is returned as an error result, never raised.

        Only an unknown tool name raises (`NotFoundError`): that is the client's mistake. A task
        gives the tool a `time_limit` in seconds beyond its usual timeout.
        """
        tool = self.registry.lookup(name)
        request_id = request_id or new_request_id()
        call = Call(self._services, caller, request_id, report and visible_progress(report))
        call.time_limit = time_limit
        outcome, message = "cancelled", ""
        with (
            ActiveCall(request_id, name, call.provider_calls, caller),
            span(f"tool {name}", tool=name) as annotate,
        ):
            try:
                result = await self._result(tool, arguments, call)
                outcome = "error" if result.is_error else "ok"
            except WebquarryError as exc:
                call.meta.update(exc.meta)
                if "provider" not in tool.input_model.model_fields:
                    without_other_providers(exc)
                result, outcome, message = shape_error(exc, call.meta), exc.advice.kind, str(exc)
            finally:
                if annotate:
                    annotate(outcome=outcome)
                self._rules.record(_record(tool, arguments, call, outcome, message))
        return result

    async def admit(self, name: str, caller: Caller) -> None:
        """Check the scopes of a caller for a tool, and count work that is like its own."""
        await self._admit_caller(self.registry.lookup(name), caller)

    async def cancel(self, stop: StopsWork, key: str, caller: Caller) -> None:
        """Stop what a call has started with this idempotency key."""
        await stop(key, self._services, caller)

    async def _result(self, tool: AnyTool, arguments: Any, call: Call) -> Result:
        if cursor := text_cursor(tool, arguments):
            await self._admit(tool, call)
            return await next_text(tool, cursor, call)
        args = parse_arguments(tool, arguments)
        await self._admit(tool, call)
        check_cursor(args)
        sizes = self._sizes(args)
        if isinstance(args, Budgeted) and args.cursor:
            body = await next_page(tool, args, args.cursor, call)
            return await shape(tool, ToolOutput(body), call, sizes)
        session = _session_link(tool, args, call)
        try:
            with await capture_scope(args, call):
                output = await self._output(tool, args, call)
        except WebquarryError as exc:
            if session:
                await session.record_failure(exc)
            raise
        call.meta.update(output.meta)
        call.body = output.body
        notice = None
        if output.body is not None:
            await _after_call(tool, args, output, call)
            notice = await session.record_output(output) if session else None
            if isinstance(args, Budgeted) and (budget := token_budget(tool, args)):
                body = await first_page(tool, args, budget, output.body, call)
                output = ToolOutput(body, output.result, whole=output.body)
        result = await shape(tool, output, call, sizes)
        return _with_notice(result, notice) if notice else result

    async def _admit(self, tool: AnyTool, call: Call) -> None:
        """Check the scopes of the caller and count the call."""
        await self._admit_caller(tool, call.caller)

    async def _admit_caller(self, tool: AnyTool, caller: Caller) -> None:
        if caller.scopes is not None:
            _check_scopes(tool, caller.scopes)
        if self._rules.admit:
            await self._rules.admit(caller)

    def _sizes(self, args: Model) -> SizeLimits:
        """Return the limits of a result; a caller may accept a longer text."""
        tokens = getattr(args, "max_tokens", None) or 0
        return SizeLimits(self._rules.link_at, max(tokens, self._rules.summary_tokens))

    async def _output(self, tool: AnyTool, args: Model, call: Call) -> ToolOutput:
        rule = tool.options.cache
        if rule is None:
            return await self._run(tool, args, call)
        key = self._cache_key(tool, rule, args, call.caller)
        if (cached := await self._cache.get(rule, key)) is not None:
            return cached

        async def work(report: ReportsProgress) -> ToolOutput:
            call.report = report  # reports to the listeners of all callers
            output = await self._run(tool, args, call)
            self._cache.put(rule, key, output, owner=call.caller)
            return output

        # callers of one run share its result, so its key names the person as well
        run_key = f"{call.caller.tenant}\0{call.caller.user}\0{key}"
        return await self._coalescer.run(run_key, work, call.report)

    async def _run(self, tool: AnyTool, args: Model, call: Call) -> ToolOutput:
        usual = min(tool.options.timeout or self._rules.timeout, MAX_SECONDS)
        seconds = call.time_limit or usual
        deadline = asyncio.timeout(seconds)
        try:
            async with deadline:
                output = tool.output(await tool.handler(args, call))
        except WebquarryError as exc:
            exc.meta, exc.provider_calls = dict(call.meta), tuple(call.provider_calls)
            raise
        # handlers may raise anything: the caller gets one sentence, the log the traceback
        except Exception as exc:
            if deadline.expired():
                message = f"{tool.name} did not finish within {seconds:g} seconds."
                raise DeadlineError(message) from exc
            logger.exception("%s failed unexpectedly", tool.name)
            raise InternalError(
                f"{tool.name} failed inside the server; see its log, request {call.request_id}."
            ) from exc
        output = visible_output(tool, output)
        output.meta = dict(call.meta)
        output.provider_calls = [made.model_dump() for made in call.provider_calls]
        return output

    def _cache_key(self, tool: AnyTool, rule: CacheRule, args: Model, caller: Caller) -> str:
        arguments = args.model_dump(mode="json", exclude=_NOT_IN_KEY)
        owner = captured_for(caller)
        identity = to_json([_CACHE_FORMAT, tool.name, rule.version, arguments, *owner])
        scope = caller.tenant if self._rules.isolate_cache else ""
        return f"cache:{scope}:{hashlib.sha256(identity).hexdigest()}"


def _session_link(tool: AnyTool, args: Model, call: Call) -> SessionLink | None:
    session_id = None if tool.options.reads_session else getattr(args, "sessionId", None)
    return SessionLink(session_id, tool, args, call) if session_id else None


async def _after_call(tool: AnyTool, args: Model, output: ToolOutput, call: Call) -> None:
    if tool.options.after_call and tool.output_model:
        model = output.model or tool.output_model.model_validate(output.body)
        await tool.options.after_call(args, model, call)


def _record(tool: AnyTool, arguments: Any, call: Call, outcome: str, message: str) -> CallRecord:
    given = cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}
    query = given.get("query")
    return CallRecord(
        tool=tool.name,
        caller=call.caller,
        request_id=call.request_id,
        seconds=time.perf_counter() - call.started,
        query=query if isinstance(query, str) else None,
        outcome=outcome,
        message=message,
        cached=bool(call.meta.get("cached")),
        routing=call.meta.get("routing"),
        spent=call.meta.get("spent"),
        subject=call_subject(given),
        verdict=check_verdict(call.body),
    )


def _with_notice(result: Result, notice: str) -> Result:
    """Return the result with one more text block, for the assistant to read."""
    return result.model_copy(
        update={"content": (*result.content, TextBlock(text=without_invisible(notice)))}
    )


def _check_scopes(tool: AnyTool, scopes: frozenset[str]) -> None:
    if not allows(scopes, tool.name, tool.toolset):
        raise ForbiddenError(
            f"{tool.name}: your token lacks a scope for this tool; ask for tool:{tool.name}.",
            details={"detail": "insufficient_scope"},
        )
