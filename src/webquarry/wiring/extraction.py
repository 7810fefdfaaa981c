"""Builds extraction, and the language model it may use, as the settings want them."""

from webquarry.net.api import Limits
from webquarry.net.upstreams import Upstreams
from webquarry.services.extraction.service import DataExtraction
from webquarry.services.llm.model import NAME, LanguageModel, Terms
from webquarry.services.llm.port import Speaks
from webquarry.services.llm.wires import AnthropicWire, OpenAiWire
from webquarry.settings.groups.llm import Llm
from webquarry.settings.load import Settings
from webquarry.storage.base import Store

_ADDRESSES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}


def build_extraction(settings: Settings, model: LanguageModel | None) -> DataExtraction:
    """Return extraction with this model, or without one."""
    return DataExtraction(model, longest=settings.llm.max_input)


def build_model(settings: Settings, store: Store, upstreams: Upstreams) -> LanguageModel | None:
    """Return the language model; None where none is configured."""
    wanted = settings.llm
    if not wanted.model:
        return None
    terms = Terms(
        price_in=wanted.price_input,
        price_out=wanted.price_output,
        daily_tokens=wanted.daily_tokens,
        daily_usd=wanted.daily_usd,
    )
    return LanguageModel(_wire(wanted, upstreams), store, terms, upstreams.clock)


def _wire(wanted: Llm, upstreams: Upstreams) -> Speaks:
    limits = Limits(timeout=wanted.timeout, deadline=wanted.timeout)
    address = wanted.base_url or _ADDRESSES[wanted.provider]
    api = upstreams.api(NAME, address, limits)
    if wanted.provider == "anthropic":
        return AnthropicWire(api, model=wanted.model, key=wanted.api_key)
    return OpenAiWire(api, model=wanted.model, key=wanted.api_key)
