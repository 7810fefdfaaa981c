"""Landlock and seccomp for the worker process, through system calls: no library is needed."""

import ctypes
import os
import platform
import struct
from collections.abc import Iterable
from pathlib import Path

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

# the same numbers on all architectures
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
# by version of Landlock, the number of rights over files that it knows
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_MAX_FILE_RIGHTS = 16
_TCP_RIGHTS = 0b11  # bind and connect
_SCOPES = 0b11  # abstract Unix sockets and signals

# system calls that no parser makes: connections, other processes, mounts, kernel interfaces
_DENIED = {
    "x86_64": (
        41, 42, 43, 49, 50, 288,  # socket, connect, accept, bind, listen, accept4
        101, 310, 311, 312, 424, 434, 438,  # ptrace, process_vm_*, kcmp, pidfd_*
        155, 161, 165, 166, 272, 308, 428, 429, 430, 431, 432, 433,  # mounts, namespaces
        175, 176, 246, 248, 249, 250, 298, 304, 313, 320, 321, 323, 425, 426, 427,
    ),
    "aarch64": (
        198, 200, 201, 202, 203, 242,
        117, 270, 271, 272, 424, 434, 438,
        39, 40, 41, 51, 97, 268, 428, 429, 430, 431, 432, 433,
        104, 105, 106, 217, 218, 219, 241, 265, 273, 280, 282, 294, 425, 426, 427,
    ),
}  # fmt: skip
# only text recognition starts a program; Landlock restricts signals
_PROGRAMS = {"x86_64": (59, 322), "aarch64": (221, 281)}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # system calls of another ABI on the same architecture

_LOAD, _JUMP_EQUAL, _JUMP_GREATER_OR_EQUAL, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY_EPERM = 0x7FFF0000, 0x00050001

_libc = ctypes.CDLL(None, use_errno=True)


def forbid_new_privileges() -> None:
    """Make sure that no program started from here gains privileges."""
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def landlock_version() -> int:
    """Return the version of Landlock in the kernel; 0 without it."""
    return max(0, _libc.syscall(_LANDLOCK_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION))


def restrict_files(readable: Iterable[Path], programs: Iterable[Path]) -> bool:
    """Allow reading below some paths and running some programs, and nothing else.

    With newer kernels also no TCP, and no signals to processes outside. Returns whether it worked.
    """
    version = landlock_version()
    if not version:
        return False
    rights = (1 << _FILE_RIGHTS.get(version, _MAX_FILE_RIGHTS)) - 1
    fields = (rights, _TCP_RIGHTS if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    # older kernels know a shorter structure
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _libc.syscall(_LANDLOCK_CREATE_RULESET, struct.pack("QQQ", *fields), size, 0)
    if ruleset < 0:
        return False
    try:
        for path in readable:
            _allow(ruleset, path, _READ_FILE | _READ_DIR)
        for path in programs:
            _allow(ruleset, path, _EXECUTE | _READ_FILE)
        return _libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what does not exist needs no permission
        return
    try:
        if not path.is_dir():
            rights &= ~_READ_DIR
        rule = struct.pack("=Qi", rights, handle)
        _libc.syscall(_LANDLOCK_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(handle)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def restrict_system_calls(*, allow_programs: bool) -> bool:
    """Let system calls that no parser makes fail; return whether that worked."""
    machine = platform.machine()
    if machine not in _DENIED:
        return False
    denied = _DENIED[machine] if allow_programs else _DENIED[machine] + _PROGRAMS[machine]
    code = _filter(denied, _ARCHITECTURE[machine])
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    return _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) == 0


def _filter(denied: tuple[int, ...], architecture: int) -> bytes:
    """Return a BPF program that lets the denied calls fail with EPERM."""
    # each: operation, instructions to skip if true and if false, operand
    count = len(denied)
    program = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_JUMP_EQUAL, 0, count + 3, architecture),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_JUMP_GREATER_OR_EQUAL, count + 1, 0, _X32),
        *((_JUMP_EQUAL, count - index, 0, number) for index, number in enumerate(denied)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _DENY_EPERM),
    ]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)
