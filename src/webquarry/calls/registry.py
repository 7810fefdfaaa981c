"""The tool registry: tools by name, chosen by toolset."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from webquarry.auth.scopes import EVERYTHING, allows
from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.calls.tool_aliases import read_aliases, renamed
from webquarry.calls.tool_schema import Json
from webquarry.errors import NotFoundError, SettingsError
from webquarry.models.caller import Caller
from webquarry.wiring.container import Services

# in the order in which the documentation lists them
TOOLSETS = {
    "web": "Search the web, read pages, or both in one step.",
    "crawl": "Crawl sites and extract structured data.",
    "cinder": "Tools compatible with the Cinder API.",
    "searxng": "Search through a pool of SearXNG instances.",
    "chatgpt": "The two tools of ChatGPT's connectors and deep research: search and fetch.",
    "browser": "Operate a page: click, type, log in, and read what it shows then.",
    "scholar": "Papers, citations and patents.",
    "data": "Filings, court opinions, economic series and clinical trials.",
    "trust": "Check citations, bibliographies and recommendations; archive sources.",
    "research": "Research sessions and their export.",
    "synthesis": "Cited answers and structured search.",
    "brand": "Brand identity of a company.",
    "people": "The caller's memory, workspaces and usage analytics.",
    "watch": "Monitors: pages, sites, searches and references, checked on a schedule.",
    "starter": "An example to copy.",
}
DEFAULT_TOOLSETS = (
    "web", "crawl", "scholar", "data", "trust", "research", "synthesis", "brand", "people",
)  # fmt: skip

# tool -> its other name, used unless the toolset that has a tool of that name is offered
RENAMES = {
    "searxng_search": ("web_search", "web"),
    "chatgpt_search": ("search", ""),
    "chatgpt_fetch": ("fetch", ""),
}


LoadTool = Callable[[], AnyTool | None]  # None: not available with this configuration


class RegistrationError(ValueError):
    """A tool cannot be registered: its name is taken or its models are unusable."""


class Registry:
    """Tools by name. Register them all before the server starts.

    The schemas of tools that were `checked` elsewhere are derived when first needed.
    """

    def __init__(self, tools: Iterable[AnyTool] = (), *, checked: bool = False) -> None:
        self._tools: dict[str, AnyTool] = {}
        self._unloaded: dict[str, LoadTool] = {}
        self._definitions: dict[str, Json] = {}
        self.left_out: dict[str, str] = {}  # why tools that exist are not offered
        self.aliases: Mapping[str, str] = {}  # tools by another name, which is listed instead
        self.own_names: dict[str, str] = {}  # of renamed tools: programs use them everywhere
        self._checked = checked
        for tool in tools:
            self.register(tool)

    def register(self, tool: AnyTool) -> None:
        """Add `tool`; fails on a taken name, an unknown toolset or a type JSON cannot carry."""
        if tool.name in self._tools:
            raise RegistrationError(f"tool {tool.name!r} is registered already")
        if tool.toolset not in TOOLSETS:
            raise RegistrationError(f"tool {tool.name!r} has an unknown toolset: {tool.toolset!r}")
        if not tool.description:
            raise RegistrationError(f"tool {tool.name!r} has no docstring to describe it")
        if not self._checked:
            self._definitions[tool.name] = tool.definition()  # raises SchemaError
        self._tools = dict(sorted((self._tools | {tool.name: tool}).items()))

    def register_lazily(self, name: str, load: LoadTool) -> None:
        """Add a tool that is loaded when first used."""
        if name in self._tools or name in self._unloaded:
            raise RegistrationError(f"tool {name!r} is registered already")
        self._unloaded[name] = load

    def lookup(self, name: str) -> AnyTool:
        """Return the tool called `name`, or of which it is an alias."""
        name = self.aliases.get(name, name)
        name = self.own_names.get(name, name)
        if name in self._unloaded:
            self._load(name)
        try:
            return self._tools[name]
        except KeyError:
            reason = f" ({self.left_out[name]})" if name in self.left_out else ""
            raise NotFoundError(f"Unknown tool: {name}{reason}") from None

    def tools(self) -> list[AnyTool]:
        """Return every tool, by name."""
        for name in tuple(self._unloaded):
            self._load(name)
        return list(self._tools.values())

    def _load(self, name: str) -> None:
        tool = self._unloaded[name]()  # raises before the deletion, so each lookup reports it
        del self._unloaded[name]
        if tool:
            self.register(tool if tool.name == name else replace(tool, name=name))
        else:
            self.left_out[name] = "what it needs is not configured"

    def definitions(self) -> list[Json]:
        """Return the `tools/list` entries, by name."""
        return self._listed(self.tools())

    def _listed(self, tools: Iterable[AnyTool]) -> list[Json]:
        entries = [self.definition(tool.name) for tool in tools]
        if not self.aliases:
            return entries
        return sorted((renamed(e, self.aliases) for e in entries), key=lambda e: str(e["name"]))

    def definitions_for(self, caller: Caller) -> list[Json]:
        """Return the `tools/list` entries that the scopes of the caller allow."""
        if caller.scopes is None or caller.scopes & EVERYTHING:
            return self.definitions()
        scopes = caller.scopes
        return self._listed(t for t in self.tools() if allows(scopes, t.name, t.toolset))

    def definition(self, name: str) -> Json:
        """Return the `tools/list` entry of one tool, under its usual name."""
        name = self.aliases.get(name, name)
        name = self.own_names.get(name, name)
        if name not in self._definitions:
            self._definitions[name] = self.lookup(name).definition()
        return self._definitions[name]


def choose(
    tools: Iterable[AnyTool | ToolEntry],
    toolsets: Sequence[str],
    services: Services,
    aliases: Sequence[str] = (),
) -> Registry:
    """Register the tools of these toolsets that are available with the configuration."""
    chosen = expand_toolsets(toolsets)
    registry = Registry(checked=True)  # a test checks ours, which saves startup time
    tools = tuple(tools)
    registry.aliases = read_aliases(aliases, (tool.name for tool in tools)) if aliases else {}
    for tool in tools:
        if tool.toolset in chosen:
            name = _name(tool.name, chosen, registry.aliases)
            if name != tool.name:
                registry.own_names[tool.name] = name
            registry.register_lazily(name, partial(_load_available, tool, services))
        else:
            registry.left_out[tool.name] = f"it is in toolset {tool.toolset}: see TOOLSETS"
    return registry


def _load_available(entry: AnyTool | ToolEntry, services: Services) -> AnyTool | None:
    tool = entry.load() if isinstance(entry, ToolEntry) else entry
    return tool if tool.options.available(services) else None


def _name(name: str, toolsets: frozenset[str], aliases: Mapping[str, str]) -> str:
    other_name, its_toolset = RENAMES.get(name, (name, ""))
    return name if its_toolset in toolsets or other_name in aliases else other_name


def expand_toolsets(names: Sequence[str]) -> frozenset[str]:
    """Return the toolsets that these names mean; `default` and `all` stand for several."""
    groups = {"default": DEFAULT_TOOLSETS, "all": tuple(TOOLSETS)}
    unknown = [name for name in names if name not in TOOLSETS and name not in groups]
    if unknown:
        raise SettingsError(
            f"TOOLSETS names unknown toolsets: {', '.join(unknown)}; "
            f"choose from default, all, {', '.join(TOOLSETS)}"
        )
    return frozenset(plain for name in names for plain in groups.get(name, (name,)))
