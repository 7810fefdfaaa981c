"""The stored form of captured exchanges: many in one value, their bodies in another.

A stored value costs more than what is in it, so the exchanges of one write share two of them. A
body is compressed on its own, unless it came compressed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from webquarry.models.exchange import Exchange
from webquarry.storage.key_names import parts_of
from webquarry.storage.zstd_library import zstd_library

_COMPRESSED_FROM = 512  # bytes
_ZSTD_LEVEL = 1
_KEY_SEPARATOR = "#"  # quoted in names, so no name has it


class BodyPlace(NamedTuple):
    """Where the body of an exchange is stored."""

    pack: str = ""  # key of the value with the bodies; '' for no body
    start: int = 0
    length: int = 0  # as stored
    compressed: bool = False


@dataclass(frozen=True)
class StoredExchange:
    """An exchange without its body."""

    key: str
    group: str
    exchange: Exchange
    payload: str  # SHA-256 of the body; '' for none
    size: int  # of the body
    place: BodyPlace


@dataclass(frozen=True)
class PackedExchanges:
    """Exchanges ready to be stored."""

    heads: bytes
    bodies: bytes  # empty if all bodies are stored already
    places: Mapping[str, BodyPlace]  # of the bodies, by their SHA-256


def body_digests(exchanges: Iterable[Exchange]) -> list[str]:
    """Return the SHA-256 of each body; '' for none."""
    return [hashlib.sha256(each.body).hexdigest() if each.body else "" for each in exchanges]


def pack_exchanges(
    exchanges: Sequence[Exchange],
    digests: Sequence[str],
    stored: Mapping[str, BodyPlace],
    pack: str,
) -> PackedExchanges:
    """Return the two values of exchanges; bodies that are `stored` already are only named."""
    compressor = zstd_library().ZstdCompressor(level=_ZSTD_LEVEL)

    def compress(content: bytes) -> bytes:
        return compressor.compress(content, mode=compressor.FLUSH_FRAME)

    places, pieces, start = {"": BodyPlace(), **stored}, list[bytes](), 0
    for exchange, digest in zip(exchanges, digests, strict=True):
        if digest not in places:
            compressed = _is_compressible(exchange)
            piece = compress(exchange.body) if compressed else exchange.body
            places[digest] = BodyPlace(pack, start, len(piece), compressed)
            pieces.append(piece)
            start += len(piece)
    heads = [
        _head(each, digest, places[digest]) for each, digest in zip(exchanges, digests, strict=True)
    ]
    content = compress(json.dumps(heads, separators=(",", ":")).encode())
    return PackedExchanges(content, b"".join(pieces), places)


def read_heads(key: str, value: bytes) -> list[StoredExchange]:
    """Return the exchanges of a stored value, without their bodies."""
    group, listed = parts_of(key)[3], json.loads(zstd_library().decompress(value))
    return [_read_head(exchange_key(key, at), group, each) for at, each in enumerate(listed)]


def read_body(place: BodyPlace, bodies: bytes) -> bytes:
    """Return one of the bodies of a stored value."""
    piece = bodies[place.start : place.start + place.length]
    return zstd_library().decompress(piece) if place.compressed else piece


def exchange_key(batch: str, number: int) -> str:
    """Return the key of an exchange: of the value it is in, and its number there."""
    return f"{batch}{_KEY_SEPARATOR}{number}"


def batch_of(key: str) -> tuple[str, int]:
    """Return the key of the value an exchange is in, and its number there."""
    batch, _, number = key.rpartition(_KEY_SEPARATOR)
    return batch, int(number)


def _is_compressible(exchange: Exchange) -> bool:
    is_encoded = len(exchange.body) < _COMPRESSED_FROM or exchange.header("content-encoding")
    return not is_encoded and exchange.kind != "screenshot"


def _head(exchange: Exchange, digest: str, place: BodyPlace) -> dict[str, Any]:
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
        "place": place if digest else None,
    }
    return {name: value for name, value in fields.items() if value}


def _read_head(key: str, group: str, fields: dict[str, Any]) -> StoredExchange:
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
    place = BodyPlace(*fields.get("place", ()))
    return StoredExchange(
        key, group, exchange, fields.get("payload", ""), fields.get("size", 0), place
    )


def _pairs(listed: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in listed)
