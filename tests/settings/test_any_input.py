"""Whatever the sources hold, loading ends with settings or with a message about settings."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from webquarry.errors import SettingsError
from webquarry.settings.load import Settings, load
from webquarry.settings.tree import declarations

_NAMES = st.sampled_from(list(declarations())) | st.text(max_size=12)
_VALUES = st.text(max_size=40) | st.sampled_from(["1", "30m", "true", "redis://h", "a" * 64, "/x"])
_PLAIN = [
    "1",
    "-1",
    "1.5",
    "nan",
    "true",
    "''",
    "'x'",
    "[]",
    "['a']",
    "[[1]]",
    "{a=1}",
    "1979-05-27",
]
_TOML_VALUES = st.sampled_from([*_PLAIN, "1979-05-27", "0x" + "f" * 5000, "9" * 5000, "'''\n'''"])
_PLACES = st.sampled_from([(entry.group, entry.key) for entry in declarations().values()])


def _load(
    *, dotenv: bytes = b"", toml: bytes = b"", environ: Mapping[str, str] | None = None
) -> Settings | None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / ".env").write_bytes(dotenv)
        (directory / "webquarry.toml").write_bytes(toml)
        try:
            return load(environ=environ or {}, directory=directory)
        except SettingsError:
            return None


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_as_dotenv(content: bytes) -> None:
    _load(dotenv=content)


@given(st.lists(st.tuples(_NAMES, _VALUES)))
def test_any_assignments_as_dotenv(pairs: list[tuple[str, str]]) -> None:
    lines = "\n".join(f"{name}={value}" for name, value in pairs)
    _load(dotenv=lines.encode("utf-8", "surrogatepass"))


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_as_toml(content: bytes) -> None:
    _load(toml=content)


@given(_PLACES, _TOML_VALUES)
@example(("server", "port"), "{a=1}")
def test_any_toml_type_for_any_setting(place: tuple[str, str], value: str) -> None:
    _load(toml=f"[{place[0]}]\n{place[1]} = {value}\n".encode())


@given(st.dictionaries(_NAMES, _VALUES))
def test_any_environment(environ: dict[str, str]) -> None:
    _load(environ=environ)
