"""A tool: its input model, its output model, and the handler between them."""

import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar, cast, get_args, get_type_hints

from pydantic import BaseModel

from webquarry.calls.tool_schema import Json, input_schema, output_schema, without_required
from webquarry.concurrency.coalesce import ReportsProgress
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import Result
from webquarry.wiring.container import Services

In = TypeVar("In", bound=Model)
Out = TypeVar("Out", bound=BaseModel)
Returned = Any  # Out, Result, or both as a pair: see `Tool.output`


@dataclass
class Call:
    """One call of a tool: everything a handler may use besides its arguments."""

    services: Services
    caller: Caller
    request_id: str
    report: ReportsProgress | None = None  # None: nobody listens
    meta: dict[str, Any] = field(default_factory=dict[str, Any])  # becomes `_meta`
    started: float = field(default_factory=time.perf_counter)
    provider_calls: list[Any] = field(default_factory=list[Any])  # of `models.session.ProviderCall`
    # sources for the research session that the body leaves out
    unlisted_sources: list[Json] = field(default_factory=list[Json])
    body: Json | None = None  # what the tool returned, before it is paged and shaped
    time_limit: float | None = None  # of a task, in seconds; None: the timeout of the tool
    is_personal: bool = False  # a page was read as only this caller sees it

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report that `done` of `total` steps are finished."""
        if self.report:
            await self.report(done, total, message or None)


@dataclass(frozen=True)
class ToolAnnotations:
    """What a client may assume about a tool before calling it."""

    read_only: bool = True
    idempotent: bool = True
    open_world: bool = True

    def wire(self) -> Json:
        """Return the hints that mean something: a tool that reads only needs no others."""
        if self.read_only:
            hints: Json = {"readOnlyHint": True}
        else:  # no tool deletes what it did not make
            hints = {"destructiveHint": False, "idempotentHint": self.idempotent}
        # true unless it is given
        return hints if self.open_world else hints | {"openWorldHint": False}


@dataclass(frozen=True)
class CacheRule:
    """How long a result may be reused by calls with the same arguments."""

    seconds: float
    version: int = 1  # increase it when the format of the result changes
    cacheable: Callable[[Json], bool] = bool  # by its body, e.g. false without results


@dataclass(frozen=True)
class LinkedDocument:
    """A text inside a result that is linked in its own type, beside the result as JSON."""

    text: str
    mime: str


StopsWork = Callable[[str, Services, Caller], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """How a tool that is made to run for minutes runs as a task of the protocol."""

    defaults: tuple[tuple[str, Any], ...] = ()  # arguments, unless the call has them
    # stops what the call has started with this idempotency key
    cancel: StopsWork | None = None


Handler = Callable[[In, Call], Awaitable[Returned]]
AfterCall = Callable[[Any, Any, Call], Awaitable[None]]  # gets the tool's In and Out


@dataclass(frozen=True, kw_only=True)
class ToolOptions:
    """How a tool is listed, cached, limited and paged."""

    title: str | None = None
    annotations: ToolAnnotations = ToolAnnotations()
    cache: CacheRule | None = None
    timeout: float | None = None  # None: the configured default
    heavy: bool = False  # replace a large result by a link to an artifact
    link_when: Callable[[Json], bool] = bool  # which large results of a heavy tool to link, by body
    always_whole: bool = False  # no link beside a large result: the contract has no room for it
    # what stands for a linked result: text within so many bytes; None: its fields, shortened
    summary: Callable[[Json, int], str] | None = None
    document: Callable[[Json], LinkedDocument | None] = lambda _: None  # in a linked result
    cuttable: tuple[str, ...] = ()  # body fields to cut to `max_tokens`, in this order
    # an item of a cut list that is too long alone is divided; its parts have `partial: true`
    divides_items: bool = False
    # the text of a result; None: its fields as Markdown
    text: Callable[[Json], str] | None = None
    part: Callable[[Json], Json] = lambda page: page  # corrects fields of a part of a result
    default_tokens: int | None = None  # the budget without `max_tokens`; None: no limit
    output_schema: Json | None = None  # instead of the derived schema
    available: Callable[[Services], bool] = lambda _: True  # with this configuration
    after_call: AfterCall | None = None  # runs for fresh and for cached results
    # bodies that are returned as sent, with their invisible characters
    verbatim_when: Callable[[Json], bool] = lambda _: False
    reads_session: bool = False  # `sessionId` names the session to read, not one to record in
    task: TaskOptions | None = None  # None: a task only if the call takes unusually long


@dataclass
class ToolOutput:
    """What one run of a tool produced, before it is paged and shaped for a caller."""

    body: Json | None  # the structured content
    result: Result | None = None  # content blocks or an error from the handler itself
    model: BaseModel | None = None  # the body as the handler returned it; None if it was cached
    meta: Json = field(default_factory=dict[str, Any])
    provider_calls: list[Json] = field(default_factory=list[Json])
    body_text: str | None = None  # the body as compact JSON, if it has been written already
    whole: Json | None = None  # the body before it was cut into parts


@dataclass(frozen=True)
class Tool(Generic[In, Out]):
    """A handler with the description, schemas and options of its tool."""

    name: str
    description: str
    toolset: str
    input_model: type[In]
    output_model: type[Out] | None
    handler: Handler[In]
    options: ToolOptions

    def definition(self) -> Json:
        """Return the entry of `tools/list`."""
        definition: Json = {"name": self.name}
        if self.options.title:
            definition["title"] = self.options.title
        definition["description"] = self.description
        definition["inputSchema"] = input_schema(self.input_model)
        schema = self.options.output_schema
        if schema is None and self.output_model is not None:
            schema = output_schema(self.output_model)
        if schema is not None:
            # a link or a part of the text may replace the result
            partial = self.options.heavy or self.takes_cursor
            definition["outputSchema"] = without_required(schema) if partial else schema
        definition["annotations"] = self.options.annotations.wire()
        return definition

    @property
    def takes_cursor(self) -> bool:
        """Return whether a long result can be continued."""
        return "cursor" in self.input_model.model_fields

    def output(self, returned: Returned) -> ToolOutput:
        """Return what a handler returned with its structured body; an error has none."""
        model: BaseModel | None = None
        result: Result | None = None
        if isinstance(returned, tuple):
            model, result = cast("tuple[BaseModel | None, Result]", returned)
        elif isinstance(returned, Result):
            result = returned
        else:
            model = returned
        if result and result.is_error:
            return ToolOutput(None, result)
        if model is None or not model.model_fields_set:
            return ToolOutput(result.structured if result else None, result)
        body = model.model_dump(mode="json", by_alias=True, exclude_none=True)
        return ToolOutput(body, result, model)


AnyTool = Tool[Any, Any]


@dataclass(frozen=True)
class ToolEntry:
    """Names a tool; its module is imported when the tool is first used."""

    name: str
    toolset: str

    def load(self) -> AnyTool:
        """Return the tool itself."""
        tool = getattr(import_module(f"webquarry.tools.{self.name}"), self.name)
        if tool.toolset != self.toolset:
            raise ValueError(f"{self.name} is listed in {self.toolset}, not in {tool.toolset}")
        return tool


def tool(
    toolset: str, options: ToolOptions | None = None
) -> Callable[[Handler[In]], Tool[In, Any]]:
    """Turn `async def name(args: In, call: Call) -> Out` into a `Tool` of `toolset`."""

    def decorate(handler: Handler[In]) -> Tool[In, Any]:
        hints = get_type_hints(handler)
        return Tool(
            name=handler.__name__,
            description=inspect.getdoc(handler) or "",
            toolset=toolset,
            input_model=hints["args"],
            output_model=_output_model_in(hints["return"]),
            handler=handler,
            options=options or ToolOptions(),
        )

    return decorate


def _output_model_in(annotation: Any) -> type[BaseModel] | None:
    """Find the output model in `Out`, `Out | Result` or `tuple[Out, Result]`."""
    candidates: tuple[Any, ...] = get_args(annotation) or (annotation,)
    for candidate in candidates:
        if inspect.isclass(candidate) and issubclass(candidate, BaseModel):
            return None if candidate is Result else candidate
    return None
