"""The wheel and the sdist, built once as `make dist` builds them: without the network."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Dist:
    wheel: Path
    sdist: Path | None


def build(source: Path, out: Path, *only: str) -> Dist:
    """Build the project in `source`; the wheel comes from the sdist unless it is the only one."""
    uv = Path(sys.executable).with_name("uv")
    subprocess.run(
        [uv, "build", "--quiet", "--offline", "--no-build-isolation", "--python", sys.executable,
         "--out-dir", out, *only, source],
        check=True,
    )  # fmt: skip
    [wheel] = out.glob("*.whl")
    return Dist(wheel, next(out.glob("*.tar.gz"), None))


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Dist:
    return build(ROOT, tmp_path_factory.mktemp("dist"))
