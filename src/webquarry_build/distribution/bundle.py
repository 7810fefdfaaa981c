"""Writes the folder of the MCPB bundle for desktop clients.

Run `python -m webquarry_build.distribution.bundle WHEEL FOLDER`; `make mcpb` then packs the folder.
"""

import shutil
import sys
import zipfile
from pathlib import Path

TEMPLATE = Path("deploy") / "mcpb"
COPIED = ("LICENSE", "README.md")


def write_bundle(root: Path, wheel: Path, folder: Path) -> None:
    """Replace `folder` by manifest, entry point, pyproject.toml and the wheel's code in src/."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in COPIED:
        shutil.copy(root / name, folder)
    with zipfile.ZipFile(wheel) as archive:
        code = [name for name in archive.namelist() if name.startswith("webquarry/")]
        archive.extractall(folder / "src", members=code)


if __name__ == "__main__":
    write_bundle(Path.cwd(), Path(sys.argv[1]), Path(sys.argv[2]))
