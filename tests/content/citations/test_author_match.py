"""The people of a reference."""

import pytest

from webquarry.content.citations.author_match import family_names, same_authors
from webquarry.content.text.spelling import tokens_of

KNOWN = ("Gabriel García Márquez", "J. R. Smith", "Jan van der Berg", "Chloé Dubois")


@pytest.mark.parametrize(
    "named",
    [
        "García Márquez, G., Smith, J. R., van der Berg, J., & Dubois, C.",
        "Garcia Marquez G, Smith JR, van der Berg J, Dubois C.",
        "García, G., et al.",
        "Garcia Marquez, Gabriel, John Robert Smith, Jan van der Berg, and Chloe Dubois.",
        "See Smith and Dubois, who wrote",
    ],
)
def test_the_authors_are_recognised(named: str) -> None:
    assert same_authors(tokens_of(named), KNOWN)


@pytest.mark.parametrize(
    "named",
    [
        "Okafor, P.",
        "García, G., & Okafor, P.",
        "Okafor, P., Smith, J. R., & Dubois, C.",
        "Smith, J.",
    ],
)
def test_strangers_and_a_missing_first_author_are_seen(named: str) -> None:
    assert not same_authors(tokens_of(named), KNOWN)


def test_family_names_leave_particles_out() -> None:
    assert family_names(["Jan van der Berg", "Curie, Marie", "WHO"]) == ["berg", "curie", "who"]
