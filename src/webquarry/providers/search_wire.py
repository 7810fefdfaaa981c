"""Shared by the search providers: limits, base payload, query text with operators."""

from typing import Any, ClassVar, cast

from pydantic import model_validator

from webquarry.content.text.query_operators import compose
from webquarry.models.search import WebQuery
from webquarry.net.upstream.api import ApiLimits
from webquarry.providers.provider import Wire

# values of Google's `lr`: the plain code of Chinese is not accepted, Portuguese has one only
GOOGLE_LANGUAGES = {"zh": "zh-CN", "zh-hant": "zh-TW", "pt-br": "pt"}
# values of Google's `hl`
GOOGLE_INTERFACE_LANGUAGES = {"zh": "zh-cn", "zh-hant": "zh-tw"}
GOOGLE_APPROXIMATED = frozenset({"language=pt-br"})
GOOGLE_MAX_WORDS = 32  # of a query; more are ignored, `site:` terms included
# the caller is waiting, and another provider may be next
SEARCH_LIMITS = ApiLimits(timeout=8, deadline=12, tries=2)


class SearchPayload(Wire):
    """A complete response. One without any of the `expected_keys` is not from this API."""

    expected_keys: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, data: Any) -> Any:
        keys = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        if not any(key in keys for key in cls.expected_keys):
            raise ValueError(f"none of {', '.join(cls.expected_keys)} is present")
        return cast("Any", data)


def with_operators(query: WebQuery) -> str:
    """Return the text of a web search with its filters as query operators."""
    if not (query.exact_terms or query.exclude_terms or query.sites):
        return query.text
    return compose(
        query.text, exact=query.exact_terms, exclude=query.exclude_terms, sites=query.sites
    )
