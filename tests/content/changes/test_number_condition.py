import pytest

from tests.content.changes.pages import page
from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.field_differences import fields_version
from webquarry.content.changes.number_condition import parse_condition
from webquarry.models.changes import Change
from webquarry.models.model import ArgumentsError


def _change(before: str, after: str) -> Change:
    (change,) = compare_versions(page(f"# Mill\n\n{before}"), page(f"# Mill\n\n{after}")).changes
    return change


@pytest.mark.parametrize(
    ("condition", "accepts"),
    [
        ("price < 20", True),
        ("price < 18", False),
        ("price <= 18 €", True),
        ("price < 20 USD", False),
        ("< 20", True),
        ("price ≥ 18", True),
        ("price > 18", False),
        ("price = 18,00", True),
        ("price != 18", False),
        ("price is below 20", True),
        ("price between 15 and 19", True),
        ("price between 19 and 15", True),
        ("price between 1 € and 2 €", False),
        ("price drops", True),
        ("price drops by 10 %", True),
        ("drops 10%", True),
        ("drops 11 %", False),
        ("price drops 2", True),
        ("price drops by at least 3", False),
        ("price rises", False),
        ("price changes 5 %", True),
        ("price falls below 20", True),
        ("price falls below 25", True),
        ("price falls below 17", False),
        ("price rises above 5", False),
        ("weight < 20", False),
    ],
)
def test_a_condition_is_met_by_the_number_of_a_change(
    condition: str,
    accepts: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    limit = 25 if condition == "price falls below 25" else 20
    change = _change(f"Now {limit},00 €", "Now 18,00 €")

    assert parse_condition(condition).accepts(change) is accepts


def test_a_crossing_is_met_only_when_the_limit_is_crossed() -> None:
    condition = parse_condition("price falls below 20")

    assert [
        condition.accepts(_change(f"{before} €", f"{after} €"))
        for before, after in ((25, 19), (19, 18), (20, 19), (25, 20))
    ] == [True, False, True, False]


def test_the_subject_may_be_a_label_or_a_field() -> None:
    change = _change("Weight: 12 kg", "Weight: 14 kg")
    before, after = (
        fields_version("https://x.example", {"offer": {"salePrice": price}}) for price in (20, 18)
    )
    (field,) = compare_versions(before, after).changes

    assert parse_condition("weight > 13").accepts(change)
    assert not parse_condition("height > 13").accepts(change)
    assert parse_condition("sale price < 19").accepts(field)


def test_a_change_without_a_number_meets_no_condition() -> None:
    assert not parse_condition("changes").accepts(_change("Made of tin", "Made of steel"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cheap", "it has no comparison"),
        ("", "it has no comparison"),
        ("price <", "the number is missing"),
        ("price < cheap", "'cheap' is not a number"),
        ("price between 10", "a range needs two numbers"),
        ("price < 10 20 30 40", "'10 20 30 40' is not a number"),
        ("x" * 201, "it has more than 200 characters"),
    ],
)
def test_the_error_of_a_wrong_condition_says_how_to_write_one(text: str, problem: str) -> None:
    with pytest.raises(ArgumentsError) as error:
        parse_condition(text)

    assert problem in str(error.value)
    assert "Examples: price < 20" in str(error.value)
    assert error.value.fields == ("condition",)
