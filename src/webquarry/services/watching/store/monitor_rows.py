"""Converts database rows to monitors, versions and changes, and back. All content is sealed."""

import json
from typing import Any

from pydantic import TypeAdapter

from webquarry.crawl.compression import compress, decompress
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.errors import InternalError
from webquarry.models.changes import NoiseProfile, Version
from webquarry.models.model import Model
from webquarry.models.monitor import Monitor, MonitorChange, MonitorDefinition, MonitorProgress

SELECT_MONITOR = """SELECT number, id, state, created, slot, due, lease, runs, versions, changes,
    noise, noise_edits, progress, sealed, host FROM monitors WHERE """
_MAX_BYTES = 2**27
_VERSION: TypeAdapter[Version] = TypeAdapter(Version)


class MonitorRows:
    """Seals and opens rows."""

    def __init__(self, cipher: CrawlCipher) -> None:
        self.cipher = cipher

    def monitor(self, row: Any) -> Monitor:
        """Return a monitor."""
        _, monitor_id, state, created, slot, due, _, runs, versions, changes = row[:10]
        tenant, user, definition = json.loads(self._open(monitor_id, "d", row[13]))
        noise, progress = row[10], row[12]
        return Monitor(
            id=monitor_id,
            tenant=tenant,
            user=user,
            state=state,
            definition=MonitorDefinition.model_validate(definition),
            progress=MonitorProgress()
            if progress is None
            else MonitorProgress.model_validate_json(self._open(monitor_id, "p", progress)),
            noise=NoiseProfile()
            if noise is None
            else NoiseProfile.model_validate_json(self._open(monitor_id, "n", noise)),
            created=created,
            slot=slot,
            due=due,
            runs=runs,
            versions=versions,
            changes=changes,
        )

    def definition(self, monitor: Monitor) -> bytes:
        """Return the sealed definition and owner."""
        definition = monitor.definition.model_dump(mode="json", exclude_defaults=True)
        text = json.dumps((monitor.tenant, monitor.user, definition))
        return self._seal(monitor.id, "d", text.encode())

    def progress(self, monitor_id: str, progress: MonitorProgress) -> bytes:
        """Return the sealed progress."""
        return self._seal(monitor_id, "p", _json(progress))

    def noise(self, monitor_id: str, noise: NoiseProfile) -> bytes:
        """Return the sealed noise profile."""
        return self._seal(monitor_id, "n", _json(noise))

    def sealed_version(self, monitor_id: str, seq: int, version: Version) -> bytes:
        """Return a sealed version."""
        # with defaults: `form` says which kind of version it is
        body, _ = compress(version.model_dump_json().encode())
        return self._seal(monitor_id, f"v{seq}", body)

    def version(self, monitor_id: str, seq: int, sealed: object) -> Version:
        """Return a version."""
        return _VERSION.validate_json(self._unpacked(self._open(monitor_id, f"v{seq}", sealed)))

    def sealed_change(self, monitor_id: str, change: MonitorChange) -> bytes:
        """Return a sealed change."""
        body, _ = compress(_json(change))
        return self._seal(monitor_id, f"c{change.seq}", body)

    def change(self, monitor_id: str, seq: int, sealed: object) -> MonitorChange:
        """Return a change."""
        body = self._unpacked(self._open(monitor_id, f"c{seq}", sealed))
        return MonitorChange.model_validate_json(body)

    def _unpacked(self, body: bytes) -> bytes:
        unpacked = decompress(body, "zstd", _MAX_BYTES)
        if unpacked is None:
            raise InternalError("a stored version of a monitor is damaged")
        return unpacked

    def _seal(self, monitor_id: str, part: str, value: bytes) -> bytes:
        return self.cipher.seal(f"monitor {monitor_id} {part}".encode(), value)

    def _open(self, monitor_id: str, part: str, sealed: Any) -> bytes:
        return self.cipher.unseal(f"monitor {monitor_id} {part}".encode(), bytes(sealed))


def _json(value: Model) -> bytes:
    return value.model_dump_json(exclude_defaults=True).encode()
