"""Binary content and text are told apart by their bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.binary_samples import BINARIES, TEXTS
from webquarry.content.text.binary_content import binary_type


@pytest.mark.parametrize("name", BINARIES)
def test_binary_content_has_a_media_type(name: str) -> None:
    sample = BINARIES[name]

    assert binary_type(sample.content, "text/html; charset=utf-8") == sample.media_type


@pytest.mark.parametrize("name", TEXTS)
def test_text_in_any_encoding_is_not_binary(name: str) -> None:
    assert binary_type(TEXTS[name].content, TEXTS[name].declared) is None


def test_the_declared_type_names_what_the_bytes_do_not() -> None:
    noise = bytes(range(256)) * 8

    assert binary_type(noise, "application/x-thing; v=1") == "application/x-thing"
    assert binary_type(noise, "text/html") == binary_type(noise) == "application/octet-stream"


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"))))
def test_no_readable_text_is_binary(text: str) -> None:
    assert binary_type(text.encode()) is None
    assert binary_type(text.encode("utf-16")) is None


@given(st.binary(min_size=400, max_size=2000))
def test_any_bytes_can_be_judged(data: bytes) -> None:
    binary_type(data)
