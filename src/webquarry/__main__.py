"""The `webquarry` command. `serve --stdio` takes the fast start (`front/`); the rest is the CLI."""

import os
import sys

# options that every command takes, and the variables they set
_GLOBAL_OPTIONS = {"--env-file": "WEBQUARRY_ENV_FILE", "--offline": "WEBQUARRY_OFFLINE"}


def main() -> int:
    """Run the command line; return the exit code."""
    # idle threads of numpy's OpenBLAS use CPU time, and our matrices are small
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    shell = os.getenv("_WEBQUARRY_COMPLETE")  # set by the scripts of `webquarry completion`
    if shell:
        from webquarry.cli.complete import print_completions

        return print_completions(shell, sys.argv[1:])
    for option, variable in _GLOBAL_OPTIONS.items():
        sys.argv[1:] = _without_option(sys.argv[1:], option, variable)
    toolsets = _stdio_toolsets(sys.argv[1:])
    if toolsets is not None:
        return _serve_stdio(toolsets or None)
    from webquarry.cli.main import run

    return run()


def _without_option(arguments: list[str], option: str, variable: str) -> list[str]:
    """Put the value of an option into the environment."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for at, argument in enumerate(arguments[:end]):
        if argument == option and at + 1 < end and not _is_flag_of(arguments[:at], option):
            os.environ[variable] = arguments[at + 1]
            return arguments[:at] + arguments[at + 2 :]
        if argument.startswith(f"{option}="):
            os.environ[variable] = argument.partition("=")[2]
            return arguments[:at] + arguments[at + 1 :]
    return arguments


def _is_flag_of(before: list[str], option: str) -> bool:
    """Tell the flag `doctor --offline`, which takes no value, from the option of all commands."""
    return option == "--offline" and before[:1] == ["doctor"]


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
    fast = _front_is_on()
    # importing pathlib would cost a third of the start-up time
    snapshot, key = find(toolsets, os.getcwd()) if fast else (None, "")  # noqa: PTH109
    handover: Handover | None = Handover(read_fd, write_fd, b"", (), frozenset())
    if snapshot is not None:
        handover = Front(read_fd, write_fd, snapshot, _load).run()
    if handover is None:
        # Every request was answered and the client has disconnected; a half-loaded server must
        # not delay the exit.
        os._exit(0)
    if snapshot is None and fast:
        _load()
    from webquarry.serving import serve_stdio

    flags = {} if toolsets is None else {"TOOLSETS": toolsets}
    snapshot_key = key if snapshot is None else ""
    return serve_stdio(flags, handover, snapshot_key=snapshot_key, plain=fast and not key)


def _front_is_on() -> bool:
    """Return False when WEBQUARRY_FRONT is switched off; the settings report a wrong value."""
    return os.getenv("WEBQUARRY_FRONT", "").strip().lower() not in {"0", "f", "false", "no", "off"}


def _load() -> None:
    """Import the real server. Garbage collection finds nothing meanwhile and costs time."""
    import gc

    from webquarry.front.fast_sdk_import import import_server_parts

    gc.disable()
    try:
        import_server_parts()
        __import__("webquarry.server.stdio_transport")
        __import__("webquarry.server.build_offer")
        __import__("webquarry.serving")
    finally:
        gc.freeze()
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
