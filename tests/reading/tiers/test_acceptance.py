"""Which readings are accepted, and which need another tier."""

import pytest

from webquarry.models.page import Wall
from webquarry.models.reading import Reading
from webquarry.reading.tiers.acceptance import MIN_BYTES, accept
from webquarry.reading.tiers.read_errors import UnreadableError

SCRIPT = b"<script>1</script>"


def page(text: str) -> Reading:
    url = "https://owls.test/"
    return Reading(url=url, final_url=url, markdown=text, kind="html", word_count=len(text.split()))


def test_a_long_page_is_accepted_even_with_scripts() -> None:
    reading = page("owl " * MIN_BYTES)

    assert accept(reading, SCRIPT) is reading


def test_the_minimum_length_is_counted_in_bytes() -> None:
    reading = page("梟" * (MIN_BYTES // 3 + 1))

    assert accept(reading, SCRIPT) is reading


def test_a_short_page_without_scripts_is_accepted() -> None:
    reading = page("Owls hunt at night.")

    assert accept(reading, b"<p>Owls hunt at night.</p>") is reading


def test_a_short_page_with_scripts_is_only_a_candidate() -> None:
    reading = page("Owls hunt at night.")

    with pytest.raises(UnreadableError) as failure:
        accept(reading, SCRIPT)
    assert (failure.value.reason, failure.value.candidate) == ("19 bytes", reading)


def test_a_page_without_words_is_not_accepted() -> None:
    with pytest.raises(UnreadableError) as failure:
        accept(page(""), SCRIPT)
    assert (failure.value.kind, failure.value.reason, failure.value.candidate) == (
        "content_empty",
        "0 bytes",
        None,
    )


@pytest.mark.parametrize(("words", "kept"), [(6, False), (60, True)])
def test_a_request_to_enable_javascript_is_no_content(words: int, *, kept: bool) -> None:
    wall = Wall(kind="script_shell", evidence="enable javascript")
    reading = page("owl " * words).model_copy(update={"wall": wall})

    with pytest.raises(UnreadableError) as failure:
        accept(reading, SCRIPT)
    assert (failure.value.candidate is not None) == kept
