"""Limits of the worker process: memory, CPU time, files and network."""

import ctypes
import os
import sys
from importlib import import_module
from typing import Any

# untyped: Windows does not have the module
_resource: Any = import_module("resource") if sys.platform != "win32" else None
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_MAX_FILES = 64


def confine(memory_bytes: int) -> None:
    """Set limits that the process cannot raise."""
    if _resource is None:
        return
    _limit(_resource.RLIMIT_CORE, 0)
    _limit(_resource.RLIMIT_FSIZE, 0)
    _limit(_resource.RLIMIT_NOFILE, _MAX_FILES)
    if sys.platform == "linux":
        _leave_network()
        # on other systems libraries reserve address space that they never use
        _limit(_resource.RLIMIT_AS, memory_bytes)


def allow_cpu(seconds: float) -> None:
    """Allow so many more seconds of CPU time; the kernel kills the process after that."""
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
    """Move into an empty network namespace, where the system allows it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.getuid() == 0 and libc.unshare(_CLONE_NEWNET) == 0:
        return
    # failing is acceptable: no reader opens connections; this stops a compromised one
    libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
