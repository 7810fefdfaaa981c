import pytest

from webquarry.auth.admin_key import AdminKey


@pytest.mark.parametrize(
    ("given", "verdict"),
    [("new-key", "current"), ("old-key", "previous"), ("", "wrong"), ("new-key ", "wrong")],
)
def test_the_current_and_the_previous_key_are_known(given: str, verdict: str) -> None:
    assert AdminKey("new-key", "old-key").check(given) == verdict


@pytest.mark.parametrize("given", ["", "old-key", "\udcff"])
def test_without_a_previous_key_nothing_else_is_known(given: str) -> None:
    assert AdminKey("new-key").check(given) == "wrong"
