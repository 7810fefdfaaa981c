"""The `webquarry` command. Serving over stdio starts in the front; the rest is the CLI."""

import os
import sys


def main() -> int:
    """Run the command line; return the exit status."""
    shell = os.getenv("_WEBQUARRY_COMPLETE")  # set by the scripts of `webquarry completion`
    if shell:
        from webquarry.cli.complete import answer

        return answer(shell, sys.argv[1:])
    toolsets = _stdio_toolsets(sys.argv[1:])
    if toolsets is not None:
        return _serve_stdio(toolsets or None)
    from webquarry.cli.main import run

    return run()


def _stdio_toolsets(arguments: list[str]) -> str | None:
    """Return the toolsets of a plain stdio start ('' if not given), None for anything else."""
    if not arguments:
        return None if os.isatty(0) else ""
    if arguments[0] != "serve" or "--stdio" not in arguments:
        return None
    rest = [a for a in arguments[1:] if a != "--stdio"]
    if not rest:
        return ""
    if len(rest) == 1 and rest[0].startswith("--toolsets="):
        return rest[0].partition("=")[2]
    return rest[1] if len(rest) == 2 and rest[0] == "--toolsets" else None


def _serve_stdio(toolsets: str | None) -> int:
    from webquarry.front.loop import Front, Handover
    from webquarry.front.snapshot import find
    from webquarry.front.stdio_descriptors import claim

    read_fd, write_fd = claim()
    snapshot, key = find(toolsets, os.getcwd())  # noqa: PTH109
    handover: Handover | None = Handover(read_fd, write_fd, b"", (), frozenset())
    if snapshot is not None:
        handover = Front(read_fd, write_fd, snapshot, _load).run()
    if handover is None:
        # Everything has been answered and the client is gone; a half-loaded server must not
        # delay the exit.
        os._exit(0)
    if snapshot is None:
        _load()
    from webquarry.serving import serve_stdio

    flags = {} if toolsets is None else {"TOOLSETS": toolsets}
    return serve_stdio(flags, handover, snapshot_key=key if snapshot is None else "", plain=not key)


def _load() -> None:
    """Import the real server; collecting garbage meanwhile finds none and costs time."""
    import gc

    from webquarry.front.fast_sdk_import import load_lightly

    gc.disable()
    try:
        load_lightly()
        __import__("webquarry.serving")
    finally:
        gc.freeze()
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
