"""The command line. Each command imports what it needs, so that `--help` stays quick."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli import keys, quotes
from webquarry.errors import SettingsError, WebquarryError
from webquarry.version import __version__

EXIT_FAILED = 1
EXIT_SETTINGS = 2

app = typer.Typer(
    name="webquarry",
    help="Search, read, crawl, extract and verify the web, with evidence.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

app.add_typer(keys.app, name="keys")
app.add_typer(quotes.app, name="quote")

Toolsets = Annotated[
    str | None, typer.Option("--toolsets", help="Toolsets to offer: names, `default` or `all`.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def run() -> int:
    """Run the command in `sys.argv`; failures are one sentence on stderr, not a traceback."""
    try:
        app(standalone_mode=True)
    except SettingsError as exc:
        sys.stderr.write(f"webquarry: {exc}\n")
        return EXIT_SETTINGS
    except WebquarryError as exc:
        sys.stderr.write(f"webquarry: {exc}\n")
        return EXIT_FAILED
    return 0


@app.callback(invoke_without_command=True)
def _main(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


@app.command()
def serve(
    *,
    stdio: Annotated[bool, typer.Option("--stdio", help="Serve one MCP client on stdio.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Serve MCP, REST and console.")] = False,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[str | None, typer.Option(help="Port to listen on.")] = None,
    workers: Annotated[str | None, typer.Option(help="Processes that serve HTTP.")] = None,
    toolsets: Toolsets = None,
) -> None:
    """Start the server, over stdio or HTTP."""
    if stdio == http:
        raise typer.BadParameter("choose one of --stdio and --http")
    given = {
        "WEBQUARRY_HOST": host,
        "PORT": port,
        "WEBQUARRY_WORKERS": workers,
        "TOOLSETS": toolsets,
    }
    flags = {name: value for name, value in given.items() if value is not None}
    from webquarry import serving

    if http:
        raise typer.Exit(serving.serve_http(flags))
    from webquarry.front.descriptors import claim
    from webquarry.front.loop import Handover

    read_fd, write_fd = claim()
    raise typer.Exit(serving.serve_stdio(flags, Handover(read_fd, write_fd, b"", (), frozenset())))


@app.command()
def worker() -> None:
    """Work on crawls that servers share through REDIS_URL and DATABASE_URL."""
    from webquarry import serving

    raise typer.Exit(serving.serve_worker({}))


@app.command()
def tools(
    *,
    toolsets: Toolsets = None,
    tokens: Annotated[bool, typer.Option("--tokens", help="What each tool costs.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the tools; with --tokens, what each adds to a model's context."""
    from webquarry.cli import listing

    flags = {} if toolsets is None else {"TOOLSETS": toolsets}
    typer.echo(listing.tools(flags, tokens=tokens, as_json=as_json), nl=False)


@app.command()
def call(
    name: Annotated[str, typer.Argument(help="Name of the tool.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="JSON object, or name=value pairs.")
    ] = None,
    *,
    toolsets: Toolsets = "all",
    as_json: AsJson = False,
) -> None:
    """Call one tool and print its result."""
    from webquarry.cli import calling

    text, failed = calling.call_tool(name, arguments or [], toolsets or "all", as_json=as_json)
    typer.echo(text, err=failed and not as_json)
    if failed:
        raise typer.Exit(EXIT_FAILED)


@app.command()
def config(*, as_json: AsJson = False) -> None:
    """Show the settings in effect and where each comes from; secrets are masked."""
    from webquarry.cli import listing

    typer.echo(listing.settings(as_json=as_json), nl=False)


@app.command()
def audit(
    what: Annotated[str, typer.Argument(help="`verify` checks the audit trail.")],
    path: Annotated[Path | None, typer.Argument(help="The trail; else AUDIT_OUTPUT_PATH.")] = None,
) -> None:
    """Check that no line of the audit trail was changed or removed."""
    if what != "verify":
        raise typer.BadParameter("say `webquarry audit verify [FILE]`")
    from webquarry.cli import auditing

    text, ok = auditing.verify_trail(path)
    typer.echo(text, err=not ok)
    if not ok:
        raise typer.Exit(EXIT_FAILED)


@app.command()
def doctor(
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nobody outside.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check settings, storage, keys, network, browser, disk and clock, and say what to do."""
    from webquarry.cli import doctor as doctors

    text, well = doctors.examine(offline=offline, as_json=as_json)
    typer.echo(text, nl=False)
    if not well:
        raise typer.Exit(EXIT_FAILED)
