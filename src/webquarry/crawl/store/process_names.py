"""Names of processes by which others on the same machine can tell that one is gone."""

import os
import socket
from functools import cache
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_SPACE = Path("/proc/self/ns/pid")


def name() -> str:
    """Return what this process is called."""
    return f"{_place()}/{os.getpid()}"


def gone(process: str) -> bool:
    """Whether a process of this place has ended; of other places nothing is known."""
    place, _, number = process.rpartition("/")
    if place != _place():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False


@cache
def _place() -> str:
    """Return where numbers of processes mean the same: containers count for themselves."""
    try:
        # names of machines are often equal, these are not
        return f"{_BOOT.read_text().strip()}/{_SPACE.readlink()}"
    except OSError:
        return socket.gethostname()
