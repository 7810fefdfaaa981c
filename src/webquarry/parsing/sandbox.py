"""Limits of the worker process: memory, CPU time, files, network, privileges and system calls."""

import contextlib
import ctypes
import os
import stat
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# untyped: Windows does not have the module
_resource: Any = import_module("resource") if sys.platform != "win32" else None
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_MAX_FILES = 64
_NOBODY = 65534
_CAPABILITY_VERSION_3 = 0x20080522
# libraries, fonts, time zones, languages of text recognition, random numbers
_SYSTEM_PATHS = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share",
    "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/proc/cpuinfo",
    "/proc/meminfo", "/sys/devices/system/cpu",
)  # fmt: skip
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")


def confine(memory_bytes: int, program: str = "") -> None:
    """Set limits that the process cannot raise; it may start only the program that is named."""
    if _resource is None:
        return
    _limit(_resource.RLIMIT_CORE, 0)
    _limit(_resource.RLIMIT_FSIZE, 0)
    _limit(_resource.RLIMIT_NOFILE, _MAX_FILES)
    if sys.platform == "linux":
        _leave_network()
        _leave_privileges()
        _use_kernel_sandbox(program)
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


def _leave_privileges() -> None:
    """Stop being root: no capabilities, and another user if that user can read our code."""
    from webquarry.parsing import kernel_sandbox

    kernel_sandbox.forbid_new_privileges()
    if os.getuid() != 0:
        return
    # a container may run as root without the capability to change the user
    with contextlib.suppress(PermissionError):
        if all(_is_public(path) for path in _code_paths()):
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
            return
    # the user root without capabilities: Landlock and seccomp do the rest
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)())


def _use_kernel_sandbox(program: str) -> None:
    """Use Landlock and seccomp, where the kernel has them."""
    from webquarry.parsing import kernel_sandbox

    programs = [Path(program), *map(Path, _LOADERS)] if program else []
    readable = [*_code_paths(), *map(Path, _SYSTEM_PATHS)]
    kernel_sandbox.restrict_files(readable, programs)
    kernel_sandbox.restrict_system_calls(allow_programs=bool(program))


def _code_paths() -> list[Path]:
    """Return the directories that Python imports from."""
    # the prefixes themselves may contain more: /usr, or a home directory
    paths = {Path(entry) for entry in sys.path if entry}
    return sorted(path for path in paths if path != Path("/") and path.exists())


def _is_public(path: Path) -> bool:
    """Return whether every user can read below the path."""
    needed = [(path, stat.S_IROTH | stat.S_IXOTH if path.is_dir() else stat.S_IROTH)]
    needed += [(parent, stat.S_IXOTH) for parent in path.resolve().parents]
    return all(each.stat().st_mode & bits == bits for each, bits in needed)
