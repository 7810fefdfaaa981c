from dataclasses import replace
from pathlib import Path

import pytest

from webquarry.settings.load import load
from webquarry.settings.tree import Settings
from webquarry.settings.variable import Variable
from webquarry.wiring.declared_settings import declared_variables
from webquarry_build.settings_docs import documents, main

_ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", [".env.example", "docs/settings.md"])
def test_the_files_in_the_repository_are_current(name: str) -> None:
    assert (_ROOT / name).read_text(encoding="utf-8") == documents(declared_variables())[name], (
        "run `make generate`"
    )


def test_every_group_has_one_section() -> None:
    text = documents(declared_variables())["docs/settings.md"]
    headings = [line for line in text.splitlines() if line.startswith("## ")]

    assert sorted(set(headings)) == sorted(headings)


def test_written_files_pass_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--write"], root=tmp_path) == 0
    assert main(["--check"], root=tmp_path) == 0
    assert capsys.readouterr().out == ""


def test_a_stale_file_fails_the_check_with_a_diff(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--write"], root=tmp_path)
    added = Variable("NEW_KEY", "Key of a new source.", secret=True)
    assert main(["--check"], root=tmp_path, declared=(added,)) == 1
    assert "+# NEW_KEY=" in capsys.readouterr().out.splitlines()


def test_a_missing_file_fails_the_check(tmp_path: Path) -> None:
    assert main(["--check"], root=tmp_path) == 1


def test_the_example_uncommented_is_a_valid_dotenv(tmp_path: Path) -> None:
    example = documents()[".env.example"].splitlines()
    assigned = [line[2:] for line in example if line.startswith("# ") and "=" in line.split(" ")[1]]
    (tmp_path / "webquarry.env").write_text("\n".join(assigned), encoding="utf-8")
    found = load(environ={}, directory=tmp_path)
    assert replace(found, sources={}) == Settings()
