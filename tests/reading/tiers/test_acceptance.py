"""Which readings are good, and which ask for another tier."""

import pytest

from webquarry.models.page import PageContent
from webquarry.models.reading import Reading
from webquarry.reading.tiers.acceptance import LEAST_BYTES, judge
from webquarry.reading.tiers.read_errors import UnreadableError


def _read(text: str) -> tuple[Reading, PageContent]:
    url = "https://owls.test/"
    reading = Reading(url=url, address=url, markdown=text, kind="html")
    return reading, PageContent(url=url, markdown=text, wordCount=len(text.split()))


def _never() -> bool:
    raise AssertionError("nobody needs to know whether the page has scripts")


def test_whether_a_long_page_has_scripts_does_not_matter() -> None:
    reading, page = _read("owl " * LEAST_BYTES)

    assert judge(reading, page, scripted=_never) is reading


def test_few_characters_may_be_enough_bytes() -> None:
    reading, page = _read("梟" * (LEAST_BYTES // 3 + 1))

    assert judge(reading, page, scripted=_never) is reading


@pytest.mark.parametrize("scripted", [False, True])
def test_a_short_page_is_good_unless_a_browser_could_show_more(*, scripted: bool) -> None:
    reading, page = _read("Owls hunt at night.")

    if not scripted:
        assert judge(reading, page, scripted=lambda: False) is reading
        return
    with pytest.raises(UnreadableError) as miss:
        judge(reading, page, scripted=lambda: True)
    assert (miss.value.words, miss.value.candidate) == ("19 bytes", reading)


def test_a_page_without_a_word_is_a_miss() -> None:
    reading, page = _read("")

    with pytest.raises(UnreadableError) as miss:
        judge(reading, page, scripted=_never)
    assert (miss.value.kind, miss.value.words, miss.value.candidate) == (
        "content_empty",
        "0 bytes",
        None,
    )
