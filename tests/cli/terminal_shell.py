"""A shell on a terminal of its own, typed into as a person would."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

PATIENCE = 30.0
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\r")


class Typist:
    """Types, and reads what the terminal shows."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._shown = ""

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def until(self, wanted: str) -> str:
        """Return all that appeared, up to and with `wanted`."""
        end = time.monotonic() + PATIENCE
        while wanted not in self._shown:
            ready = select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))[0]
            if not ready:
                raise AssertionError(f"{wanted!r} did not appear; this did: {self._shown!r}")
            self._shown += _CONTROL.sub(
                "", os.read(self._terminal, 65_536).decode(errors="replace")
            )
        shown, _, self._shown = self._shown.partition(wanted)
        return shown + wanted


@contextmanager
def shell(command: Sequence[str], environ: Mapping[str, str]) -> Generator[Typist]:
    """Start a program on a new terminal, from which Ctrl-C reaches it, and end it."""
    ours, theirs = pty.openpty()
    # the first process of a session that opens a terminal is controlled by it
    controlled = ["sh", "-c", 'exec 3<>"$0" 3>&-; exec "$@"', os.ttyname(theirs), *command]
    process = subprocess.Popen(
        controlled, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
    )
    os.close(theirs)
    try:
        yield Typist(ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
