from collections.abc import Sequence
from itertools import pairwise

from tests.content.changes.pages import DAY, MONDAY, page
from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.noise_learning import LEARNING_VERSIONS, is_learning, learn_noise
from webquarry.content.changes.noise_patterns import mute, unmute
from webquarry.models.changes import (
    FieldState,
    FieldsVersion,
    NoisePattern,
    NoiseProfile,
    VersionComparison,
)


def _learned(texts: Sequence[str], *, is_reread: bool = False) -> NoiseProfile:
    versions = [page(text, at=MONDAY + number * DAY) for number, text in enumerate(texts)]
    profile = NoiseProfile()
    for before, after in pairwise(versions):
        profile = learn_noise(profile, before, after, is_reread=is_reread)
    return profile


def _compared(profile: NoiseProfile, before: str, after: str) -> VersionComparison:
    return compare_versions(page(before), page(after), profile)


def _told(comparison: VersionComparison) -> list[str]:
    return [change.after.quote for change in comparison.changes if change.after]


_DEAL = "# Mill\n\nSpecial offer today: {}\n\nThe mill is made of {}."


def test_a_line_that_differs_twice_is_noise_and_a_line_that_differs_once_is_not() -> None:
    profile = _learned(
        [_DEAL.format("tea", "tin"), _DEAL.format("milk", "steel"), _DEAL.format("cocoa", "steel")]
    )

    comparison = _compared(profile, _DEAL.format("tea", "steel"), _DEAL.format("jam", "wood"))

    assert profile.patterns == (
        NoisePattern(
            id=profile.patterns[0].id,
            origin="learned",
            scope="line",
            where="mill",
            text="Special offer today: …",
            seen=2,
            needed=2,
        ),
    )
    assert _told(comparison) == ["The mill is made of wood."]
    assert [each.ignored and each.ignored.reason for each in comparison.ignored] == ["learned"]


def test_once_is_enough_between_versions_that_were_read_in_a_row() -> None:
    profile = _learned([_DEAL.format("tea", "tin"), _DEAL.format("milk", "tin")], is_reread=True)

    assert _told(_compared(profile, _DEAL.format("tea", "tin"), _DEAL.format("jam", "tin"))) == []


def test_what_was_learned_can_be_unmuted() -> None:
    profile = _learned([_DEAL.format("tea", "tin"), _DEAL.format("milk", "tin")], is_reread=True)

    profile = unmute(profile, profile.patterns[0].id)

    assert _told(_compared(profile, _DEAL.format("tea", "tin"), _DEAL.format("jam", "tin"))) == [
        "Special offer today: jam"
    ]


def test_a_place_that_was_unmuted_is_not_learned() -> None:
    texts = [_DEAL.format(offer, "tin") for offer in ("tea", "milk", "cocoa")]
    (change,) = _compared(NoiseProfile(), texts[0], texts[1]).changes
    profile = mute(NoiseProfile(), change)
    profile = unmute(profile, profile.patterns[0].id)
    for before, after in pairwise(texts):
        profile = learn_noise(profile, page(before), page(after))

    assert _told(_compared(profile, texts[0], texts[2])) == ["Special offer today: cocoa"]


def test_prices_and_availability_are_never_learned() -> None:
    text = "# Mill\n\nPrice: {} €\n\n{}"
    profile = _learned(
        [text.format(20, "In stock"), text.format(19, "Sold out"), text.format(18, "In stock"),
         text.format(17, "Sold out")],
        is_reread=True,
    )  # fmt: skip

    assert profile.patterns == ()


def test_a_number_must_differ_three_times() -> None:
    text = "# Rates\n\nOne dollar costs {} yen"
    texts = [text.format(number) for number in (148, 150, 151, 149)]

    assert [len(_learned(texts[:count]).patterns) for count in (3, 4)] == [0, 1]


def test_a_section_that_rotates_is_noise_and_one_that_grows_at_the_top_is_not() -> None:
    rotating = ("abc", "dbf", "gah", "bik")
    text = "# Site\n\nSome text here.\n\nMore text.\n\n## {}\n\n{}\n\n## End\n\nLast.\n\nText."

    def written(heading: str, letters: str) -> str:
        items = "\n".join(f"- Item {letter * 9} for you" for letter in letters)
        return text.format(heading, items)

    shuffled = _learned([written("Tips", letters) for letters in rotating])
    growing = _learned([written("News", letters) for letters in ("abc", "dab", "eda", "fed")])

    assert [(each.scope, each.where) for each in shuffled.patterns] == [
        ("section", "site \u203a tips")
    ]
    assert _told(_compared(shuffled, written("Tips", "abc"), written("Tips", "xyz"))) == []
    assert _told(_compared(growing, written("News", "fed"), written("News", "gfe"))) == [
        "Item ggggggggg for you"
    ]


def test_a_line_without_words_that_stay_is_learned_by_the_line_before_it() -> None:
    text = "# Mill\n\nQuote\n\n{}\n\nThe mill is made of {}."
    quotes = ("Carpe diem", "Festina lente", "Sapere aude")
    profile = _learned([text.format(quote, "tin") for quote in quotes])

    comparison = _compared(
        profile, text.format("Sapere aude", "tin"), text.format("Vox populi", "wood")
    )

    assert _told(comparison) == ["The mill is made of wood."]


def test_nothing_is_learned_after_the_first_versions() -> None:
    profile = _learned([_DEAL.format("tea", "tin")] * (LEARNING_VERSIONS + 1))

    assert not is_learning(profile)
    assert (
        learn_noise(profile, page(_DEAL.format("a", "b")), page(_DEAL.format("c", "d"))) == profile
    )


def test_fields_are_never_learned() -> None:
    def version(views: int) -> FieldsVersion:
        return FieldsVersion(url="https://x.example", values={"/views": FieldState(value=views)})

    profile = NoiseProfile()
    for number in range(4):
        profile = learn_noise(profile, version(number), version(number + 1))

    assert profile == NoiseProfile(versions=4)
