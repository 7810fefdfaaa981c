"""Dates as engines write them become RFC 3339 in UTC, or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.text.timestamps import to_rfc3339, unix_time

NOW = 1_735_689_600.0  # 2025-01-01T00:00:00Z


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-12-31T17:09:03", "2024-12-31T17:09:03Z"),
        ("2024-12-31T17:09:03.561858Z", "2024-12-31T17:09:03Z"),
        ("2024-12-31T17:09:03+02:00", "2024-12-31T15:09:03Z"),
        ("2024-12-31 17:09:03 -0530", "2024-12-31T22:39:03Z"),
        ("2024-12-31", "2024-12-31T00:00:00Z"),
        ("2024/12/31", "2024-12-31T00:00:00Z"),
        ("Tue, 31 Dec 2024 17:09:03 GMT", "2024-12-31T17:09:03Z"),
        ("12/29/2024, 02:30 PM, +0000 UTC", "2024-12-29T14:30:00Z"),
        ("48 minutes ago", "2024-12-31T23:12:00Z"),
        ("3 days ago", "2024-12-29T00:00:00Z"),
        ("2h", "2024-12-31T22:00:00Z"),
        ("an hour ago", "2024-12-31T23:00:00Z"),
        ("yesterday", "2024-12-31T00:00:00Z"),
        ("vor 3 Tagen", "2024-12-29T00:00:00Z"),
        ("il y a 2 heures", "2024-12-31T22:00:00Z"),
        ("hace 1 semana", "2024-12-25T00:00:00Z"),
        ("March 30, 2018", "2018-03-30T00:00:00Z"),
        ("Sunday, March 3, 2019", "2019-03-03T00:00:00Z"),
        ("30. März 2018", "2018-03-30T00:00:00Z"),
        ("4 de mayo de 2020", "2020-05-04T00:00:00Z"),
        ("13.04.2021", "2021-04-13T00:00:00Z"),
        ("2024年12月29日", "2024-12-29T00:00:00Z"),
        (1_765_390_791, "2025-12-10T18:19:51Z"),
    ],
)
def test_a_moment_is_normalised(text: str | float, moment: str) -> None:
    assert to_rfc3339(text, NOW) == moment


@pytest.mark.parametrize(
    "text",
    [None, "", "soon", "2024-05", "2024", "2024-02-31", "03/04/2024", "5 bananas ago", True,
     "99999999999999999 years ago", 1e300, "x" * 200],
)  # fmt: skip
def test_what_names_no_day_is_dropped(text: str | float | None) -> None:
    assert to_rfc3339(text, NOW) is None


@given(st.integers(min_value=0, max_value=4_102_444_800))
def test_seconds_survive_the_way_there_and_back(moment: int) -> None:
    assert unix_time(to_rfc3339(moment, NOW) or "") == moment


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    found = to_rfc3339(text, NOW)

    assert found is None or unix_time(found) is not None
