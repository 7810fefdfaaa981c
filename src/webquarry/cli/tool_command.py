"""Builds a command from a tool: every argument of the tool becomes an option."""

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, cast, get_origin

import typer

from webquarry.calls.tool import AnyTool
from webquarry.cli.options import (
    AsJson,
    AsMarkdown,
    Verbose,
    output_format,
    single_command,
    verbosity,
)
from webquarry.cli.output import Json, View
from webquarry.cli.terminal import show, show_document
from webquarry.cli.tool_calls import ToolRequest, run_tool
from webquarry.library.bare_urls import with_scheme
from webquarry.library.signature import Parameter, parameters
from webquarry.tools import TOOLS

_OPTION_NAMES: Mapping[str, tuple[str, ...]] = {
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
_METAVARS = {str: "TEXT", int: "NUMBER", float: "NUMBER", Any: "TEXT"}


@dataclass(frozen=True, kw_only=True)
class ToolCommand:
    """How a tool is used from the terminal."""

    tool: str
    view: View
    help: str
    main_argument: str = "query"  # positional on the command line
    joins_words: bool = True  # the main argument may be several words without quotes
    option_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    hidden: tuple[str, ...] = ()
    fixed_arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    required_method: str = ""  # see `ToolRequest`
    is_document: bool = False  # the result is a text to save: long, and apart from its notes
    exit_code: Callable[[Json], int] = lambda _: 0
    examples: tuple[str, ...] = ()


def find_tool(name: str) -> AnyTool:
    """Return the tool of this name."""
    return next(entry for entry in TOOLS if entry.name == name).load()


def build(command: ToolCommand) -> typer.Typer:
    """Return the command with options for the arguments of its tool."""
    excluded = {*command.hidden, *command.fixed_arguments}
    listed = [
        parameter
        for parameter in parameters(find_tool(command.tool))
        if parameter.name not in excluded and is_scalar(parameter)
    ]

    def run(**values: Any) -> None:
        verbose = verbosity(values.pop("ctx"), values.pop("verbose"))
        form = output_format(as_json=values.pop("as_json"), as_markdown=values.pop("as_markdown"))
        arguments = tool_arguments(command, listed, values)
        request = ToolRequest(command.tool, arguments, command.required_method)
        body = run_tool(request, verbose=verbose)
        (show_document if command.is_document else show)(command.view(body), body, form)
        if code := command.exit_code(body):
            raise typer.Exit(code)

    set_signature(run, command, listed)
    return single_command(run, command.examples)


def set_signature(
    run: Callable[..., None],
    command: ToolCommand,
    listed: list[Parameter],
    further: tuple[tuple[str, Any, Any], ...] = (),
) -> None:
    """Give a function the signature that Typer reads; `further` are options of the command."""
    declared = [_declared(command, parameter) for parameter in listed] + [*further, *_COMMON]
    declare_options(run, command.help, declared)


def declare_options(
    run: Callable[..., None], text: str, declared: Sequence[tuple[str, Any, Any]]
) -> None:
    """Give a function help and options: the name, annotation and default of each."""
    run.__doc__ = text
    run.__annotations__ = {name: kind for name, kind, _ in declared}
    # Typer reads this attribute; type checkers do not know that functions have it
    run.__signature__ = inspect.Signature(  # pyright: ignore[reportFunctionMemberAccess]
        [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default
            )
            for name, kind, default in declared
        ]
    )


def tool_arguments(command: ToolCommand, listed: list[Parameter], values: Json) -> Json:
    """Return the arguments for the tool: only those that were given."""
    arguments = dict(command.fixed_arguments)
    for parameter in listed:
        value = values[parameter.name]
        if parameter.name == command.main_argument:
            value = _main_value(command, value)
        omitted = value is False and parameter.default is False
        if value is not None and value != [] and not omitted:
            arguments[parameter.name] = value
    return arguments


def _main_value(command: ToolCommand, value: Any) -> Any:
    if command.joins_words:
        return " ".join(value) if value else value
    return with_scheme(value) if value and command.main_argument == "url" else value


def is_scalar(parameter: Parameter) -> bool:
    """Whether a parameter is one value that an option can hold."""
    return parameter.kind in {str, int, float, bool} or bool(parameter.choices)


def _declared(command: ToolCommand, parameter: Parameter) -> tuple[str, Any, Any]:
    """Return name, annotation and default for Typer."""
    name, kind = parameter.name, parameter.kind
    if name == command.main_argument:
        return name, *_positional(command, parameter)
    flags = command.option_names.get(name) or _OPTION_NAMES.get(name) or (f"--{_kebab(name)}",)
    text = _option_help(parameter)
    if kind is bool and parameter.default is False:
        return name, Annotated[bool, typer.Option(*flags, help=text)], False
    if kind is bool:
        flags = (f"{flags[0]}/--no-{flags[0][2:]}",)
    if parameter.is_list:  # Typer has no lists of choices; the tool checks them
        kind = list[str]
    if get_origin(kind) is dict:
        option = typer.Option(*flags, help=text, parser=_json_object, metavar="JSON")
        return name, Annotated[Any, option], None
    option = typer.Option(*flags, help=text, metavar=_metavar(parameter), show_default=False)
    return name, Annotated[kind | None, option], None


def _json_object(text: str | Json) -> Json:
    try:
        value = json.loads(text) if isinstance(text, str) else text
    except ValueError as error:
        raise typer.BadParameter(f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise typer.BadParameter('must be a JSON object like {"name": "value"}')
    return cast("Json", value)


def _positional(command: ToolCommand, parameter: Parameter) -> tuple[Any, Any]:
    kind = list[str] if command.joins_words else str
    argument = typer.Argument(
        metavar=parameter.name.upper(), help=_help(parameter), show_default=False
    )
    if parameter.required:
        return Annotated[kind, argument], inspect.Parameter.empty
    return Annotated[kind | None, argument], None


def _option_help(parameter: Parameter) -> str:
    text, default = _help(parameter), parameter.default
    if default not in (None, False, (), ""):
        text += f" [default: {'yes' if default is True else default}]"
    if parameter.is_list:
        choices = f"{', '.join(map(str, parameter.choices))}; " if parameter.choices else ""
        text += f" ({choices}may be repeated)"
    return text


def _help(parameter: Parameter) -> str:
    return parameter.help.replace("`", "")


def _metavar(parameter: Parameter) -> str | None:
    """Return the name of a value in the help; None lists the choices."""
    if parameter.choices:
        return "NAME" if parameter.is_list else None
    return _METAVARS.get(parameter.kind, "JSON")


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"-\1", name).lower().replace("_", "-")
