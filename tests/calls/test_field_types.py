import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from webquarry.calls.field_types import (
    MAX_INPUT_LENGTH,
    SHELL_METACHARACTERS,
    SafePath,
    SafeText,
    validate_input,
    validate_path,
)
from webquarry.models.model import Model


class In(Model):
    name: SafeText = ""
    file: SafePath = ""


@pytest.mark.parametrize("text", ["a\0b", "a;b", "a|b", "$(ls)", "`ls`", "a&b", "a\nb", "a>b"])
def test_dangerous_text_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        In(name=text)


@pytest.mark.parametrize("path", ["../x", "a/../b", "a\\..\\b", "..", "a\0b", "x" * 5000])
def test_a_path_that_leaves_its_root_is_refused(path: str) -> None:
    with pytest.raises(ValidationError):
        In(file=path)


@pytest.mark.parametrize("path", ["a/b.txt", "..a/b..", "a...b", "."])
def test_dots_that_are_no_traversal_are_fine(path: str) -> None:
    assert In(file=path).file == path


def test_the_longest_allowed_text_passes_and_one_more_does_not() -> None:
    assert In(name="x" * MAX_INPUT_LENGTH)
    with pytest.raises(ValidationError, match="4097 characters long; at most 4096"):
        In(name="x" * (MAX_INPUT_LENGTH + 1))


@given(st.text(max_size=200))
def test_what_passes_is_unchanged_and_clean(text: str) -> None:
    try:
        assert validate_input(text) == text
    except ValueError:
        assert SHELL_METACHARACTERS & set(text) or "\0" in text
    else:
        assert not SHELL_METACHARACTERS & set(text)


@given(st.lists(st.sampled_from(["..", "a", ".", "", "\\", "/"]), max_size=8))
def test_no_accepted_path_has_a_parent_step(parts: list[str]) -> None:
    path = "/".join(parts)
    try:
        validate_path(path)
    except ValueError:
        return
    assert ".." not in path.replace("\\", "/").split("/")
