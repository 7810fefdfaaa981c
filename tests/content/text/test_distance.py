"""Distances on the globe."""

import pytest

from webquarry.content.text.distance import haversine_distance


@pytest.mark.parametrize(
    ("one", "other", "kilometres"),
    [
        ((48.8566, 2.3522), (51.5074, -0.1278), 343.6),  # Paris to London
        ((0, 179.9), (0, -179.9), 22.2),  # over the date line
        ((90, 0), (-90, 0), 20015.1),  # pole to pole
        ((10, 20), (10, 20), 0),
    ],
)
def test_distances_are_those_of_the_map(
    one: tuple[float, float], other: tuple[float, float], kilometres: float
) -> None:
    assert haversine_distance(*one, *other) / 1000 == pytest.approx(kilometres, abs=0.2)
