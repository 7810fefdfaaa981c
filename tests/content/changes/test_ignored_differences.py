import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.content.changes.pages import DAY, MONDAY, page
from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.noise_patterns import mute, unmute
from webquarry.models.changes import Change, NoiseProfile, VersionComparison


def _compared(
    before: str, after: str, profile: NoiseProfile | None = None, *, days: float = 0.0
) -> VersionComparison:
    return compare_versions(
        page(before, at=MONDAY),
        page(after, at=MONDAY + days * DAY),
        profile or NoiseProfile(),
    )


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("Posted 3 minutes ago", "Posted 2 hours ago", "relative_time"),
        ("vor 5 Minuten", "vor einer Stunde", "relative_time"),
        ("il y a 2 heures", "il y a 3 heures", "relative_time"),
        ("hace 5 minutos", "hace 1 hora", "relative_time"),
        ("3分前", "14分前", "relative_time"),
        ("Offer ends in 3 hours", "Offer ends in 2 hours", "relative_time"),
        ("Last updated: 12 March 2026, 14:05 UTC", "Last updated: 3 May 2026, 9:12", "date_stamp"),
        ("Stand: 12.03.2026", "Stand: 13.03.2026", "date_stamp"),
        ("Publié le 3 mars 2026", "Publié le 5 mars 2026", "date_stamp"),
        ("By Ada Brook, 12 March 2026", "By Ada Brook, 14 March 2026", "date_stamp"),
        ("Monday, 12 January 2026", "Tuesday, 13 January 2026", "date_stamp"),
        ("14:35", "15:02", "date_stamp"),
        ("© 2025 The Mill Company", "© 2026 The Mill Company", "copyright_year"),
        ("Copyright 2019-2025 Mill", "Copyright 2019-2026 Mill", "copyright_year"),
        ("1,234 views", "1,301 views", "counter"),
        ("12k shares · 40 comments", "13k shares · 42 comments", "counter"),
        ("Visitors today: 120", "Visitors today: 125", "counter"),
        ("7 people are viewing this", "9 people are viewing this", "counter"),
        ("2.345 Aufrufe", "2.400 Aufrufe", "counter"),
        ("Page generated in 0.034 seconds", "Page generated in 0.120 seconds", "counter"),
        ("Sponsored: Buy a kettle", "Sponsored: Fly to Rome", "advertisement"),
        ("Session ID: 7f3a9c21", "Session ID: 11bb09ef", "session_id"),
        ("We use cookies. Accept all of them?", "We use cookies. Accept these 3?", "cookie_notice"),
    ],
)  # fmt: skip
def test_what_differs_on_each_visit_is_ignored_with_its_reason(
    before: str, after: str, reason: str
) -> None:
    comparison = _compared(f"# Mill\n\n{before}\n\nText.", f"# Mill\n\n{after}\n\nText.")

    assert comparison.changes == ()
    assert {each.ignored and each.ignored.reason for each in comparison.ignored} == {reason}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The fair is on 14 May 2027", "The fair is on 16 May 2027"),
        ("14 May 2027", "16 May 2027"),  # later than the page was read: not when it was made
        ("Open 9:00 - 17:00", "Open 9:00 - 18:00"),
        ("Rated 4.5 of 5", "Rated 4.1 of 5"),
        ("Founded in 1999", "Founded in 1989"),
        ("The mill weighs 12 kg", "The mill weighs 14 kg"),
        ("Published by Steel Press", "Published by Tin Press"),
        ("Updated 3 minutes ago: two dead", "Updated 9 minutes ago: four dead"),
        ("SHA-256: 9f86d081884c7d65", "SHA-256: 2c26b46b68ffc68f"),
        ("Version 3.2.1 (12 March 2026)", "Version 3.2.2 (14 March 2026)"),
        ("The cookie policy accepts 3 of them", "The cookie policy rejects 3 of them"),
        ("Related work is listed below", "Related work was listed above"),
        ("1,234 views cost 20 €", "1,301 views cost 25 €"),
    ],
)
def test_what_says_something_is_told(before: str, after: str) -> None:
    assert len(_compared(f"# Mill\n\n{before}", f"# Mill\n\n{after}").changes) == 1


def test_a_date_that_moves_with_the_clock_is_ignored_and_one_that_does_not_is_told() -> None:
    before = "# Mill\n\nDelivery by Tue, 24 November."

    moving = _compared(before, "# Mill\n\nDelivery by Thu, 26 November.", days=2)
    later = _compared(before, "# Mill\n\nDelivery by Thu, 26 November.")

    assert [each.ignored and each.ignored.reason for each in moving.ignored] == ["date_stamp"]
    assert [each.kind for each in later.changes] == ["date"]


@pytest.mark.parametrize(
    "heading", ["## You may also like", "## Meistgelesen", "Related articles", "**Lees ook**"]
)
def test_teasers_of_other_pages_are_ignored(heading: str) -> None:
    text = "# News\n\nThe council voted.\n\n{}\n\n- {}\n- Same teaser\n\n## Comments\n\nAgreed."

    comparison = _compared(text.format(heading, "Cats"), text.format(heading, "New dogs of 2027"))

    assert comparison.changes == ()
    assert {each.ignored and each.ignored.reason for each in comparison.ignored} == {"related"}


