"""The secret that signs webhook notifications."""

import hmac

from webquarry.settings.load import Settings
from webquarry.wiring.open_storage import StorageKeys


def webhook_secret(settings: Settings, keys: StorageKeys, tenant: str) -> str:
    """Return the configured secret, or the one of a tenant, derived from the encryption key."""
    # by tenant: one must not be able to sign notifications for another
    return (
        settings.crawling.webhook_secret
        or hmac.digest(keys.current, b"webquarry webhook\0" + tenant.encode(), "sha256").hex()
    )
