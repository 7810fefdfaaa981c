"""Adding an API key to the env file."""

from pathlib import Path

import pytest

from webquarry.errors import BadInputError
from webquarry.providers.all_providers import declared_variables
from webquarry.settings.key_file import save_key
from webquarry.settings.load import Settings, load

NAME = "BRAVE_API_KEY"


def settings(directory: Path, **environ: str) -> Settings:
    return load(environ=environ, directory=directory, declared=declared_variables())


def test_a_saved_key_is_loaded_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = save_key(settings(tmp_path), tmp_path, NAME, "first-key-1234")

    assert path == tmp_path / "webquarry.env"
    assert path.stat().st_mode & 0o777 == 0o600
    assert settings(tmp_path).keys[NAME] == "first-key-1234"


def test_a_new_key_replaces_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "webquarry.env"
    file.write_text("# mine\nPORT=9000\nexport BRAVE_API_KEY = old\nEXA_API_KEY=other\n")

    save_key(settings(tmp_path), tmp_path, NAME, "new$key#1234")

    assert (
        file.read_text() == "# mine\nPORT=9000\nEXA_API_KEY=other\nBRAVE_API_KEY='new$key#1234'\n"
    )
    assert settings(tmp_path).keys[NAME] == "new$key#1234"


@pytest.mark.parametrize("value", ["", "two words", "it's", "a\nPORT=1", "k\u00e9y"])
def test_a_value_that_is_no_key_is_refused_and_not_repeated(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadInputError, match="BRAVE_API_KEY: paste the key alone"):
        save_key(settings(tmp_path), tmp_path, NAME, value)
    assert not (tmp_path / "webquarry.env").exists()


def test_a_key_of_the_environment_cannot_be_overridden_by_a_file(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="set in the environment"):
        save_key(settings(tmp_path, BRAVE_API_KEY="from-outside"), tmp_path, NAME, "new-key")
