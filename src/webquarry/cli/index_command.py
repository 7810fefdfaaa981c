"""`webquarry index search`: searches the local index, without network access."""

import typer

from webquarry.cli.options import typer_app
from webquarry.cli.result_views import web
from webquarry.cli.tool_command import ToolCommand, build

_SEARCH = ToolCommand(
    tool="web_search",
    view=web,
    help="Search the pages you have read or crawled. Works offline.",
    fixed_arguments={"provider": "local", "safe": "off"},
    hidden=("time_range", "language", "site", "country", "lens", "fuse"),
    examples=("webquarry index search heat pump",),
)


def load(_: str) -> typer.Typer:
    """Return the commands about the local index."""
    app = typer_app("Your local index of pages read or crawled (LOCAL_INDEX=off disables it).")

    @app.callback()
    def main() -> None:  # pyright: ignore[reportUnusedFunction]
        """Make Typer keep `search` as a subcommand although it is the only one."""

    app.registered_commands += build(_SEARCH).registered_commands
    app.registered_commands[0].name = "search"
    return app
