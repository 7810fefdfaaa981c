"""The audit log."""

from pathlib import Path

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import PATH, size, url, whole


class AuditSettings(SettingsGroup):
    """The audit log."""

    enabled: bool = flag("AUDIT_ENABLED", "Whether to write an audit log.", default=True)
    output_path: Path | None = setting(
        "AUDIT_OUTPUT_PATH", "File for the audit log; empty for stderr.", PATH, default=None
    )
    include_request_body: bool = flag(
        "AUDIT_INCLUDE_REQUEST_BODY",
        "Whether audit events contain the query text instead of only its length.",
        default=False,
    )
    buffer_size: int = setting(
        "AUDIT_BUFFER_SIZE",
        "Events that may be queued in memory for a slow disk or webhook; further events are "
        "queued on disk. With 0, a call ends after its event is written.",
        whole(0, 1_000_000),
        default=1000,
    )
    max_bytes: int = setting(
        "AUDIT_MAX_BYTES",
        "Size at which a new audit file is started.",
        size(1024, 2**30),
        default=100 * 2**20,
    )
    retention_days: int = setting(
        "AUDIT_RETENTION_DAYS",
        "Days that a full audit file is kept.",
        whole(180, 3650),
        default=180,
    )
    webhook_url: str = setting(
        "AUDIT_WEBHOOK_URL",
        "URL that receives a POST for every audit event.",
        url("http", "https"),
        default="",
    )
