"""Conformance tools that return an input-required result (protocol 2026-07-28)."""

import mcp_types as types

from tests.conformance.client_access import CLIENT, elicitation, sampling
from tests.conformance.plain_tools import NoArguments
from webquarry.calls.tool import AnyTool, Call, tool
from webquarry.models.result import Result, text_result

DONE = text_result("Thank you.")
NAME = {"user_name": elicitation("What is your name?", "name")}


@tool("starter")
async def test_input_required_result_elicitation(args: NoArguments, call: Call) -> Result:
    """Ask the user for a name."""
    client = CLIENT.get()
    return DONE if client.has_responses("user_name") else client.request_input(NAME)


@tool("starter")
async def test_streaming_elicitation(args: NoArguments, call: Call) -> Result:
    """Ask the user for a name with an input-required result, never with a server request."""
    return CLIENT.get().request_input(NAME)


@tool("starter")
async def test_input_required_result_sampling(args: NoArguments, call: Call) -> Result:
    """Ask the client's model for a capital."""
    client = CLIENT.get()
    if client.has_responses("capital_question"):
        return DONE
    return client.request_input(
        {"capital_question": sampling("What is the capital of France?", 100)}
    )


@tool("starter")
async def test_input_required_result_list_roots(args: NoArguments, call: Call) -> Result:
    """Ask the client for its roots."""
    client = CLIENT.get()
    if client.has_responses("client_roots"):
        return DONE
    return client.request_input({"client_roots": types.ListRootsRequest()})


@tool("starter")
async def test_input_required_result_request_state(args: NoArguments, call: Call) -> Result:
    """Ask for a confirmation and expect the request state back."""
    return _confirm()


@tool("starter")
async def test_input_required_result_tampered_state(args: NoArguments, call: Call) -> Result:
    """Ask for a confirmation; the server rejects a tampered state before the tool runs."""
    return _confirm()


def _confirm() -> Result:
    client = CLIENT.get()
    if client.has_responses("confirm") and client.state == "asked":
        return text_result("state-ok")
    return client.request_input(
        {"confirm": elicitation("Please confirm", "ok", "boolean")}, state="asked"
    )


@tool("starter")
async def test_input_required_result_multiple_inputs(args: NoArguments, call: Call) -> Result:
    """Ask the user, the model and the client in one result."""
    client = CLIENT.get()
    if client.has_responses("user_name", "greeting", "client_roots"):
        return DONE
    return client.request_input(
        NAME,
        {"greeting": sampling("Generate a greeting", 50)},
        {"client_roots": types.ListRootsRequest()},
        state="asked",
    )


@tool("starter")
async def test_input_required_result_multi_round(args: NoArguments, call: Call) -> Result:
    """Ask twice, one question after the other."""
    client = CLIENT.get()
    if client.state == "second" and client.has_responses("step2"):
        return DONE
    if client.state == "first" and client.has_responses("step1"):
        return client.request_input(
            {"step2": elicitation("Your favourite colour?", "color")}, state="second"
        )
    return client.request_input({"step1": elicitation("Your name?", "name")}, state="first")


@tool("starter")
async def test_input_required_result_capabilities(args: NoArguments, call: Call) -> Result:
    """Use only the capabilities that the client has declared."""
    client = CLIENT.get()
    requests = [{"model": sampling("Say hello", 10)}] if client.can_sample else []
    return (
        client.request_input(*requests, NAME)
        if client.can_elicit
        else client.request_input(*requests)
    )


@tool("starter")
async def test_missing_capability(args: NoArguments, call: Call) -> Result:
    """Reject clients without the sampling capability."""
    client = CLIENT.get()
    if client.can_sample:
        return DONE
    return client.reject(
        types.MISSING_REQUIRED_CLIENT_CAPABILITY,
        "This tool needs the client's model.",
        {"requiredCapabilities": {"sampling": {}}},
    )


INPUT_REQUIRED_TOOLS: tuple[AnyTool, ...] = (
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
