"""Given names in bibliographies: initials and particles."""

import pytest

from webquarry.content.citations.given_names import (
    initials,
    leading_particle,
    spaced_initials,
    trailing_particle,
)


@pytest.mark.parametrize(
    ("given", "spaced"),
    [
        ("J.K.", "J. K."),
        ("J K", "J. K."),
        ("Peter A", "Peter A."),
        ("П.П.", "П. П."),
        ("Jean-Pierre", "Jean-Pierre"),
        ("J.-P.", "J.-P."),
        ("Ana y", "Ana y"),
    ],
)
def test_initials_are_told_apart(given: str, spaced: str) -> None:
    assert spaced_initials(given) == spaced


@pytest.mark.parametrize(
    ("given", "short"),
    [
        ("Ann Beth", "A. B."),
        ("J.R.R.", "J. R. R."),
        ("Jean-Pierre", "J.-P."),
        ("Rafael C. de", "R. C. de"),
        ("", ""),
    ],
)
def test_no_initial_is_lost_and_particles_stay_small(given: str, short: str) -> None:
    assert initials(given) == short


def test_particles_are_separated_from_both_names() -> None:
    assert trailing_particle("Rafael C. de") == ("Rafael C.", "de")
    assert trailing_particle("Ludwig") == ("Ludwig", "")
    assert leading_particle("van der Slate") == ("Slate", "van der")
    assert leading_particle("Van Slate") == ("Van Slate", "")
