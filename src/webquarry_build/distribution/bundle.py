"""Lays out the bundle for desktop clients.

Run `python -m webquarry_build.distribution.bundle WHEEL FOLDER`;
`make mcpb` then packs the folder with the bundle's own tool.
"""

import shutil
import sys
import zipfile
from pathlib import Path

FIXED = Path("deploy") / "mcpb"
BESIDE = ("LICENSE", "README.md")


def lay_out(root: Path, wheel: Path, folder: Path) -> None:
    """Fill `folder` anew: manifest, starter and pyproject.toml, with the wheel's code in src/."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / FIXED, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy(root / name, folder)
    with zipfile.ZipFile(wheel) as archive:
        code = [name for name in archive.namelist() if name.startswith("webquarry/")]
        archive.extractall(folder / "src", members=code)


if __name__ == "__main__":
    lay_out(Path.cwd(), Path(sys.argv[1]), Path(sys.argv[2]))
