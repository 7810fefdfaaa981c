"""The command line. Each command imports what it needs, so that `--help` stays quick."""

import sys
from io import TextIOWrapper

from webquarry.cli.command_index import help_text
from webquarry.errors import WebquarryError

EXIT_BROKEN_PIPE = 141  # as a shell calls it when the reader has gone
EXIT_INTERRUPTED = 130


def run() -> int:
    """Run the command in `sys.argv`; failures are one sentence on stderr, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal of few characters shows the rest
    if sys.argv[1:] in (["--help"], ["-h"], ["help"]):
        sys.stdout.write(help_text())
        return 0
    # imported here: a tenth of a second that the help above does not need
    from webquarry.cli.command_group import app

    try:
        app(standalone_mode=True, prog_name="webquarry")
    except WebquarryError as exc:
        from webquarry.cli.error_messages import exit_code, sentence

        sys.stderr.write(sentence(exc))
        return exit_code(exc)
    except KeyboardInterrupt:
        sys.stderr.write("webquarry: stopped\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # what is still to be flushed at the end would fail again
        sys.stdout = None  # pyright: ignore[reportAttributeAccessIssue]
        return EXIT_BROKEN_PIPE
    return 0
