"""Process names that let other processes on the same machine detect that one has ended."""

import os
import socket
from functools import cache
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PID_NAMESPACE = Path("/proc/self/ns/pid")


def process_name() -> str:
    """Return the name of this process."""
    return f"{_pid_namespace()}/{os.getpid()}"


def is_gone(process: str) -> bool:
    """Whether a process of this PID namespace has ended; False for those of other namespaces."""
    namespace, _, number = process.rpartition("/")
    if namespace != _pid_namespace():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False


@cache
def _pid_namespace() -> str:
    """Return an id of the PID namespace: each container has its own."""
    try:
        # host names are often equal, boot ids are not
        return f"{_BOOT_ID.read_text().strip()}/{_PID_NAMESPACE.readlink()}"
    except OSError:
        return socket.gethostname()
