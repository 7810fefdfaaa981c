"""Python packages in environments of their own: their requirements conflict with those of tests."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

CACHE = Path(__file__).resolve().parents[3] / ".cache" / "python-clients"
INSTALL_SECONDS = 300
RUN_SECONDS = 120


def python_with(*packages: str) -> Path:
    """Return the Python of an environment with exactly these packages; install if missing."""
    home = CACHE / "_".join(package.replace("==", "-") for package in packages)
    if not home.exists():
        _install(packages, home)
    return home / "bin" / "python"


def run_driver(python: Path, driver: Path, arguments: Sequence[str], home: Path) -> Any:
    """Run a program in its own home directory; return what it prints as JSON."""
    completed = subprocess.run(
        [str(python), str(driver), *arguments],
        cwd=home,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def _install(packages: Sequence[str], home: Path) -> None:
    """Install into a temporary directory and rename it: another process may do the same."""
    CACHE.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=CACHE, prefix="draft-"))
    uv = str(Path(sys.executable).with_name("uv"))
    make = [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(draft)]
    fill = [uv, "pip", "install", "--quiet", "--python", str(draft / "bin" / "python"), *packages]
    try:
        for command in (make, fill):
            subprocess.run(
                command, check=True, capture_output=True, timeout=INSTALL_SECONDS, text=True
            )
        draft.rename(home)
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(draft)
        if not home.exists():
            reason = str(getattr(error, "stderr", None) or error).strip().partition("\n")[0]
            pytest.skip(f"{packages[0]} cannot be installed: {reason}")
