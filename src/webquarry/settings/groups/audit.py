"""The record of who did what."""

from pathlib import Path
from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, PATH, size, url, whole
from webquarry.settings.variable import Variable


class AuditSettings(SettingsGroup):
    """The audit trail."""

    enabled: Annotated[
        bool, Variable("AUDIT_ENABLED", "Whether to write an audit trail.", FLAG)
    ] = True
    output_path: Annotated[
        Path | None,
        Variable("AUDIT_OUTPUT_PATH", "File of the audit trail; empty for stderr.", PATH),
    ] = None
    include_request_body: Annotated[
        bool,
        Variable(
            "AUDIT_INCLUDE_REQUEST_BODY",
            "Whether audit events hold the query text rather than only its length.",
            FLAG,
        ),
    ] = False
    buffer_size: Annotated[
        int,
        Variable(
            "AUDIT_BUFFER_SIZE",
            "Events that may wait in memory for a slow disk or webhook; then they wait on disk. "
            "With 0 a call ends after its event is written.",
            whole(0, 1_000_000),
        ),
    ] = 1000
    max_bytes: Annotated[
        int,
        Variable("AUDIT_MAX_BYTES", "Size at which a new audit file begins.", size(1024, 2**30)),
    ] = 100 * 2**20
    retention_days: Annotated[
        int,
        Variable("AUDIT_RETENTION_DAYS", "Days a full audit file is kept.", whole(180, 3650)),
    ] = 180
    webhook_url: Annotated[
        str,
        Variable(
            "AUDIT_WEBHOOK_URL", "Address every audit event is posted to.", url("http", "https")
        ),
    ] = ""
