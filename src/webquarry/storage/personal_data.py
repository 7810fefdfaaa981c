"""What is stored about people: found, handed out and forgotten, whatever keeps it."""

import base64
import json
from typing import Any, Protocol

from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store, StoredValue

Record = dict[str, Any]


class KeepsPersonalData(Protocol):
    """Something that stores what belongs to a person.

    Implement it with whatever you store about people and add it to `wiring/personal.py`; values
    named `kind:tenant:user:…` need no more than `OwnedValues(store, kind)`.
    """

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds (`storage/kinds.py`) and files it answers for."""
        ...

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return everything there is of one person, as JSON."""
        ...

    async def erase(self, tenant: str, user: str) -> int:
        """Forget everything of one person; return how many things that were."""
        ...


class OwnedValues:
    """The values and logs of one kind whose names start with their tenant and user."""

    def __init__(self, store: Store, kind: str) -> None:
        self._store = store
        self._kind = kind

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self._kind,)

    async def export(self, tenant: str, user: str) -> list[Record]:
        prefix = name_of(self._kind, tenant, user, "")
        names = [name async for name in self._store.scan(prefix)]
        values = [(name, await self._store.get(name)) for name in names]
        names = [name async for name in self._store.logs(prefix)]
        logs = [(name, await self._store.entries(name)) for name in names]
        return [
            *(as_record(name, entry) for name, entry in values if entry is not None),
            *({"name": name, "log": [_json(e) for e in log]} for name, log in logs if log),
        ]

    async def erase(self, tenant: str, user: str) -> int:
        prefix = name_of(self._kind, tenant, user, "")
        names = {name async for name in self._store.scan(prefix)}
        names |= {name async for name in self._store.logs(prefix)}
        return sum([await self._store.delete(name) for name in names])


def as_record(name: str, entry: StoredValue) -> Record:
    """Return a stored value as JSON can carry it."""
    record: Record = {"name": name, "storedAt": entry.stored_at, "expiresAt": entry.expires_at}
    return record | {"value": _json(entry.value)}


def _json(value: bytes) -> Any:
    """Return JSON as it is, text as text, and anything else in base64."""
    try:
        return json.loads(value)
    except ValueError:
        pass
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}
