"""Opens the audit log from the audit settings."""

from typing import TYPE_CHECKING

from webquarry.models.caller import Transport
from webquarry.observe.audit import AuditFile, AuditLog
from webquarry.observe.rotation import Rotation
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.wiring.open_storage import StorageKeys

if TYPE_CHECKING:
    from webquarry.observe.audit_webhook import AuditWebhook

_WEBHOOK_BUFFER = 1000  # events, when AUDIT_BUFFER_SIZE is 0


def open_audit(settings: Settings, keys: StorageKeys, transport: Transport) -> AuditLog | None:
    """Open the audit log; the CLI and the library never write it to stderr."""
    options = settings.audit
    if not options.enabled or (transport in {"cli", "library"} and options.output_path is None):
        return None
    return AuditLog(
        AuditFile(
            path=options.output_path,
            key=keys.current,
            previous_key=keys.previous,
            include_request_body=options.include_request_body,
            secrets=secret_values(settings),
            rotation=Rotation(
                max_bytes=options.max_bytes, keep_seconds=86_400.0 * options.retention_days
            ),
            buffer=options.buffer_size,
            webhook=_webhook(settings),
        )
    )


def _webhook(settings: Settings) -> "AuditWebhook | None":
    options = settings.audit
    if not options.webhook_url:
        return None
    # imported here: the standard library's HTTP client is slow to load, and few servers need it
    from webquarry.observe.audit_webhook import AuditWebhook

    return AuditWebhook(options.webhook_url, size=options.buffer_size or _WEBHOOK_BUFFER)
