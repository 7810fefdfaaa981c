"""Everything that packages are made of follows from the code."""

import shutil
from pathlib import Path

from tests.distribution.conftest import ROOT
from webquarry.distribution.files import documents, stale, write


def test_the_files_are_current() -> None:
    assert stale(ROOT) == []


def test_a_missing_or_changed_file_is_told_and_made(tmp_path: Path) -> None:
    wanted = documents(ROOT)
    for name in ("pyproject.toml", "requirements.lock", *wanted):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "docs", tmp_path / "docs", dirs_exist_ok=True)
    (tmp_path / "server.json").unlink()
    (tmp_path / "llms.txt").write_text("# Something else\n")

    assert sorted(stale(tmp_path)) == ["llms.txt", "server.json"]
    write(tmp_path)
    assert stale(tmp_path) == []
