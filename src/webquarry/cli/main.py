"""The command line. Each command imports what it needs, so that `--help` is fast."""

import sys
from io import TextIOWrapper

from webquarry.cli.command_index import help_text
from webquarry.errors import WebquarryError

EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells report it
EXIT_INTERRUPTED = 130


def run() -> int:
    """Run the command in `sys.argv`; errors are printed as a sentence, without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # a terminal that is not UTF-8 shows question marks instead of failing
            stream.reconfigure(errors="replace")
    if sys.argv[1:] in (["--help"], ["-h"], ["help"]):
        sys.stdout.write(help_text())
        return 0
    # imported here: it takes 0.1 s, which the help above does not need
    from webquarry.cli.command_group import app

    try:
        app(standalone_mode=True, prog_name="webquarry")
    except WebquarryError as exc:
        from webquarry.cli.error_messages import exit_code, message

        sys.stderr.write(message(exc))
        return exit_code(exc)
    except KeyboardInterrupt:
        sys.stderr.write("webquarry: stopped\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # flushing stdout at exit would fail again
        sys.stdout = None  # pyright: ignore[reportAttributeAccessIssue]
        return EXIT_BROKEN_PIPE
    return 0
