"""What a worker that an attacker controls would try; run inside the worker."""

import ctypes
import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path


def attempts(data: bytes, *, target: str, secret: str, parent: int) -> bytes:
    """Return how each attack ended, by name."""
    libc = ctypes.CDLL(None, use_errno=True)

    def ptrace() -> None:
        if libc.ptrace(16, parent, None, None) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")

    tried: dict[str, Callable[[], object]] = {
        "write a file": lambda: os.open(target, os.O_WRONLY | os.O_CREAT),
        "make a directory": lambda: Path(f"{target}-directory").mkdir(),
        "read /etc/shadow": lambda: Path("/etc/shadow").read_bytes(),
        "read /etc/passwd": lambda: Path("/etc/passwd").read_bytes(),
        "read the key file": lambda: Path(secret).read_bytes(),
        "delete the key file": lambda: Path(secret).unlink(),
        "list the data directory": lambda: list(Path(secret).parent.iterdir()),
        "read the environment of the server": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
        "open a Unix socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
        "trace the server": ptrace,
        "signal the server": lambda: os.kill(parent, signal.SIGCONT),
        "start a program": lambda: subprocess.run(["/bin/true"], check=True),
        "become root": lambda: os.setresuid(0, 0, 0) if os.getuid() else os.open("/proc/1/mem", 2),
    }
    return json.dumps({name: _outcome(attack) for name, attack in tried.items()}).encode()


def _outcome(attack: Callable[[], object]) -> str:
    try:
        attack()
    except OSError as error:
        return type(error).__name__
    return "possible"
