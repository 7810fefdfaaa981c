"""`webquarry index search`: one's own pages, without any network."""

import typer

from webquarry.cli.options import plain
from webquarry.cli.result_views import web
from webquarry.cli.tool_command import ToolCommand, build

_SEARCH = ToolCommand(
    tool="web_search",
    view=web,
    help="Search the pages you have read or crawled; it needs no network.",
    always={"provider": "local", "safe": "off"},
    hide=("time_range", "language", "site", "country", "lens", "fuse"),
    examples=("webquarry index search heat pump",),
)


def load(_: str) -> typer.Typer:
    """Return the commands about the local index."""
    made = plain("Your own index of everything read or crawled (LOCAL_INDEX=off turns it off).")

    @made.callback()
    def main() -> None:  # pyright: ignore[reportUnusedFunction]
        """Keep `search` a command of its own, though it is the only one yet."""

    built = build(_SEARCH)
    made.registered_commands += built.registered_commands
    made.registered_commands[0].name = "search"
    return made
