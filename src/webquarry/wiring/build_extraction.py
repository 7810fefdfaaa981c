"""Builds extraction, and the language model it may use, as the settings want them."""

from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.services.extraction.service import ExtractionService
from webquarry.services.llm.language_model import NAME, LanguageModel, LlmBudget
from webquarry.services.llm.llm_apis import AnthropicWire, OpenAiWire
from webquarry.services.llm.llm_port import ChatApi
from webquarry.settings.groups.llm import LlmSettings
from webquarry.settings.load import Settings
from webquarry.storage.store import Store

_ADDRESSES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}


def build_extraction(settings: Settings, model: LanguageModel | None) -> ExtractionService:
    """Return extraction with this model, or without one."""
    return ExtractionService(model, longest=settings.llm.max_input)


def build_model(settings: Settings, store: Store, upstreams: Upstreams) -> LanguageModel | None:
    """Return the language model; None where none is configured."""
    wanted = settings.llm
    if not wanted.model:
        return None
    terms = LlmBudget(
        price_in=wanted.price_input,
        price_out=wanted.price_output,
        daily_tokens=wanted.daily_tokens,
        daily_usd=wanted.daily_usd,
    )
    return LanguageModel(_wire(wanted, upstreams), store, terms, upstreams.clock)


def _wire(wanted: LlmSettings, upstreams: Upstreams) -> ChatApi:
    limits = ApiLimits(timeout=wanted.timeout, deadline=wanted.timeout)
    address = wanted.base_url or _ADDRESSES[wanted.provider]
    api = upstreams.api(NAME, address, limits)
    if wanted.provider == "anthropic":
        return AnthropicWire(api, model=wanted.model, key=wanted.api_key)
    return OpenAiWire(api, model=wanted.model, key=wanted.api_key)
