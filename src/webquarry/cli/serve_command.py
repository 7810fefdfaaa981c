"""`webquarry serve` and `webquarry worker`: the server and the crawl worker."""

from typing import Annotated

import typer

from webquarry.cli.options import single_command

Toolsets = Annotated[
    str | None,
    typer.Option("--toolsets", help="Toolsets to offer: comma-separated names, default or all."),
]


def load(name: str) -> typer.Typer:
    """Return one of these commands."""
    return single_command({"serve": serve, "worker": worker}[name])


def serve(
    *,
    stdio: Annotated[bool, typer.Option("--stdio", help="Serve one MCP client on stdio.")] = False,
    http: Annotated[
        bool, typer.Option("--http", help="Serve MCP, REST and the web console over HTTP.")
    ] = False,
    host: Annotated[
        str | None, typer.Option(help="IP address to listen on [default: 127.0.0.1].")
    ] = None,
    port: Annotated[str | None, typer.Option(help="Port to listen on.")] = None,
    workers: Annotated[str | None, typer.Option(help="Number of HTTP server processes.")] = None,
    toolsets: Toolsets = None,
) -> None:
    """Start the server, over stdio or HTTP."""
    if stdio == http:
        raise typer.BadParameter("use either --stdio or --http")
    options = {
        "WEBQUARRY_HOST": host,
        "PORT": port,
        "WEBQUARRY_WORKERS": workers,
        "TOOLSETS": toolsets,
    }
    flags = {name: value for name, value in options.items() if value is not None}
    from webquarry import serving

    if http:
        raise typer.Exit(serving.serve_http(flags))
    from webquarry.front.loop import Handover
    from webquarry.front.stdio_descriptors import claim

    read_fd, write_fd = claim()
    raise typer.Exit(serving.serve_stdio(flags, Handover(read_fd, write_fd, b"", (), frozenset())))


def worker() -> None:
    """Run crawls that servers share through REDIS_URL and DATABASE_URL."""
    from webquarry import serving

    raise typer.Exit(serving.serve_worker({}))
