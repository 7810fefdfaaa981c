"""Captured exchanges, stored encrypted for their owner; the same body is stored once."""

import hashlib
import json
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from webquarry.models.exchange import Exchange
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store, StoreWrite
from webquarry.storage.zstd_library import zstd_library

_HEAD, _PAYLOAD = "exchange", "payload"
_PLAIN, _COMPRESSED = b"\0", b"\1"
_COMPRESSED_FROM = 512  # bytes
_MAX_KNOWN = 20_000
_PAYLOAD_GRACE = 3600.0  # a body outlives the exchanges that share it
_NAME_DIGITS = 13  # of the time in a name: names sort by time


class CaptureGroup(NamedTuple):
    """What exchanges were captured for, and whose they are."""

    tenant: str
    user: str
    name: str  # such as `crawl.ID`


@dataclass(frozen=True)
class StoredExchange:
    """An exchange without its body."""

    key: str
    group: str
    exchange: Exchange
    payload: str  # SHA-256 of the body; '' for none
    size: int  # of the body


@dataclass
class ExchangeStore:
    """Exchanges by owner and group."""

    store: Store
    ttl: float = 90 * 86_400.0
    kinds: tuple[str, ...] = (_HEAD, _PAYLOAD)
    # bodies this process has stored, with the time: they are not written again
    _known: OrderedDict[str, float] = field(default_factory=OrderedDict[str, float])

    async def save(self, group: CaptureGroup, exchanges: Iterable[Exchange]) -> int:
        """Store exchanges of one group; return how many bytes of bodies were new."""
        writes: list[StoreWrite] = []
        new = 0
        for exchange in exchanges:
            digest = hashlib.sha256(exchange.body).hexdigest() if exchange.body else ""
            if digest and self._is_new(key := _payload_key(group, digest), exchange.at):
                value = _packed(exchange)
                new += len(value)
                writes.append(StoreWrite(key, value, self.ttl + 2 * _PAYLOAD_GRACE))
            head = _head(exchange, digest)
            new += len(head)
            writes.append(StoreWrite(_head_key(group, exchange.at), head, self.ttl))
        await self.store.set_all(writes)
        return new

    async def names(self, group: CaptureGroup) -> list[str]:
        """Return the keys of a group in the order of their times; all groups if it has no name."""
        parts = (group.tenant, group.user, *([group.name] if group.name else []), "")
        keys = [key async for key in self.store.scan(name_of(_HEAD, *parts))]
        return sorted(keys, key=lambda key: parts_of(key)[-1])

    async def heads(self, group: CaptureGroup) -> AsyncIterator[StoredExchange]:
        """Yield the exchanges of a group without their bodies, the oldest first."""
        for key in await self.names(group):
            if found := await self.head(key):
                yield found

    async def head(self, key: str) -> StoredExchange | None:
        """Return one exchange without its body; None if it has expired."""
        entry = await self.store.get(key)
        return _read_head(key, entry.value) if entry else None

    async def body(self, owner: CaptureGroup, payload: str) -> bytes | None:
        """Return a body by its SHA-256; None if it has expired."""
        if not payload:
            return b""
        entry = await self.store.get(_payload_key(owner, payload))
        return _unpacked(entry.value) if entry else None

    async def complete(self, owner: CaptureGroup, stored: StoredExchange) -> Exchange | None:
        """Return an exchange with its body; None if that has expired."""
        body = await self.body(owner, stored.payload)
        return None if body is None else replace(stored.exchange, body=body)

    async def used(self, tenant: str, user: str) -> int:
        """Return about how many bytes the exchanges of a person take."""
        total, seen = 0, set[str]()
        async for stored in self.heads(CaptureGroup(tenant, user, "")):
            total += 0 if stored.payload in seen else stored.size
            seen.add(stored.payload)
        return total

    async def erase_group(self, group: CaptureGroup) -> int:
        """Erase the exchanges of a group, and the bodies that no other group uses."""
        removed = [head async for head in self.heads(group)]
        for head in removed:
            await self.store.delete(head.key)
        left = {head.payload async for head in self.heads(group._replace(name=""))}
        for payload in {head.payload for head in removed if head.payload} - left:
            await self._delete_payload(_payload_key(group, payload))
        return len(removed)

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return what is stored about one person; bodies as their hashes."""
        owner = CaptureGroup(tenant, user, "")
        return [_record(head) async for head in self.heads(owner)]

    async def erase(self, tenant: str, user: str) -> int:
        """Erase all exchanges of a person; return how many there were."""
        count = 0
        for kind in self.kinds:
            keys = [key async for key in self.store.scan(name_of(kind, tenant, user, ""))]
            for key in keys:
                await self._delete_payload(key)
            count += len(keys) if kind == _HEAD else 0
        return count

    async def _delete_payload(self, key: str) -> None:
        self._known.pop(key, None)
        await self.store.delete(key)

    def _is_new(self, key: str, at: float) -> bool:
        if at - self._known.get(key, -_PAYLOAD_GRACE) < _PAYLOAD_GRACE:
            return False
        self._known[key] = at
        while len(self._known) > _MAX_KNOWN:
            self._known.popitem(last=False)
        return True


def _head_key(group: CaptureGroup, at: float) -> str:
    name = f"{int(at * 1000):0{_NAME_DIGITS}d}-{os.urandom(8).hex()}"
    return name_of(_HEAD, group.tenant, group.user, group.name, name)


def _payload_key(group: CaptureGroup, digest: str) -> str:
    return name_of(_PAYLOAD, group.tenant, group.user, digest)


def _head(exchange: Exchange, digest: str) -> bytes:
    fields: dict[str, Any] = {
        "url": exchange.url,
        "at": exchange.at,
        "method": exchange.method,
        "requestHeaders": exchange.request_headers,
        "requestBody": exchange.request_body.decode("latin-1"),
        "status": exchange.status,
        "headers": exchange.headers,
        "truncated": exchange.truncated,
        "kind": exchange.kind,
        "tls": dict(exchange.tls),
        "payload": digest,
        "size": len(exchange.body),
    }
    return json.dumps({name: value for name, value in fields.items() if value}).encode()


def _read_head(key: str, value: bytes) -> StoredExchange:
    fields = json.loads(value)
    exchange = Exchange(
        url=fields["url"],
        at=fields["at"],
        method=fields["method"],
        request_headers=_pairs(fields.get("requestHeaders", ())),
        request_body=fields.get("requestBody", "").encode("latin-1"),
        status=fields.get("status", 0),
        headers=_pairs(fields.get("headers", ())),
        truncated=fields.get("truncated", ""),
        kind=fields["kind"],
        tls=fields.get("tls", {}),
    )
    payload, size = fields.get("payload", ""), fields.get("size", 0)
    return StoredExchange(key, parts_of(key)[3], exchange, payload, size)


def _pairs(listed: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in listed)


def _record(head: StoredExchange) -> Record:
    exchange = head.exchange
    return {
        "name": head.key,
        "capturedFor": head.group,
        "url": exchange.url,
        "at": exchange.at,
        "method": exchange.method,
        "requestBody": exchange.request_body.decode("utf-8", "replace"),
        "status": exchange.status,
        "headers": [list(each) for each in exchange.headers],
        "sha256": head.payload,
        "bytes": head.size,
    }


def _packed(exchange: Exchange) -> bytes:
    is_encoded = len(exchange.body) < _COMPRESSED_FROM or exchange.header("content-encoding")
    if is_encoded or exchange.kind == "screenshot":
        return _PLAIN + exchange.body
    return _COMPRESSED + _compress()(exchange.body)


def _unpacked(value: bytes) -> bytes:
    kind, body = value[:1], value[1:]
    return zstd_library().decompress(body) if kind == _COMPRESSED else body


@cache  # creating one takes longer than using it
def _compress() -> Callable[[bytes], bytes]:
    compressor = zstd_library().ZstdCompressor(level=1)
    return lambda body: compressor.compress(body, mode=compressor.FLUSH_FRAME)
