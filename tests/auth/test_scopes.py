import pytest

from webquarry.auth.scopes import about_tools, allows


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        (None, True),
        (frozenset[str](), False),
        (frozenset({"tool:*"}), True),
        (frozenset({"research"}), True),
        (frozenset({"tool:web_search"}), True),
        (frozenset({"toolset:web"}), True),
        (frozenset({"tool:web"}), False),
        (frozenset({"toolset:web_search"}), False),
        (frozenset({"tool:web_search2", "openid"}), False),
    ],
)
def test_a_scope_allows_what_it_names(*, scopes: frozenset[str] | None, allowed: bool) -> None:
    assert allows(scopes, "web_search", "web") is allowed


def test_scopes_of_other_programs_say_nothing_about_tools() -> None:
    assert about_tools(["openid", "tool:echo", "research", "tools"]) == {"tool:echo", "research"}
