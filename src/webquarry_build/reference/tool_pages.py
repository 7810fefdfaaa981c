"""Writes docs/tools: one page per tool, from its models, and a list of them all."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from webquarry.calls.registry import DEFAULT_TOOLSETS, TOOLSETS
from webquarry.calls.tool import AnyTool, ToolAnnotations
from webquarry.tools import load_tools
from webquarry_build.reference import field_texts
from webquarry_build.reference.examples import example_of
from webquarry_build.reference.type_names import bare, limits, models_in, optional, remarks, spoken

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
    lines = ["      - tools/index.md"]
    for toolset in TOOLSETS:
        lines.append(f"      - {toolset}:")
        lines += [f"          - {t.name}: tools/{t.name}.md" for t in tools if t.toolset == toolset]
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
        "Toolsets are chosen with `--toolsets` or `TOOLSETS`: names from this page, `all`, or\n"
        f"`default` ({', '.join(DEFAULT_TOOLSETS)}).\n"
        "`webquarry tools --tokens` shows what is on offer and what it costs a model's context.\n"
        "Failures look alike everywhere: [errors](../errors.md).",
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
    told = [("Toolset", _toolset(tool))]
    if needs := field_texts.NEEDS.get(tool.name):
        told.append(("Offered", needs))
    told.append(("Kept", _kept(tool)))
    told.append(("Time limit", f"{options.timeout:g} s" if options.timeout else "`TOOL_TIMEOUT`"))
    if options.cuts:
        cut = ", ".join(f"`{name}`" for name in options.cuts)
        told.append(("Long results", f"`max_tokens` cuts {cut}; `nextCursor` continues"))
    if options.heavy:
        which = field_texts.LINKED.get(tool.name, "")
        told.append(
            ("Large results", f"{which}become a link (`research://artifact/…`) from 24 KiB")
        )
    told.append(("Clients are told", _hints(options.hints)))
    if guide:
        told.append(("Guide", f"[{guide.removesuffix('.md')}](../{guide})"))
    return "\n".join(f"- **{name}:** {fact}" for name, fact in told)


def _hints(hints: ToolAnnotations) -> str:
    told = (
        "read-only" if hints.read_only else "changes something",
        "may be repeated" if hints.idempotent else "a repetition counts again",
        "asks the outside world" if hints.open_world else "asks nobody outside",
    )
    return ", ".join(told)


def _toolset(tool: AnyTool) -> str:
    default = "" if tool.toolset in DEFAULT_TOOLSETS else ", not among the default ones"
    return f"`{tool.toolset}`{default}"


def _kept(tool: AnyTool) -> str:
    if own := field_texts.KEPT.get(tool.name):
        return own
    if not tool.options.cache:
        return "not at all"
    minutes = int(tool.options.cache.seconds // 60)
    hours = minutes // 60
    told = f"{hours} h" if hours else f"{minutes} min"
    ignored = [f"`{name}`" for name in tool.options.cache.ignore]
    return f"{told}, by all arguments" + (f" but {', '.join(ignored)}" if ignored else "")


def _arguments(tool: AnyTool) -> str:
    if not tool.takes.model_fields:
        return "None."
    fields = sorted(tool.takes.model_fields.items(), key=lambda item: not item[1].is_required())
    nested = _nested(tool.takes)
    link = _links(nested)
    rows = [_argument(tool, name, field, link) for name, field in fields]
    head = ("argument", "type", "default", "meaning")
    return "\n\n".join([_table(head, rows), *_tables(nested, link)])


def _argument(
    tool: AnyTool, name: str, field: FieldInfo, link: Mapping[type, str]
) -> tuple[str, ...]:
    own = field_texts.ARGUMENTS.get(f"{tool.name}.{name}")
    said = _ended(field.description or "")
    meaning = own or field_texts.COMMON.get(name) or field_texts.AT_LENGTH.get(said, said)
    if name == "sessionId" and tool.options.reads_session:
        meaning = own or field_texts.READS_SESSION
    bounds = limits(field)
    default = "**required**" if field.is_required() else _default(field.default)
    kind = spoken(field.annotation, link) + (f", {bounds}" if bounds else "")
    return f"`{field.alias or name}`", kind, default, meaning


def _default(value: Any) -> str:
    return "" if value in (None, (), "") else f"`{json.dumps(value)}`"


def _result(tool: AnyTool) -> str:
    if tool.returns is None:
        return "An object."
    nested = _nested(tool.returns)
    link = _links(nested)
    tables = "\n\n".join([_fields(tool.returns, link), *_tables(nested, link)])
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
        told = (model.__doc__ or "").strip().split("\n")[0]
        yield f"### {model.__name__}\n\n{told}\n\n{_fields(model, link)}"


def _fields(model: type[BaseModel], link: Mapping[type, str]) -> str:
    said = remarks(model)
    rows: list[tuple[str, ...]] = []
    for name, field in model.model_fields.items():
        mark = "?" if optional(field) else ""
        own = (
            field_texts.MEANINGS.get(f"{model.__name__}.{name}")
            or field.description
            or said.get(name)
        )
        meaning = _sentence(own or "") or _meaning(name, field)
        rows.append((f"`{field.alias or name}`{mark}", spoken(field.annotation, link), meaning))
    return _table(("field", "type", "meaning"), rows)


def _meaning(name: str, field: FieldInfo) -> str:
    if told := field_texts.MEANINGS.get(name):
        return told
    inside = next(models_in(field.annotation), None)
    alone = inside is not None and bare(field.annotation) is inside
    return (inside.__doc__ or "").split("\n")[0] if inside and alone else ""


def _errors(tool: AnyTool) -> str:
    rows = [*field_texts.OTHERWISE.get(tool.name, ())]
    fields = tool.takes.model_fields
    if tool.options.hints.open_world or "provider" in fields:
        rows += field_texts.WITH_UPSTREAM
    if tool.name in field_texts.PAGE_READERS:
        rows += field_texts.WITH_PAGE
    if tool.options.reads_session:
        rows += field_texts.WITH_SESSION
    rows += field_texts.EVERY_TOOL
    table = _table(("kind", "when"), [(f"`{kind}`", when) for kind, when in rows])
    if within := field_texts.PAGES_WITHIN.get(tool.name):
        table += f"\n\nA page that cannot be read does not fail the call: see `{within}`."
    return f"{table}\n\nWhat they look like, and what to do: [errors](../errors.md)."


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
    told = ["| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines]
    return "\n".join(line.replace("|  |", "| |") for line in told)
