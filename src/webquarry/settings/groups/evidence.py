"""Evidence: what is kept of the exchanges with servers, and offline work from a bundle."""

from pathlib import Path

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import PATH, retention, size, url


class EvidenceSettings(SettingsGroup):
    """Captured exchanges and evidence bundles."""

    capture: bool = flag(
        "CAPTURE",
        "Keep requests and responses of every call for evidence bundles; otherwise only those of "
        "sessions and crawls that ask for it.",
        default=False,
    )
    capture_ttl: float = setting(
        "CAPTURE_RETENTION",
        "How long captured exchanges are kept.",
        retention("1h", "3650d"),
        default=90 * 86_400.0,
    )
    capture_max_body: int = setting(
        "CAPTURE_MAX_BODY",
        "Bytes kept of one captured body; the rest is left out and marked as truncated.",
        size(2**10, 2**30),
        default=16 * 2**20,
    )
    capture_max_owner: int = setting(
        "CAPTURE_MAX_OWNER",
        "Bytes of captured exchanges kept for one person; beyond it nothing more is captured.",
        size(2**20, 2**50),
        default=2 * 2**30,
    )
    timestamp_url: str = setting(
        "TIMESTAMP_URL",
        "Time stamping authority (RFC 3161) that says when a bundle was written, such as "
        "http://timestamp.digicert.com; it receives only a hash.",
        url("http", "https"),
        default="",
    )
    timestamp_certificates: Path | None = setting(
        "TIMESTAMP_CERTIFICATES",
        "PEM file with the certificates that vouch for time stamping authorities.",
        PATH,
        default=None,
        default_text="those that this machine trusts",
    )
    offline: Path | None = setting(
        "WEBQUARRY_OFFLINE",
        "An evidence bundle (WACZ or WARC) that answers all requests instead of the network.",
        PATH,
        default=None,
    )
