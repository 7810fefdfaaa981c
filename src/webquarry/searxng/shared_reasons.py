"""Why an instance failed, in words that all callers may read and that are stored.

The text of a failure may repeat the query: in the URL of the request, or in what the instance says.
"""

import re
from urllib.parse import quote, quote_plus

from webquarry.errors import ProviderError
from webquarry.observe.url_queries import without_url_queries

_HIDDEN = "…"
_UPSTREAM_MESSAGE = re.compile(r"(HTTP \d{3}):.*", re.DOTALL)


def shared_reason(error: ProviderError, query: str) -> str:
    """Return what failed, without the query and without the words of the instance."""
    return without_query(_UPSTREAM_MESSAGE.sub(r"\1", str(error)), query)


def without_query(text: str, query: str) -> str:
    """Return the text without the query, as it is or as a part of a URL."""
    text = without_url_queries(text)
    data = query.encode("utf-8", "replace")
    for form in (query, quote(data, safe=""), quote(data), quote_plus(data)):
        if form.strip():
            text = text.replace(form, _HIDDEN)
    return text
