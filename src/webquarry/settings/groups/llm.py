"""An optional language model."""

from collections.abc import Iterable

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import choice, duration, number, url, whole

_USD = number(0, 1_000_000)


class LlmSettings(SettingsGroup):
    """The language model: URL, price and limits."""

    provider: str = setting(
        "LLM_PROVIDER",
        "API of the language model: openai (also Ollama, LM Studio, vLLM) or anthropic.",
        choice("openai", "anthropic"),
        default="openai",
    )
    base_url: str = setting(
        "LLM_BASE_URL",
        "Base URL of the language model, such as http://localhost:11434/v1.",
        url("http", "https"),
        default="",
        default_text="that of the provider",
    )
    api_key: str = setting(
        "LLM_API_KEY", "API key for the language model.", default="", secret=True
    )
    model: str = setting(
        "LLM_MODEL", "Name of the model; without one, no model is used.", default=""
    )
    timeout: float = setting(
        "LLM_TIMEOUT", "Timeout of one request to the model.", duration("1s", "10m"), default=60.0
    )
    max_input: int = setting(
        "LLM_MAX_INPUT",
        "Maximum number of characters of a page that the model receives.",
        whole(1000, 1_000_000),
        default=48_000,
    )
    price_input: float = setting(
        "LLM_PRICE_INPUT", "USD per million input tokens; 0 = unknown.", _USD, default=0.0
    )
    price_output: float = setting(
        "LLM_PRICE_OUTPUT", "USD per million output tokens; 0 = unknown.", _USD, default=0.0
    )
    daily_tokens: int = setting(
        "LLM_DAILY_TOKENS",
        "Tokens that each tenant may use per day; 0 = no limit.",
        whole(0, 10_000_000_000),
        default=0,
    )
    daily_usd: float = setting(
        "LLM_DAILY_USD", "USD that each tenant may spend per day; 0 = no limit.", _USD, default=0.0
    )

    def conflicts(self) -> Iterable[str]:
        """Reject a budget that cannot be computed."""
        if self.daily_usd and not (self.price_input or self.price_output):
            yield "LLM_DAILY_USD needs LLM_PRICE_INPUT or LLM_PRICE_OUTPUT to count with"
