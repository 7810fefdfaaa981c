"""The tools on offer: registered once, listed by name, chosen by toolset."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.calls.tool_schema import Json
from webquarry.errors import NotFoundError, SettingsError
from webquarry.services import Services

# In the order people meet them; `default` is what most assistants want.
TOOLSETS = {
    "web": "Search the web, read pages, or both at once.",
    "crawl": "Crawl sites and extract structured data.",
    "cinder": "The Cinder contract beside ours.",
    "searxng": "Search through a pool of SearXNG instances.",
    "scholar": "Papers, citations and patents.",
    "data": "Filings, court opinions, economic series and clinical trials.",
    "trust": "Check citations, bibliographies and recommendations; archive sources.",
    "research": "Research sessions and their export.",
    "synthesis": "Cited answers and structured search.",
    "brand": "Brand identity of a company.",
    "people": "Memory, workspaces and analytics of the person calling.",
    "starter": "The copy-me example.",
}
DEFAULT_TOOLSETS = (
    "web", "crawl", "scholar", "data", "trust", "research", "synthesis", "brand", "people",
)  # fmt: skip

# The name a tool goes by while the toolset that has a tool of that name is not offered.
RENAMES = {"searxng_search": ("web_search", "web")}


Load = Callable[[], AnyTool | None]


class RegistrationError(ValueError):
    """A tool cannot be registered: its name is taken or its models are unusable."""


class Registry:
    """Tools by name. Register them all before the server starts.

    The schemas of tools that were `checked` elsewhere are derived when somebody asks for them.
    """

    def __init__(self, tools: Iterable[AnyTool] = (), *, checked: bool = False) -> None:
        self._tools: dict[str, AnyTool] = {}
        self._expected: dict[str, Load] = {}
        self._definitions: dict[str, Json] = {}
        self._absent: dict[str, str] = {}  # tools that exist but are not offered, and why
        self._checked = checked
        for tool in tools:
            self.register(tool)

    def register(self, tool: AnyTool) -> None:
        """Add `tool`; fails on a taken name, an unknown toolset or a type JSON cannot carry."""
        if tool.name in self._tools:
            raise RegistrationError(f"tool {tool.name!r} is registered already")
        if tool.toolset not in TOOLSETS:
            raise RegistrationError(f"tool {tool.name!r} names no toolset: {tool.toolset!r}")
        if not tool.description:
            raise RegistrationError(f"tool {tool.name!r} has no docstring to describe it")
        if not self._checked:
            self._definitions[tool.name] = tool.definition()  # raises SchemaError
        unknown = set(tool.options.cache.ignore if tool.options.cache else ()) - set(
            tool.takes.model_fields
        )
        if unknown:
            raise RegistrationError(f"tool {tool.name!r} ignores no such argument: {unknown}")
        self._tools = dict(sorted((self._tools | {tool.name: tool}).items()))

    def expect(self, name: str, load: Load) -> None:
        """Offer a tool that is loaded when somebody asks for it, unless there is none after all."""
        if name in self._tools or name in self._expected:
            raise RegistrationError(f"tool {name!r} is registered already")
        self._expected[name] = load

    def leave_out(self, name: str, why: str) -> None:
        """Remember why a tool is not offered, for whoever asks for it all the same."""
        self._absent[name] = why

    def lookup(self, name: str) -> AnyTool:
        """Return the tool called `name`."""
        self._meet(name)
        try:
            return self._tools[name]
        except KeyError:
            why = f" ({self._absent[name]})" if name in self._absent else ""
            raise NotFoundError(f"Unknown tool: {name}{why}") from None

    def tools(self) -> list[AnyTool]:
        """Return every tool, by name."""
        for name in tuple(self._expected):
            self._meet(name)
        return list(self._tools.values())

    def _meet(self, name: str) -> None:
        """Load the tool if it is still expected."""
        load = self._expected.get(name)
        if load is None:
            return
        tool = load()  # before it is crossed off: a failure must come back the next time
        del self._expected[name]
        if tool:
            self.register(tool if tool.name == name else replace(tool, name=name))
        else:
            self.leave_out(name, "what it needs is not configured")

    def definitions(self) -> list[Json]:
        """Return the `tools/list` entries, by name."""
        return [self.definition(tool.name) for tool in self.tools()]

    def definition(self, name: str) -> Json:
        """Return the `tools/list` entry of one tool."""
        if name not in self._definitions:
            self._definitions[name] = self.lookup(name).definition()
        return self._definitions[name]


def choose(
    tools: Iterable[AnyTool | ToolEntry], toolsets: Sequence[str], services: Services
) -> Registry:
    """Offer the tools of the named toolsets, each if its own condition holds."""
    wanted = expand_toolsets(toolsets)
    registry = Registry(checked=True)  # ours are, by a test; a start has no time for it
    for tool in tools:
        if tool.toolset in wanted:
            registry.expect(_name(tool.name, wanted), partial(_load, tool, services))
        else:
            registry.leave_out(tool.name, f"it is in toolset {tool.toolset}: see TOOLSETS")
    return registry


def _load(entry: AnyTool | ToolEntry, services: Services) -> AnyTool | None:
    tool = entry.load() if isinstance(entry, ToolEntry) else entry
    return tool if tool.options.when(services) else None


def _name(name: str, wanted: frozenset[str]) -> str:
    new, holder = RENAMES.get(name, (name, ""))
    return name if holder in wanted else new


def expand_toolsets(names: Sequence[str]) -> frozenset[str]:
    """Return the plain toolsets behind `default`, `all` and explicit names."""
    groups = {"default": DEFAULT_TOOLSETS, "all": tuple(TOOLSETS)}
    unknown = [name for name in names if name not in TOOLSETS and name not in groups]
    if unknown:
        raise SettingsError(
            f"TOOLSETS names unknown toolsets: {', '.join(unknown)}; "
            f"choose from default, all, {', '.join(TOOLSETS)}"
        )
    return frozenset(plain for name in names for plain in groups.get(name, (name,)))
