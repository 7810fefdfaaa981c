"""A language model, if there is one. Nothing needs it."""

from collections.abc import Iterable
from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import choice, duration, number, url, whole
from webquarry.settings.variable import Variable

_USD = number(0, 1_000_000)


class LlmSettings(SettingsGroup):
    """Where the model is, what it costs and how much of it may be used."""

    provider: Annotated[
        str,
        Variable(
            "LLM_PROVIDER",
            "Which interface the model speaks: openai (also Ollama, LM Studio, vLLM) or anthropic.",
            choice("openai", "anthropic"),
        ),
    ] = "openai"
    base_url: Annotated[
        str,
        Variable(
            "LLM_BASE_URL",
            "Address of the model, such as http://localhost:11434/v1.",
            url("http", "https"),
            default_text="that of the provider",
        ),
    ] = ""
    api_key: Annotated[str, Variable("LLM_API_KEY", "Key of the model.", secret=True)] = ""
    model: Annotated[
        str, Variable("LLM_MODEL", "Name of the model; without one, no model is used.")
    ] = ""
    timeout: Annotated[
        float, Variable("LLM_TIMEOUT", "How long one answer may take.", duration("1s", "10m"))
    ] = 60.0
    max_input: Annotated[
        int,
        Variable(
            "LLM_MAX_INPUT", "Characters of a page the model is shown.", whole(1000, 1_000_000)
        ),
    ] = 48_000
    price_input: Annotated[
        float, Variable("LLM_PRICE_INPUT", "USD for a million tokens sent; 0: not told.", _USD)
    ] = 0.0
    price_output: Annotated[
        float, Variable("LLM_PRICE_OUTPUT", "USD for a million tokens received; 0: not told.", _USD)
    ] = 0.0
    daily_tokens: Annotated[
        int,
        Variable(
            "LLM_DAILY_TOKENS",
            "Tokens each tenant may use a day; 0: no limit.",
            whole(0, 10_000_000_000),
        ),
    ] = 0
    daily_usd: Annotated[
        float,
        Variable("LLM_DAILY_USD", "USD each tenant may spend a day; 0: no limit.", _USD),
    ] = 0.0

    def conflicts(self) -> Iterable[str]:
        """Return what cannot work together."""
        if self.daily_usd and not (self.price_input or self.price_output):
            yield "LLM_DAILY_USD needs LLM_PRICE_INPUT or LLM_PRICE_OUTPUT to count with"
