"""Conformance tools that answer with questions, to be called again (since 2026-07-28)."""

import mcp_types as types

from tests.conformance.conversation import CONVERSATION, question, sampling
from tests.conformance.plain_tools import Nothing
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.models.result import Result, text_result

DONE = text_result("Thank you.")
NAME = {"user_name": question("What is your name?", "name")}


@tool("starter")
async def test_input_required_result_elicitation(args: Nothing, call: Call) -> Result:
    """Ask the person for a name."""
    talk = CONVERSATION.get()
    return DONE if talk.has("user_name") else talk.ask(NAME)


@tool("starter")
async def test_streaming_elicitation(args: Nothing, call: Call) -> Result:
    """Ask the person for a name, never by a request of the server's own."""
    return CONVERSATION.get().ask(NAME)


@tool("starter")
async def test_input_required_result_sampling(args: Nothing, call: Call) -> Result:
    """Ask the client's model for a capital."""
    talk = CONVERSATION.get()
    if talk.has("capital_question"):
        return DONE
    return talk.ask({"capital_question": sampling("What is the capital of France?", 100)})


@tool("starter")
async def test_input_required_result_list_roots(args: Nothing, call: Call) -> Result:
    """Ask the client for its roots."""
    talk = CONVERSATION.get()
    if talk.has("client_roots"):
        return DONE
    return talk.ask({"client_roots": types.ListRootsRequest()})


@tool("starter")
async def test_input_required_result_request_state(args: Nothing, call: Call) -> Result:
    """Ask for a confirmation and expect the state back."""
    return _confirm()


@tool("starter")
async def test_input_required_result_tampered_state(args: Nothing, call: Call) -> Result:
    """Ask for a confirmation; a changed state never gets here."""
    return _confirm()


def _confirm() -> Result:
    talk = CONVERSATION.get()
    if talk.has("confirm") and talk.state == "asked":
        return text_result("state-ok")
    return talk.ask({"confirm": question("Please confirm", "ok", "boolean")}, state="asked")


@tool("starter")
async def test_input_required_result_multiple_inputs(args: Nothing, call: Call) -> Result:
    """Ask the person, the model and the client at once."""
    talk = CONVERSATION.get()
    if talk.has("user_name", "greeting", "client_roots"):
        return DONE
    return talk.ask(
        NAME,
        {"greeting": sampling("Generate a greeting", 50)},
        {"client_roots": types.ListRootsRequest()},
        state="asked",
    )


@tool("starter")
async def test_input_required_result_multi_round(args: Nothing, call: Call) -> Result:
    """Ask twice, one question after the other."""
    talk = CONVERSATION.get()
    if talk.state == "second" and talk.has("step2"):
        return DONE
    if talk.state == "first" and talk.has("step1"):
        return talk.ask({"step2": question("Your favourite colour?", "color")}, state="second")
    return talk.ask({"step1": question("Your name?", "name")}, state="first")


@tool("starter")
async def test_input_required_result_capabilities(args: Nothing, call: Call) -> Result:
    """Ask only in ways the client has declared."""
    talk = CONVERSATION.get()
    asks = [{"model": sampling("Say hello", 10)}] if talk.can_sample else []
    return talk.ask(*asks, NAME) if talk.can_elicit else talk.ask(*asks)


@tool("starter")
async def test_missing_capability(args: Nothing, call: Call) -> Result:
    """Refuse clients that cannot sample."""
    talk = CONVERSATION.get()
    if talk.can_sample:
        return DONE
    return talk.refuse(
        types.MISSING_REQUIRED_CLIENT_CAPABILITY,
        "This tool needs the client's model.",
        {"requiredCapabilities": {"sampling": {}}},
    )


ASKING_TOOLS: tuple[AnyTool, ...] = (
    test_input_required_result_capabilities,
    test_input_required_result_elicitation,
    test_input_required_result_list_roots,
    test_input_required_result_multi_round,
    test_input_required_result_multiple_inputs,
    test_input_required_result_request_state,
    test_input_required_result_sampling,
    test_input_required_result_tampered_state,
    test_missing_capability,
    test_streaming_elicitation,
)
