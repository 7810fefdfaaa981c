"""The keys that an audit log was written with before: kept beside it, each sealed with the next.

So a log that was written across rotations of the key can be verified with the current key alone.
"""

import os
from pathlib import Path

_PURPOSE = b"webquarry audit log: earlier key"
_NONCE_BYTES = 12
_MODE = 0o600


def keys_path(path: Path) -> Path:
    """Return the file with the earlier keys of a log."""
    return path.with_name(path.name + ".keys")


def earlier_keys(path: Path, key: bytes) -> tuple[bytes, ...]:
    """Return the keys before `key`, the newest first, as far as they are recorded."""
    found: list[bytes] = []
    records = _records(path)
    while (earlier := _unsealed(records, found[-1] if found else key)) is not None:
        if earlier == key or earlier in found:  # rotated back to a key that was used before
            break
        found.append(earlier)
    return tuple(found)


def record_rotation(path: Path, key: bytes, previous: bytes | None) -> None:
    """Remember that `previous` came before `key`, if that is not known yet."""
    if previous is None or previous == key or _unsealed(_records(path), key) is not None:
        return
    # imported here: it is slow to load, and few logs have earlier keys
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(_NONCE_BYTES)
    line = (nonce + AESGCM(key).encrypt(nonce, previous, _PURPOSE)).hex() + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(keys_path(path), os.O_WRONLY | os.O_APPEND | os.O_CREAT, _MODE)
    try:
        os.write(file, line.encode())
        os.fsync(file)
    finally:
        os.close(file)


def _records(path: Path) -> list[bytes]:
    try:
        lines = keys_path(path).read_text("ascii", "replace").splitlines()
    except FileNotFoundError:
        return []
    hexadecimal = frozenset("0123456789abcdef")
    return [bytes.fromhex(line) for line in lines if not len(line) % 2 and set(line) <= hexadecimal]


def _unsealed(records: list[bytes], key: bytes) -> bytes | None:
    if not records:
        return None
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    for record in records:
        try:
            return AESGCM(key).decrypt(record[:_NONCE_BYTES], record[_NONCE_BYTES:], _PURPOSE)
        except (InvalidTag, ValueError):
            continue
    return None
