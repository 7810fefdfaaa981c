"""Short content is parsed in this process only, within a limit."""

import pytest

from webquarry.errors import BadInputError
from webquarry.parsing.limited import parse_limited


def test_the_result_is_returned() -> None:
    assert parse_limited(lambda: 42, "sources:") == 42


def test_too_much_work_is_the_error_of_the_caller() -> None:
    def endless() -> None:
        while True:
            pass

    with pytest.raises(BadInputError) as caught:
        parse_limited(endless, "sources:", seconds=0.02, error=BadInputError)

    assert str(caught.value) == (
        "sources: needs more work to read than is allowed (0.02 seconds of CPU time)"
    )
