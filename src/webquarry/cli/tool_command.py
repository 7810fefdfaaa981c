"""Makes a command out of a tool: every argument of the tool is an option of the command."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from webquarry.calls.tool import AnyTool
from webquarry.cli.options import AsJson, AsMarkdown, Verbose, form_of, plain, verbosity
from webquarry.cli.output import Json, View
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, ask
from webquarry.library.signature import Parameter, parameters
from webquarry.tools import TOOLS

_NAMES: Mapping[str, tuple[str, ...]] = {
    "num_results": ("--num-results", "-n"),
    "sessionId": ("--session",),
    "provider": ("--provider", "-p"),
}
_COMMON = (
    ("ctx", typer.Context, inspect.Parameter.empty),
    ("as_json", AsJson, False),
    ("as_markdown", AsMarkdown, False),
    ("verbose", Verbose, 0),
)


@dataclass(frozen=True, kw_only=True)
class ToolCommand:
    """How a tool is used from the terminal."""

    tool: str
    view: View
    help: str
    main: str = "query"  # the argument that needs no name
    words: bool = True  # it may be several words, without quotes
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    hide: tuple[str, ...] = ()
    always: Mapping[str, Any] = field(default_factory=dict[str, Any])
    needs: str = ""  # what a provider must be able to do for the tool to be there
    verdict: Callable[[Json], int] = lambda _: 0  # the exit status of a result
    examples: tuple[str, ...] = ()


def find_tool(name: str) -> AnyTool:
    """Return a tool by its name."""
    return next(listed for listed in TOOLS if listed.name == name).load()


def build(command: ToolCommand) -> typer.Typer:
    """Return the command, with its options taken from the tool."""
    listed = [
        p
        for p in parameters(find_tool(command.tool))
        if p.name not in {*command.hide, *command.always} and _can_be_typed(p)
    ]

    def run(**given: Any) -> None:
        ctx: typer.Context = given.pop("ctx")
        verbose = verbosity(ctx, given.pop("verbose"))
        form = form_of(as_json=given.pop("as_json"), as_markdown=given.pop("as_markdown"))
        arguments = typed_in(command, listed, given)
        body = ask(ToolRequest(command.tool, arguments, command.needs), verbose=verbose)
        show(command.view(body), body, form)
        if status := command.verdict(body):
            raise typer.Exit(status)

    dress(run, command, listed)
    made = plain()
    examples = "\n\n".join(("Examples:", *command.examples))
    made.command(epilog=examples if command.examples else None)(run)
    return made


def dress(run: Callable[..., None], command: ToolCommand, listed: list[Parameter]) -> None:
    """Give a function the signature that Typer reads."""
    taken = [_taken(command, p) for p in listed] + list(_COMMON)
    run.__doc__ = command.help
    run.__annotations__ = {name: kind for name, kind, _ in taken}
    # Typer reads this attribute, which functions have though type checkers do not know it
    run.__signature__ = inspect.Signature(  # pyright: ignore[reportFunctionMemberAccess]
        [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default
            )
            for name, kind, default in taken
        ]
    )


def typed_in(command: ToolCommand, listed: list[Parameter], given: Json) -> Json:
    """Return the arguments for the tool: only those that were given."""
    arguments = dict(command.always)
    for parameter in listed:
        value = given[parameter.name]
        if parameter.name == command.main and command.words and value:
            value = " ".join(value)
        if value is None or value == [] or (value is False and parameter.default is False):
            continue
        arguments[parameter.name] = value
    return arguments


def _can_be_typed(parameter: Parameter) -> bool:
    return parameter.kind in {str, int, float, bool} or bool(parameter.choices)


def _taken(command: ToolCommand, parameter: Parameter) -> tuple[str, Any, Any]:
    """Return name, annotation and default as Typer wants them."""
    name, kind = parameter.name, parameter.kind
    if name == command.main:
        return name, *_main(command, parameter)
    flags = command.names.get(name) or _NAMES.get(name) or (f"--{_kebab(name)}",)
    told = _told(parameter)
    if kind is bool and parameter.default is False:
        return name, Annotated[bool, typer.Option(*flags, help=told)], False
    if kind is bool:
        flags = (f"{flags[0]}/--no-{flags[0][2:]}",)
    if parameter.many:  # Typer knows no lists of choices; the tool checks them
        kind, told = list[str], f"{told} {_one_of(parameter)}"
    option = typer.Option(*flags, help=told, show_default=False)
    return name, Annotated[kind | None, option], None


def _main(command: ToolCommand, parameter: Parameter) -> tuple[Any, Any]:
    kind = list[str] if command.words else str
    argument = typer.Argument(
        metavar=parameter.name.upper(), help=parameter.help, show_default=False
    )
    if parameter.required:
        return Annotated[kind, argument], inspect.Parameter.empty
    return Annotated[kind | None, argument], None


def _told(parameter: Parameter) -> str:
    default = parameter.default
    usual = "" if default in (None, False, (), "") else f" [default: {_shown(default)}]"
    return f"{parameter.help}{usual}"


def _shown(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _one_of(parameter: Parameter) -> str:
    named = f"{', '.join(map(str, parameter.choices))}; " if parameter.choices else ""
    return f"({named}may be repeated)"


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"-\1", name).lower().replace("_", "-")
