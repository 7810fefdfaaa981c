"""Adds an API key to the env file of this installation, readable by its owner only."""

import os
import re
import tempfile
from pathlib import Path

from webquarry.errors import BadInputError, SettingsError
from webquarry.settings import dotenv
from webquarry.settings.load import Settings
from webquarry.settings.setting_sources import OWN_DOTENV, OWN_PREFIX

_KEY = re.compile(r"[\x21-\x26\x28-\x7e]{1,4096}")  # printable, without spaces and quotes
_ENVIRONMENT = "environment"


def key_file_path(settings: Settings, directory: Path) -> Path:
    """Return the file that keys are added to."""
    return directory / (settings.server.env_file or OWN_DOTENV)


def save_key(settings: Settings, directory: Path, name: str, value: str) -> Path:
    """Write the key into the file, replace an older value; return the path of the file."""
    if not _KEY.fullmatch(value):
        raise BadInputError(f"{name}: paste the key alone, without spaces, quotes or line breaks")
    if settings.sources.get(name) == _ENVIRONMENT:
        raise BadInputError(
            f"{name} is set in the environment, which overrides every file. Change it there."
        )
    path = key_file_path(settings, directory)
    try:
        text = path.read_text("utf-8") if path.exists() else ""
        _replace_file(path, _with_key(text, name, value))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be changed: {error}") from error
    return path


def _with_key(text: str, name: str, value: str) -> str:
    """Return the file with this key, and without older values of it."""
    names = {name, f"{OWN_PREFIX}{name}"}
    older = {line.number for line in dotenv.parse(text) if line.name in names}
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    kept = [line for number, line in enumerate(lines, 1) if number not in older]
    return "\n".join([*kept, f"{name}='{value}'", ""])


def _replace_file(path: Path, text: str) -> None:
    """Write a temporary file and rename it: readers never see a part. Its mode is 0600."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
