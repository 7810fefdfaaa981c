"""Errors as the terminal shows them."""

import pytest

from webquarry.cli.error_messages import exit_code, message
from webquarry.errors import (
    BadInputError,
    InternalError,
    NetworkError,
    PageError,
    ProviderError,
    RateLimitError,
    UnconfiguredError,
    WebquarryError,
)
from webquarry.library import ToolError
from webquarry.reading.tiers.read_errors import LoginWallError


@pytest.mark.parametrize(
    ("error", "expected", "status"),
    [
        (BadInputError("query: is required"), "webquarry: query: is required\n", 2),
        (UnconfiguredError("No key."),
         "webquarry: No key.\n  → `webquarry providers` shows which keys are set.\n", 2),
        (RateLimitError("Slow down.", retry_after=7, alternatives=("brave",)),
         "webquarry: Slow down.\n"
         "  → Try again in 7 s. Try another provider with --provider: brave.\n", 1),
        (ProviderError("It failed."), "webquarry: It failed.\n  → Try again later.\n", 1),
        (NetworkError("No answer."),
         "webquarry: No answer.\n"
         "  → Are you online? `webquarry doctor` checks the connection.\n", 1),
        (InternalError("A bug."), "webquarry: A bug.\n"
         "  → This is a bug. Run it again with -vv and please report the output.\n", 1),
        # nothing to set helps a page behind a login
        (LoginWallError("A login wall."), "webquarry: A login wall.\n", 1),
        (PageError("Empty."), "webquarry: Empty.\n", 1),
    ],
)  # fmt: skip
def test_a_failure_says_what_to_do(error: WebquarryError, expected: str, status: int) -> None:
    assert (message(error), exit_code(error)) == (expected, status)


def test_a_failed_tool_is_explained_like_its_cause() -> None:
    cause = RateLimitError("Slow down.", retry_after=7)
    error = ToolError(str(cause), details=cause.block())

    assert (message(error).rstrip(), exit_code(error)) == (
        "webquarry: Slow down.\n  → Try again in 7 s.",
        1,
    )


def test_a_refused_page_is_not_advised_to_be_tried_again() -> None:
    block = {"kind": "upstream_unavailable", "retryable": False, "suggestedAction": "inform_user"}

    assert message(WebquarryError("Refused.", details=block)) == "webquarry: Refused.\n"
