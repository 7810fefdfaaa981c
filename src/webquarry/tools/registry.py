"""The tools on offer: registered once, listed by name, chosen by toolset."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from webquarry.errors import NotFoundError, SettingsError
from webquarry.services import Services
from webquarry.tools.base import AnyTool
from webquarry.tools.schema import Json

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


class RegistrationError(ValueError):
    """A tool cannot be registered: its name is taken or its models are unusable."""


class Registry:
    """Tools by name. Register them all before the server starts.

    The schemas of tools that were `checked` elsewhere are derived when somebody asks for them.
    """

    def __init__(self, tools: Iterable[AnyTool] = (), *, checked: bool = False) -> None:
        self._tools: dict[str, AnyTool] = {}
        self._definitions: dict[str, Json] = {}
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

    def lookup(self, name: str) -> AnyTool:
        """Return the tool called `name`."""
        try:
            return self._tools[name]
        except KeyError:
            raise NotFoundError(f"Unknown tool: {name}") from None

    def tools(self) -> list[AnyTool]:
        """Return every tool, by name."""
        return list(self._tools.values())

    def definitions(self) -> list[Json]:
        """Return the `tools/list` entries, by name."""
        return [self.definition(name) for name in self._tools]

    def definition(self, name: str) -> Json:
        """Return the `tools/list` entry of one tool."""
        if name not in self._definitions:
            self._definitions[name] = self.lookup(name).definition()
        return self._definitions[name]


def choose(tools: Iterable[AnyTool], toolsets: Sequence[str], services: Services) -> Registry:
    """Register the tools of the named toolsets whose own condition holds."""
    wanted = expand_toolsets(toolsets)
    offered = (_named(t, wanted) for t in tools if t.toolset in wanted and t.options.when(services))
    return Registry(offered, checked=True)  # ours are, by a test; a start has no time for it


def _named(tool: AnyTool, wanted: frozenset[str]) -> AnyTool:
    name, holder = RENAMES.get(tool.name, (tool.name, ""))
    return tool if name == tool.name or holder in wanted else replace(tool, name=name)


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
