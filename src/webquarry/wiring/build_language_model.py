"""Builds the language model from the LLM_ settings."""

from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.services.llm.language_model import NAME, LanguageModel, LlmBudget
from webquarry.services.llm.llm_apis import AnthropicChatApi, OpenAiChatApi
from webquarry.settings.groups.llm import LlmSettings
from webquarry.storage.store import Store

_BASE_URLS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}


def build_language_model(
    settings: LlmSettings, store: Store, upstreams: Upstreams
) -> LanguageModel:
    """Return the configured language model with its daily budget."""
    budget = LlmBudget(
        price_in=settings.price_input,
        price_out=settings.price_output,
        daily_tokens=settings.daily_tokens,
        daily_usd=settings.daily_usd,
    )
    limits = ApiLimits(timeout=settings.timeout, deadline=settings.timeout)
    api = upstreams.api(NAME, settings.base_url or _BASE_URLS[settings.provider], limits)
    chat_api = AnthropicChatApi if settings.provider == "anthropic" else OpenAiChatApi
    chat = chat_api(api, model=settings.model, key=settings.api_key)
    return LanguageModel(chat, store, budget, upstreams.clock)
