"""The command line. Each command imports what it needs, so that `--help` is fast."""

import gc
import sys
from io import TextIOWrapper

from webquarry.cli.help_texts import requested_help
from webquarry.errors import EXIT_INTERRUPTED, WebquarryError
from webquarry.version import __version__

# the default (700, 10, 10) searches for garbage dozens of times while a command imports
_GC_THRESHOLDS = (200_000, 10, 10)
EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells report it


def run() -> int:
    """Run the command in `sys.argv`; errors are printed as a sentence, without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # a terminal that is not UTF-8 shows question marks instead of failing
            stream.reconfigure(errors="replace")
    # most of the time of a command is spent on imports: these two need none
    text = f"{__version__}\n" if sys.argv[1:] == ["--version"] else requested_help(sys.argv[1:])
    if text is not None:
        sys.stdout.write(text)
        return 0
    gc.set_threshold(*_GC_THRESHOLDS)
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
