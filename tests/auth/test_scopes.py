import pytest

from webquarry.auth.scopes import allows, tool_scopes


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


def test_scopes_of_other_programs_are_not_tool_scopes() -> None:
    assert tool_scopes(["openid", "tool:echo", "research", "tools"]) == {"tool:echo", "research"}
