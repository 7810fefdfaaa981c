"""Bulk statements contain all rows, in order."""

import pytest

from webquarry.storage.bulk_sql import chunks


@pytest.mark.parametrize("count", [0, 1, 3, 4, 63, 64, 65, 87, 300])
def test_the_portions_contain_all_rows_in_order(count: int) -> None:
    rows = list(range(count))

    cut = list(chunks(rows))

    assert [row for portion in cut for row in portion] == rows
    assert {len(portion) for portion in cut} <= {1, 4, 16, 64}
