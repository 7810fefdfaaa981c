"""Opens the capture of exchanges; apart from bundles, whose code a crawl does not need."""

from contextlib import AsyncExitStack

from webquarry.services.bundles.capturing import CaptureLimits, Capturing
from webquarry.services.bundles.redaction import redactor
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.storage.exchange_store import ExchangeStore
from webquarry.storage.store import Store


def open_capturing(settings: Settings, store: Store, stack: AsyncExitStack) -> Capturing:
    """Return what captures exchanges; what is waiting is stored when the stack is closed."""
    options = settings.evidence
    capturing = Capturing(
        ExchangeStore(store, ttl=options.capture_ttl),
        CaptureLimits(max_body=options.capture_max_body, max_owner=options.capture_max_owner),
        redactor(secret_values(settings)),
    )
    stack.push_async_callback(capturing.flush)
    return capturing
