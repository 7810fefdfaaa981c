"""Shows a long text in the user's pager, as git does: $PAGER, or less."""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys

# quit if it fits on the screen, show colours, leave the text on the screen; $LESS overrides it
_LESS = "FRX"
_DEFAULT = "less"


def page_text(text: str) -> None:
    """Show the text in the pager if it is longer than the screen, print it otherwise."""
    command = shlex.split(os.environ.get("PAGER", _DEFAULT))
    if _fits(text) or not sys.stdout.isatty() or not command or not shutil.which(command[0]):
        sys.stdout.write(text)
        return
    pager = subprocess.Popen(  # noqa: S603 - the user's own choice
        command, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ}
    )
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to the pager
    try:
        with contextlib.suppress(BrokenPipeError):  # the pager was left before the end
            pager.communicate(text.encode("utf-8", "replace"))
        pager.wait()
    finally:
        signal.signal(signal.SIGINT, handler)


def _fits(text: str) -> bool:
    return text.count("\n") < shutil.get_terminal_size().lines
