"""Installs the Go reference (web-researcher-mcp) into a separate environment."""

import subprocess
import sys
from pathlib import Path

from bench.process import CACHE

PEER = "web-researcher-mcp"


def installed_peer() -> tuple[str, ...] | None:
    """Return the command of the Go binary, without its slower Python entry point."""
    environment = CACHE / "peer"
    try:
        if not _binary(environment):
            subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
            pip = str(environment / "bin" / "pip")
            subprocess.run([pip, "install", "--quiet", PEER], check=True, timeout=300)
        binary = _binary(environment)
        if not binary:
            raise FileNotFoundError(f"{PEER} has no binary for this platform")
        binary.chmod(0o755)  # wheels do not keep the executable bit
        version = subprocess.run(
            [str(binary), "--version"], check=True, capture_output=True, text=True, timeout=30
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"{PEER} cannot be installed or run ({error}); only Webquarry is measured")
        return None
    print(f"peer: {PEER} {version}")
    return (str(binary),)


def _binary(environment: Path) -> Path | None:
    return next(environment.glob(f"lib/python*/site-packages/*/bin/{PEER}"), None)
