import stat
from pathlib import Path

import pytest

from webquarry.errors import SettingsError
from webquarry.storage.encryption_keys import (
    ensure_private_directory,
    load_or_create_key,
    parse_key,
)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_sixty_four_hexadecimal_characters() -> None:
    assert parse_key(" " + "0aF1" * 16 + "\n", "CACHE_ENCRYPTION_KEY") == b"\x0a\xf1" * 16


@pytest.mark.parametrize("text", ["", "ab", "0" * 63, "0" * 65, "g" * 64, "0 " * 32, "é" * 64])
def test_an_invalid_key_is_reported_with_the_fix_but_not_shown(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_key(text, "CACHE_ENCRYPTION_KEY_PREV")
    length = len(text.strip())
    assert str(caught.value) == (
        f"CACHE_ENCRYPTION_KEY_PREV must be 64 hexadecimal characters, got {length} characters;"
        " create a key with: openssl rand -hex 32"
    )


def test_a_key_file_is_created_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "data" / "key"
    key = load_or_create_key(path)
    assert load_or_create_key(path) == key
    assert len(key) == 32
    assert (_mode(path), _mode(path.parent)) == (0o600, 0o700)
    assert list(path.parent.iterdir()) == [path]


def test_two_key_files_hold_different_keys(tmp_path: Path) -> None:
    assert load_or_create_key(tmp_path / "a") != load_or_create_key(tmp_path / "b")


def test_permissions_of_an_existing_key_file_and_directory_are_restricted(tmp_path: Path) -> None:
    path = tmp_path / "data" / "key"
    key = load_or_create_key(path)
    path.chmod(0o644)
    path.parent.chmod(0o755)
    assert load_or_create_key(path) == key
    assert (_mode(path), _mode(path.parent)) == (0o600, 0o700)


def test_a_damaged_key_file_is_reported_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"\xff half a key")
    with pytest.raises(SettingsError, match=r"the key file .*key must be 64 hexadecimal"):
        load_or_create_key(path)
    assert path.read_bytes() == b"\xff half a key"


def test_an_unreadable_key_file_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "key").mkdir()
    with pytest.raises(SettingsError, match=r"cannot be used: .*; set CACHE_ENCRYPTION_KEY"):
        load_or_create_key(tmp_path / "key")


def test_a_data_directory_that_cannot_be_created_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"cannot be created: .*choose another data directory"):
        ensure_private_directory(tmp_path / "file" / "data")
