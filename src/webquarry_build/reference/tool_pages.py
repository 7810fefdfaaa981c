"""Writes docs/tools: one page for each tool, from its models, and an index."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from webquarry.calls.argument_help import argument_help
from webquarry.calls.registry import DEFAULT_TOOLSETS, TOOLSETS
from webquarry.calls.tool import AnyTool, ToolAnnotations
from webquarry.tools import load_tools
from webquarry_build.reference import field_texts
from webquarry_build.reference.examples import example_of
from webquarry_build.reference.type_names import (
    field_comments,
    limits,
    models_in,
    optional,
    type_name,
    unwrapped,
)

HOME = "docs/tools"
_MADE = "<!-- Generated from the tool's models by `make generate`; do not edit. -->"


def tool_pages() -> dict[str, str]:
    """Return the text of every page by its path in the repository."""
    tools = sorted(load_tools(), key=lambda tool: tool.name)
    pages = {f"{HOME}/{tool.name}.md": page_of(tool) for tool in tools}
    return {f"{HOME}/index.md": _listing(tools)} | pages


def navigation() -> str:
    """Return the tools' part of the site's navigation, as YAML."""
    tools = sorted(load_tools(), key=lambda tool: tool.name)
    lines: list[str] = []
    for toolset in TOOLSETS:
        names = (tool.name for tool in tools if tool.toolset == toolset)
        lines.append(f"  {toolset}: [{', '.join(names)}]")
    return "\n".join(lines) + "\n"


def page_of(tool: AnyTool) -> str:
    """Return the reference of one tool."""
    parts = [
        f"# `{tool.name}`\n\n{_MADE}\n\n{tool.description}",
        _facts(tool),
        f"## Arguments\n\n{_arguments(tool)}",
        f"## Result\n\n{_result(tool)}",
        f"## Errors\n\n{_errors(tool)}",
        f"## Example\n\n{_example(tool)}",
    ]
    return "\n\n".join(parts) + "\n"


def _listing(tools: Iterable[AnyTool]) -> str:
    parts = [
        "# Tools",
        "<!-- Generated from the tools by `make generate`; do not edit. -->",
        "Choose toolsets with `--toolsets` or `TOOLSETS`: names from this page, `all`, or\n"
        f"`default` ({', '.join(DEFAULT_TOOLSETS)}).\n"
        "`webquarry tools --tokens` lists the available tools and their cost in context tokens.\n"
        "All tools report errors in the same format: [errors](../errors.md).",
    ]
    for toolset, purpose in TOOLSETS.items():
        rows = [
            (f"[`{tool.name}`]({tool.name}.md)", _summary(tool))
            for tool in tools
            if tool.toolset == toolset
        ]
        parts.append(f"## {toolset}\n\n{purpose}\n\n{_table(('tool', 'what it does'), rows)}")
    return "\n\n".join(parts) + "\n"


def _summary(tool: AnyTool) -> str:
    return tool.description.split("\n\n")[0].replace("\n", " ")


def _facts(tool: AnyTool) -> str:
    options = tool.options
    guide = field_texts.GUIDES.get(tool.name) or field_texts.TOOLSET_GUIDES.get(tool.toolset)
    facts = [("Toolset", _toolset(tool))]
    if needs := field_texts.NEEDS.get(tool.name):
        facts.append(("Available", needs))
    facts.append(("Cached", _cached(tool)))
    facts.append(("Time limit", f"{options.timeout:g} s" if options.timeout else "`TOOL_TIMEOUT`"))
    if options.cuttable:
        cut = ", ".join(f"`{name}`" for name in options.cuttable)
        facts.append(("Long results", f"`max_tokens` shortens {cut}; `nextCursor` continues"))
    if options.heavy:
        which = field_texts.LINKED.get(tool.name, "")
        facts.append(
            ("Large results", f"{which}from 24 KiB on become a link (`research://artifact/…`)")
        )
    facts.append(("Hints for clients", _hints(options.annotations)))
    if guide:
        facts.append(("Guide", f"[{guide.removesuffix('.md')}](../{guide})"))
    return "\n".join(f"- **{name}:** {fact}" for name, fact in facts)


def _hints(hints: ToolAnnotations) -> str:
    return ", ".join(
        (
            "read-only" if hints.read_only else "modifies data",
            "idempotent" if hints.idempotent else "not idempotent",
            "sends external requests" if hints.open_world else "sends no external requests",
        )
    )


def _toolset(tool: AnyTool) -> str:
    default = "" if tool.toolset in DEFAULT_TOOLSETS else " (not in `default`)"
    return f"`{tool.toolset}`{default}"


def _cached(tool: AnyTool) -> str:
    if own := field_texts.CACHED.get(tool.name):
        return own
    if not tool.options.cache:
        return "no"
    minutes = int(tool.options.cache.seconds // 60)
    hours = minutes // 60
    duration = f"{hours} h" if hours else f"{minutes} min"
    ignored = " except `sessionId`" if "sessionId" in tool.input_model.model_fields else ""
    return f"{duration}; the key includes every argument{ignored}"


def _arguments(tool: AnyTool) -> str:
    if not tool.input_model.model_fields:
        return "None."
    fields = sorted(
        tool.input_model.model_fields.items(), key=lambda item: not item[1].is_required()
    )
    nested = _nested(tool.input_model)
    link = _links(nested)
    rows = [_argument(tool, name, field, link) for name, field in fields]
    head = ("argument", "type", "default", "meaning")
    return "\n\n".join([_table(head, rows), *_tables(nested, link)])


def _argument(
    tool: AnyTool, name: str, field: FieldInfo, link: Mapping[type, str]
) -> tuple[str, ...]:
    meaning = argument_help(tool.name, name, _ended(field.description or ""))
    bounds = limits(field)
    default = "**required**" if field.is_required() else _default(field.default)
    kind = type_name(field.annotation, link) + (f", {bounds}" if bounds else "")
    return f"`{field.alias or name}`", kind, default, meaning


def _default(value: Any) -> str:
    return "" if value in (None, (), "") else f"`{json.dumps(value)}`"


def _result(tool: AnyTool) -> str:
    if tool.output_model is None:
        return "An object."
    nested = _nested(tool.output_model)
    link = _links(nested)
    tables = "\n\n".join([_fields(tool.output_model, link), *_tables(nested, link)])
    return ("Fields with `?` may be absent.\n\n" if "`?" in tables else "") + tables


def _nested(model: type[BaseModel]) -> list[type[BaseModel]]:
    """Return the models below one, each once, in the order a reader meets them."""
    found: dict[type[BaseModel], None] = {}
    waiting = [model]
    while waiting:
        inside = [
            each
            for field in waiting.pop(0).model_fields.values()
            for each in models_in(field.annotation)
            if each is not model and each not in found
        ]
        found |= dict.fromkeys(inside)
        waiting += dict.fromkeys(inside)
    return list(found)


def _links(models: Iterable[type[BaseModel]]) -> dict[type, str]:
    return {model: f"[{model.__name__}](#{model.__name__.lower()})" for model in models}


def _tables(models: Iterable[type[BaseModel]], link: Mapping[type, str]) -> Iterator[str]:
    for model in models:
        summary = (model.__doc__ or "").strip().split("\n")[0]
        yield f"### {model.__name__}\n\n{summary}\n\n{_fields(model, link)}"


def _fields(model: type[BaseModel], link: Mapping[type, str]) -> str:
    comments = field_comments(model)
    rows: list[tuple[str, ...]] = []
    for name, field in model.model_fields.items():
        mark = "?" if optional(field) else ""
        own = (
            field_texts.MEANINGS.get(f"{model.__name__}.{name}")
            or field.description
            or comments.get(name)
        )
        meaning = _sentence(own or "") or _meaning(name, field)
        rows.append((f"`{field.alias or name}`{mark}", type_name(field.annotation, link), meaning))
    return _table(("field", "type", "meaning"), rows)


def _meaning(name: str, field: FieldInfo) -> str:
    if meaning := field_texts.MEANINGS.get(name):
        return meaning
    inside = next(models_in(field.annotation), None)
    alone = inside is not None and unwrapped(field.annotation) is inside
    return (inside.__doc__ or "").split("\n")[0] if inside and alone else ""


def _errors(tool: AnyTool) -> str:
    rows = [*field_texts.OTHERWISE.get(tool.name, ())]
    fields = tool.input_model.model_fields
    if tool.options.annotations.open_world or "provider" in fields:
        rows += field_texts.WITH_UPSTREAM
    if tool.name in field_texts.PAGE_READERS:
        rows += field_texts.WITH_PAGE
    if tool.options.reads_session:
        rows += field_texts.WITH_SESSION
    rows += field_texts.EVERY_TOOL
    table = _table(("kind", "when"), [(f"`{kind}`", when) for kind, when in rows])
    if within := field_texts.PAGES_WITHIN.get(tool.name):
        table += f"\n\nIf a page cannot be read, the call does not fail: see `{within}`."
    return f"{table}\n\n[Errors](../errors.md) describes the format and what to do."


def _example(tool: AnyTool) -> str:
    arguments = example_of(tool)
    request = {"name": tool.name, "arguments": arguments}
    return (
        f"In a terminal:\n\n```sh\n{_command(tool.name, arguments)}\n```\n\n"
        "Over MCP, as `params` of `tools/call` (over REST, `POST /v1/tools/"
        f"{tool.name}` takes the arguments):\n\n"
        f"```json\n{json.dumps(request, indent=2, ensure_ascii=False)}\n```\n\n"
        f"In Python:\n\n```python\n{_program(tool, arguments)}\n```"
    )


def _command(name: str, arguments: Mapping[str, Any]) -> str:
    pairs = [shlex.quote(f"{key}={_written(value)}") for key, value in arguments.items()]
    return " ".join(["webquarry call", name, *pairs])


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _program(tool: AnyTool, arguments: Mapping[str, Any]) -> str:
    given = ", ".join(f"{key}={value!r}" for key, value in arguments.items()).replace("'", '"')
    call = f"wq.{tool.name}({given})"
    if len(call) > 80:
        inside = "".join(f"        {key}={value!r},\n" for key, value in arguments.items())
        call = f"wq.{tool.name}(\n{inside}    )".replace("'", '"')
    return (
        "from webquarry import WebquarrySync\n\n"
        f"with WebquarrySync() as wq:\n    result = {call}\n"
        "    print(result.model_dump_json(indent=2, exclude_none=True))"
    )


def _sentence(text: str) -> str:
    return _ended(text[:1].upper() + text[1:])


def _ended(text: str) -> str:
    return text + "." if text and not text.endswith((".", "…", "?")) else text


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    rendered = (
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
    )
    return "\n".join(line.replace("|  |", "| |") for line in rendered)
