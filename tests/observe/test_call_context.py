import pytest

from webquarry.observe import call_context


def test_a_request_is_named_only_inside_its_block() -> None:
    with call_context.ActiveCall("abc"):
        assert call_context.request_id.get() == "abc"
    assert call_context.request_id.get() == ""


def test_a_request_without_an_id_gets_one() -> None:
    first, second = call_context.clean_request_id(""), call_context.clean_request_id("\n")

    assert len({first, second, ""}) == 3


def test_a_call_names_its_tool_and_gives_the_names_back_after_a_failure() -> None:
    seen: list[tuple[str, str]] = []

    def call() -> None:
        with call_context.ActiveCall("abc", "echo"):
            seen.append((call_context.request_id.get(), call_context.tool.get()))
            raise KeyError

    with pytest.raises(KeyError):
        call()
    assert seen == [("abc", "echo")]
    assert (call_context.request_id.get(), call_context.tool.get()) == ("", "")


@pytest.mark.parametrize(
    ("given", "kept"), [("a\r\nb c", "abc"), ("x" * 300, "x" * 200), ("ünïcode", "ncode")]
)
def test_an_id_of_a_client_cannot_break_a_log_line(given: str, kept: str) -> None:
    assert call_context.clean_request_id(given) == kept
