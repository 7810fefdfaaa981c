"""The table of features: what the stored models depend on."""

import pytest

from webquarry.content.main_content.decision_trees import FULL_MODEL, LAYOUT_MODEL, stored_trees
from webquarry.content.main_content.feature_table import (
    COLUMN,
    FEATURE_GROUPS,
    FEATURES,
    LAYOUT_COLUMNS,
    columns,
)


def test_every_feature_has_a_name_of_its_own_and_a_meaning() -> None:
    meanings = [meaning for group in FEATURE_GROUPS.values() for meaning in group.values()]

    assert len(FEATURES) == len(set(FEATURES)) == len(meanings)
    assert all(meanings)


def test_the_columns_are_those_of_the_stored_models() -> None:
    # a change here means that the models have to be trained again
    first = {group: columns(group).start for group in FEATURE_GROUPS}

    assert first == {
        "block": 0,
        "text": 3,
        "head": 18,
        "position": 22,
        "path": 35,
        "ancestor": 40,
        "core": 94,
        "ancestor_text": 97,
        "neighbour": 133,
        "neighbour_parent": 163,
        "page": 165,
        "page_text": 178,
        "url": 198,
        "json_ld": 206,
        "lexicon": 224,
    }
    named = ("has_date", "has_money", "boilerplate_words", "in_main_role", "page_dates")
    assert [COLUMN[name] for name in named] == [12, 14, 11, 84, 175]
    assert (len(FEATURES), len(LAYOUT_COLUMNS)) == (242, 203)


@pytest.mark.parametrize("model", [FULL_MODEL, LAYOUT_MODEL])
def test_the_stored_models_use_only_columns_of_the_table(model: str) -> None:
    assert int(stored_trees(model).features.max()) < len(FEATURES)
