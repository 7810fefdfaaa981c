from collections.abc import Callable
from typing import Any

import pytest

from tests.support import services
from webquarry.calls.registry import (
    DEFAULT_TOOLSETS,
    RENAMES,
    TOOLSETS,
    RegistrationError,
    Registry,
    choose,
    expand_toolsets,
)
from webquarry.calls.tool import AnyTool, Call, ToolOptions, tool
from webquarry.calls.tool_schema import SchemaError
from webquarry.errors import NotFoundError, SettingsError
from webquarry.models.model import Model
from webquarry.models.result import error_result, structured_result, text_result
from webquarry.tools import TOOLS, load_tools


class Empty(Model):
    pass


class Out(Model):
    count: int = 0


def named(name: str, toolset: str = "web", options: ToolOptions | None = None) -> AnyTool:
    async def handler(args: Empty, _: Call) -> Out:
        """Do nothing."""
        return Out(count=1)

    handler.__name__ = name
    return tool(toolset, options)(handler)


def test_tools_are_listed_by_name_whatever_the_order_of_registration() -> None:
    registry = Registry([named("zebra"), named("ant"), named("mole")])

    assert [d["name"] for d in registry.definitions()] == ["ant", "mole", "zebra"]


def test_a_name_can_be_taken_only_once() -> None:
    with pytest.raises(RegistrationError, match="'ant' is registered already"):
        Registry([named("ant"), named("ant")])


def test_a_field_json_cannot_carry_fails_at_registration() -> None:
    class In(Model):
        hook: Callable[[], None]

    @tool("web")
    async def bad(args: In, _: Call) -> Out:
        """Take a function."""
        return Out()

    with pytest.raises(SchemaError):
        Registry([bad])


def test_the_schemas_of_checked_tools_are_derived_when_asked_for() -> None:
    eager = Registry([named("ant"), named("bee")])
    lazy = Registry([named("ant"), named("bee")], checked=True)

    assert lazy.definitions() == eager.definitions()
    assert lazy.definition("ant") == named("ant").definition()


def test_a_tool_needs_a_description() -> None:
    async def silent(args: Empty, _: Call) -> Out:
        return Out()

    with pytest.raises(RegistrationError, match="no docstring"):
        Registry([tool("web")(silent)])


def test_a_tool_needs_a_known_toolset() -> None:
    with pytest.raises(RegistrationError, match="has an unknown toolset: 'nowhere'"):
        Registry([named("ant", "nowhere")])


def test_an_unknown_tool_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="Unknown tool: ant"):
        Registry().lookup("ant")


def test_an_output_schema_can_be_replaced() -> None:
    by_hand = {"type": "object", "properties": {"n": {"type": "integer"}}}

    assert named("ant", options=ToolOptions(output_schema=by_hand)).definition()[
        "outputSchema"
    ] == (by_hand)


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (Out(count=1), ({"count": 1}, None)),
        (Out(), (None, None)),  # nothing was set: nothing to say
        (text_result("hi"), (None, text_result("hi"))),
        (structured_result("hi", {"n": 1}), ({"n": 1}, structured_result("hi", {"n": 1}))),
        ((Out(count=1), structured_result("hi", {"n": 2})),
         ({"count": 1}, structured_result("hi", {"n": 2}))),
        ((Out(), structured_result("hi", {"n": 2})), ({"n": 2}, structured_result("hi", {"n": 2}))),
        ((Out(count=1), error_result("no")), (None, error_result("no"))),
    ],
)  # fmt: skip
def test_the_typed_output_wins_over_the_manual_one_and_errors_carry_none(
    returned: Any, expected: Any
) -> None:
    output = named("ant").output(returned)

    assert (output.body, output.result) == expected


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bee", "Unknown tool: bee (it is in toolset crawl: see TOOLSETS)"),
        ("cat", "Unknown tool: cat (what it needs is not configured)"),
        ("dog", "Unknown tool: dog"),
    ],
)
def test_a_tool_that_is_not_offered_is_not_found_and_the_reason_is_told(
    name: str, words: str
) -> None:
    never = ToolOptions(available=lambda _: False)
    tools = [named("ant"), named("bee", "crawl"), named("cat", options=never)]

    with pytest.raises(NotFoundError) as caught:
        choose(tools, ["web"], services()).lookup(name)

    assert str(caught.value) == words


def test_a_tool_is_offered_only_when_its_toolset_is_chosen_and_its_condition_holds() -> None:
    tools = [
        named("ant", "web"),
        named("bee", "data"),
        named("cow", "web", ToolOptions(available=lambda _: False)),
    ]

    assert [t.name for t in choose(tools, ["web"], services()).tools()] == ["ant"]


@pytest.mark.parametrize(
    ("toolsets", "names"),
    [
        (["searxng"], ["web_search"]),
        (["searxng", "starter"], ["ant", "web_search"]),
        (["searxng", "web"], ["searxng_search", "web_search"]),
        (["all"], ["ant", "searxng_search", "web_search"]),
        (["default"], ["web_search"]),
    ],
)
def test_a_tool_takes_the_better_known_name_when_nobody_else_has_it(
    toolsets: list[str], names: list[str]
) -> None:
    tools = [named("searxng_search", "searxng"), named("web_search"), named("ant", "starter")]
    registry = choose(tools, toolsets, services())

    assert [t.name for t in registry.tools()] == names
    assert [d["name"] for d in registry.definitions()] == names


def test_every_new_name_belongs_to_a_tool_of_the_toolset_it_depends_on() -> None:
    ours = {tool.name: tool for tool in TOOLS}

    assert set(RENAMES) <= set(ours)
    assert {holder for _, holder in RENAMES.values() if holder} <= set(TOOLSETS)


def test_the_tools_for_chatgpt_have_the_names_of_its_contract_in_every_selection() -> None:
    for toolsets in (["chatgpt"], ["default", "chatgpt"], ["all"]):
        registry = choose(TOOLS, toolsets, services())

        listed = {definition["name"] for definition in registry.definitions()}
        assert {"search", "fetch"} <= listed
        assert not {"chatgpt_search", "chatgpt_fetch"} & listed
        assert registry.lookup("chatgpt_fetch") is registry.lookup("fetch")


def test_an_alias_that_has_the_name_keeps_it() -> None:
    registry = choose(TOOLS, ["web", "chatgpt"], services(), ["short"])

    assert registry.lookup("search").name == "web_search"
    assert registry.lookup("chatgpt_search").name == "chatgpt_search"


def test_default_and_all_stand_for_toolsets() -> None:
    assert expand_toolsets(["default", "starter"]) == {*DEFAULT_TOOLSETS, "starter"}
    assert expand_toolsets(["all"]) == set(TOOLSETS)


def test_an_unknown_toolset_names_the_known_ones() -> None:
    with pytest.raises(
        SettingsError, match="unknown toolsets: webb; choose from default, all, web"
    ):
        expand_toolsets(["webb"])


def test_every_tool_of_ours_registers() -> None:
    assert len(Registry(load_tools()).tools()) == len(TOOLS)
