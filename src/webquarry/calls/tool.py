"""A tool: its input model, its output model, and the handler between them."""

import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar, cast, get_args, get_type_hints

from pydantic import BaseModel

from webquarry.calls.tool_schema import Json, input_schema, output_schema
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import Result
from webquarry.services import Services

In = TypeVar("In", bound=Model)
Out = TypeVar("Out", bound=BaseModel)
Returned = Any  # Out, Result, or both as a pair; `Tool.split` sorts them


class ReportsProgress(Protocol):
    """Tells the caller how far a long call has come."""

    async def __call__(
        self, progress: float, total: float | None, message: str | None, /
    ) -> None: ...


async def no_progress(done: float, total: float | None, message: str | None) -> None:
    """Report to nobody."""


@dataclass
class Call:
    """Everything a handler may use besides its arguments."""

    services: Services
    caller: Caller
    request_id: str
    report: ReportsProgress = no_progress
    meta: dict[str, Any] = field(default_factory=dict[str, Any])  # joins `_meta`, never the body
    started: float = field(default_factory=time.perf_counter)
    unlisted: list[Json] = field(default_factory=list[Json])  # sources that the body leaves out

    async def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Tell the caller that `done` of `total` steps are finished."""
        await self.report(done, total, message or None)


@dataclass(frozen=True)
class ToolAnnotations:
    """What a client may assume about a tool before calling it."""

    read_only: bool = True
    idempotent: bool = True
    open_world: bool = True
    destructive: bool = False

    def wire(self) -> Json:
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }


@dataclass(frozen=True)
class CacheRule:
    """How long results may be reused. Every argument is in the key except those named here."""

    seconds: float
    version: int = 1  # raise it when the shape of the result changes
    ignore: tuple[str, ...] = ()  # arguments that do not change the result, e.g. sessionId
    keep: Callable[[Json], bool] = bool  # false for bodies not worth keeping, e.g. no results


Handler = Callable[[In, Call], Awaitable[Returned]]
Afterwards = Callable[[Any, Any, Call], Awaitable[None]]  # the tool's In and Out


def always(_: Services) -> bool:
    """Offer the tool whatever is configured."""
    return True


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a tool is listed, cached, bounded and cut; the defaults suit most tools."""

    title: str | None = None
    hints: ToolAnnotations = ToolAnnotations()
    cache: CacheRule | None = None
    timeout: float | None = None  # None: the configured default
    heavy: bool = False  # a large result becomes a link to an artifact
    links: Callable[[Json], bool] = bool  # which large results of a heavy tool do; all of them
    cuts: tuple[str, ...] = ()  # body fields that may be cut to fit `max_tokens`, first first
    output_schema: Json | None = None  # replaces the derived one
    when: Callable[[Services], bool] = always
    afterwards: Afterwards | None = None  # runs on fresh and on cached results
    reads_session: bool = False  # `sessionId` says what to read, not where findings belong


@dataclass(frozen=True)
class Tool(Generic[In, Out]):
    """A handler with the schema and hints that clients see."""

    name: str
    description: str
    toolset: str
    takes: type[In]
    returns: type[Out] | None
    handler: Handler[In]
    options: Options

    def definition(self) -> Json:
        """Return the entry of `tools/list`."""
        definition: Json = {"name": self.name}
        if self.options.title:
            definition["title"] = self.options.title
        definition["description"] = self.description
        definition["inputSchema"] = input_schema(self.takes)
        if self.options.output_schema is not None:
            definition["outputSchema"] = self.options.output_schema
        elif self.returns is not None:
            definition["outputSchema"] = output_schema(
                self.returns, may_be_linked=self.options.heavy
            )
        definition["annotations"] = self.options.hints.wire()
        return definition

    def split(self, returned: Returned) -> tuple[Json | None, Result]:
        """Return the structured body, if there is one, and the explicit result beside it."""
        out, result = _pair(returned)
        if result.is_error:
            return None, result
        if out is None or not out.model_fields_set:
            return result.structured, result
        return out.model_dump(mode="json", by_alias=True, exclude_none=True), result


AnyTool = Tool[Any, Any]


@dataclass(frozen=True)
class ToolEntry:
    """A tool by its name; the module of that name is imported when the tool is first used."""

    name: str
    toolset: str

    def load(self) -> AnyTool:
        """Return the tool itself."""
        found = getattr(import_module(f"webquarry.tools.{self.name}"), self.name)
        if found.toolset != self.toolset:
            raise ValueError(f"{self.name} is listed in {self.toolset}, not in {found.toolset}")
        return found


def tool(toolset: str, options: Options | None = None) -> Callable[[Handler[In]], Tool[In, Any]]:
    """Turn `async def name(args: In, call: Call) -> Out` into a `Tool` of `toolset`."""

    def decorate(handler: Handler[In]) -> Tool[In, Any]:
        hints = get_type_hints(handler)
        return Tool(
            name=handler.__name__,
            description=inspect.getdoc(handler) or "",
            toolset=toolset,
            takes=hints["args"],
            returns=_model_in(hints["return"]),
            handler=handler,
            options=options or Options(),
        )

    return decorate


def _pair(returned: Returned) -> tuple[BaseModel | None, Result]:
    if isinstance(returned, tuple):
        return cast("tuple[BaseModel | None, Result]", returned)
    return (None, returned) if isinstance(returned, Result) else (returned, Result())


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Find the output model in `Out`, `Out | Result` or `tuple[Out, Result]`."""
    candidates: tuple[Any, ...] = get_args(annotation) or (annotation,)
    for candidate in candidates:
        if inspect.isclass(candidate) and issubclass(candidate, BaseModel):
            return None if candidate is Result else candidate
    return None
