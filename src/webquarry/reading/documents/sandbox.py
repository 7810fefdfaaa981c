"""Takes from the worker process what it does not need: memory, time, files and the network."""

import ctypes
import os
import sys
from importlib import import_module
from typing import Any

# typed loosely, since one platform does not have the module
_resource: Any = import_module("resource") if sys.platform != "win32" else None
_NEW_USER = 0x10000000
_NEW_NET = 0x40000000
_FILES = 64


def confine(memory_bytes: int) -> None:
    """Set limits that the process cannot raise again."""
    if _resource is None:
        return
    _limit(_resource.RLIMIT_CORE, 0)
    _limit(_resource.RLIMIT_FSIZE, 0)
    _limit(_resource.RLIMIT_NOFILE, _FILES)
    if sys.platform == "linux":
        _leave_network()
        # elsewhere libraries reserve address space that they never use
        _limit(_resource.RLIMIT_AS, memory_bytes)


def allow_cpu(seconds: float) -> None:
    """Let the process use so many more seconds of CPU time, and be ended after that."""
    if _resource is None:
        return
    used = _resource.getrusage(_resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    hard = _resource.getrlimit(_resource.RLIMIT_CPU)[1]
    soft = soft if hard == _resource.RLIM_INFINITY else min(soft, hard)
    _resource.setrlimit(_resource.RLIMIT_CPU, (soft, hard))


def _limit(kind: int, amount: int) -> None:
    hard = _resource.getrlimit(kind)[1]
    amount = amount if hard == _resource.RLIM_INFINITY else min(amount, hard)
    _resource.setrlimit(kind, (amount, amount))


def _leave_network() -> None:
    """Move into a network of our own that leads nowhere, where the system lets us."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.getuid() == 0 and libc.unshare(_NEW_NET) == 0:
        return
    # a refusal is fine: no reader opens a connection, this only keeps a subverted one from it
    libc.unshare(_NEW_USER | _NEW_NET)