@pytest.mark.parametrize(
    "label", ["Deal of the day: {}", "Word of the week\n\n{}", "Plat du jour : {}"]
)
def test_what_is_new_each_day_by_its_name_is_ignored(label: str) -> None:
    text = f"# Site\n\n{label}\n\nThe shop is {{}}."

    comparison = _compared(text.format("tea and milk", "open"), text.format("jam", "closed"))

    assert [each.after and each.after.quote for each in comparison.changes] == [
        "The shop is closed."
    ]
    assert {each.ignored and each.ignored.reason for each in comparison.ignored} == {"related"}


def test_text_after_teasers_is_told() -> None:
    text = "# News\n\n## Related articles\n\n- Cats\n- Dogs\n\n## Comments\n\n{}"

    assert len(_compared(text.format("I agree."), text.format("I object.")).changes) == 1


def test_the_block_after_the_label_of_an_advertisement_is_ignored() -> None:
    text = "# News\n\nAdvertisement\n\n{}\n\nThe council {}."

    comparison = _compared(text.format("Buy tea", "voted"), text.format("Fly now", "met"))

    assert [each.after and each.after.quote for each in comparison.changes] == ["The council met."]
    assert len(comparison.ignored) == 1


def test_one_place_or_a_whole_rule_can_be_unmuted() -> None:
    before = "# Mill\n\n120 views of the video\n\n## Shares\n\n14 shares by people"
    after = "# Mill\n\n150 views of the video\n\n## Shares\n\n19 shares by people"

    views, shares = _compared(before, after).ignored
    assert views.ignored is not None
    one = _compared(before, after, unmute(NoiseProfile(), views.ignored.rule))
    all_ = _compared(before, after, unmute(NoiseProfile(), "counter"))

    assert ([each.id for each in one.changes], [each.id for each in one.ignored]) == (
        [views.id], [shares.id],
    )  # fmt: skip
    assert [each.id for each in all_.changes] == [views.id, shares.id]


def test_a_muted_place_is_ignored_from_then_on_and_can_be_unmuted() -> None:
    text = "# Mill\n\nSpecial offer: {}\n\nDelivery: {}"
    deal, delivery = _compared(text.format("tea", "slow"), text.format("coffee", "fast")).changes
    profile = mute(NoiseProfile(), deal)

    later = _compared(text.format("milk", "fast"), text.format("a cup", "never"), profile)
    (ignored,) = later.ignored
    assert ignored.ignored is not None
    restored = unmute(profile, ignored.ignored.rule)

    assert [each.where for each in later.changes] == [delivery.where]
    assert ignored.ignored.reason == "muted"
    assert restored.patterns == ()


def test_a_line_that_is_replaced_as_a_whole_is_muted_by_the_line_before_it() -> None:
    text = "# Mill\n\nToday's motto\n\n{}\n\nThe {} is made of {}."
    (motto, _) = _compared(text.format("Carpe diem", "mill", "tin"),
                           text.format("Festina lente", "mill", "steel")).changes  # fmt: skip
    profile = mute(NoiseProfile(), motto)

    later = _compared(text.format("Festina lente", "mill", "tin"),
                      text.format("Sapere aude", "mill", "wood"), profile)  # fmt: skip

    assert [each.after and each.after.quote for each in later.ignored] == ["Sapere aude"]
    assert [each.after and each.after.quote for each in later.changes] == [
        "The mill is made of wood."
    ]


def test_a_section_can_be_muted_with_those_below_it() -> None:
    text = "# Mill\n\n{}\n\n## Reviews\n\n{}\n\n### Old ones\n\n{}"
    before, after = text.format("A.", "Bad.", "Fine."), text.format("B.", "Good.", "Poor.")
    change = next(each for each in _compared(before, after).changes if "Reviews" in each.where)

    later = _compared(before, after, mute(NoiseProfile(), change, scope="section"))

    assert [each.after and each.after.quote for each in later.changes] == ["B."]
    assert len(later.ignored) == 2


_NAMES = ("alpha", "beta", "gamma", "delta")


@given(
    st.lists(st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES)), min_size=4, max_size=4),
    st.integers(0, 3),
)
@settings(max_examples=80, deadline=None)
def test_muting_hides_exactly_the_muted_place(values: list[tuple[str, str]], number: int) -> None:
    lines = ("Our special offer is {} tea", "Our motto reads {} always", "Made of {} steel",
             "Sold by {} company")  # fmt: skip
    before, after = (
        "# Mill\n\n" + "\n\n".join(
            line.format(value[side]) for line, value in zip(lines, values, strict=True)
        )
        for side in (0, 1)
    )  # fmt: skip
    changes = _compared(before, after).changes
    muted = [change for change in changes if _of_line(change, lines[number])]
    profile = NoiseProfile()
    for change in muted:
        profile = mute(profile, change)

    comparison = _compared(before, after, profile)

    assert [each.id for each in comparison.ignored] == [each.id for each in muted]
    assert [each.id for each in comparison.changes] == [
        each.id for each in changes if each not in muted
    ]


def _of_line(change: Change, line: str) -> bool:
    return change.after is not None and change.after.quote.startswith(line.partition(" {}")[0])
