"""A rejected key is never taken for an outage: the variable is named, and where to get a key."""

from typing import Any

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import AccessError, ProviderError, WebquarryError
from webquarry.net.upstream.status_errors import CreditsError, RequestRefusedError
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.all_providers import PROVIDERS, key_advice

pytestmark = pytest.mark.anyio


async def _error(name: str, status: int, body: Any) -> WebquarryError:
    exchange = {
        "origin": "handwritten in the documented shape", "request": {"url": "https://api.test/x"},
        "status": status, "body": body,
    }  # fmt: skip
    upstreams = Upstreams(Replay([exchange]), clock=FakeClock().clock(), key_advice=key_advice)
    with pytest.raises(WebquarryError) as caught:
        await upstreams.api(name, "https://api.test").get("x")
    return caught.value


@pytest.mark.parametrize(
    ("name", "status", "body", "variable"),
    [
        ("google", 400, {"error": {"code": 400, "message": "API key not valid. Please pass a valid "
                         "API key.", "details": [{"reason": "API_KEY_INVALID"}]}},
         "GOOGLE_CUSTOM_SEARCH_API_KEY"),
        ("brave", 422, {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID",
                        "detail": "The provided subscription token is invalid."}}, "BRAVE_API_KEY"),
        ("fred", 400, {"error_code": 400, "error_message": "Bad Request. The value for variable "
                       "api_key is not registered."}, "FRED_API_KEY"),
        ("pubmed", 400, {"error": "API key invalid", "api-key": "x"}, "PUBMED_API_KEY"),
        ("epo", 400, {"error": "invalid_client"}, "EPO_OPS_CONSUMER_KEY"),
        ("serper", 403, {"message": "Unauthorized.", "statusCode": 403}, "SERPER_API_KEY"),
        ("searchapi", 401, {"error": "Invalid API key."}, "SEARCHAPI_API_KEY"),
        ("tavily", 401, {"detail": {"error": "Unauthorized: missing or invalid API key."}},
         "TAVILY_API_KEY"),
        ("exa", 401, {"error": "Invalid API key"}, "EXA_API_KEY"),
    ],
)  # fmt: skip
async def test_a_rejected_key_names_its_variable(
    name: str, status: int, body: Any, variable: str
) -> None:
    error = await _error(name, status, body)

    docs = next(cls.about.docs for cls in PROVIDERS if cls.about.name == name)
    assert isinstance(error, AccessError)
    assert error.block()["suggestedAction"] == "check_api_key"
    assert f"Check {variable}" in str(error)
    assert str(error).endswith(f"; for a key see {docs}.")


@pytest.mark.parametrize(
    ("name", "body"),
    [("google", {"error": {"message": "Invalid value at num"}}),
     ("brave", {"error": {"code": "VALIDATION", "detail": "Unable to validate request"}})],
)  # fmt: skip
async def test_another_refusal_blames_no_key_and_no_provider(name: str, body: Any) -> None:
    error = await _error(name, 400, body)

    assert isinstance(error, RequestRefusedError)
    assert "different provider" not in str(error)
    assert error.block()["suggestedAction"] == "inform_user"


async def test_another_provider_is_suggested_if_there_is_one() -> None:
    error = await _error("brave", 400, {})
    error.alternatives = ("serper",)

    assert error.block()["suggestedAction"] == "try_different_provider"


async def test_402_means_no_credits() -> None:
    error = await _error("exa", 402, {"error": "insufficient credits"})

    assert isinstance(error, CreditsError)
    assert isinstance(error, ProviderError)
    assert str(error) == (
        "No credits (exa): HTTP 402: insufficient credits. Its account must be topped up."
    )
    assert error.block()["retryable"] is False


async def test_an_upstream_without_keys_is_not_told_to_check_its_key() -> None:
    error = await _error("wayback", 403, {})

    assert str(error).endswith("It takes no key; it may refuse this network.")
