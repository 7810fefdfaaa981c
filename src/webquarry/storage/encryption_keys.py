"""Encryption keys: read from a setting, or created on the first start."""

import contextlib
import logging
import os
import re
import secrets
from pathlib import Path

from webquarry.errors import SettingsError

_KEY = re.compile(r"[0-9a-fA-F]{64}")
_OTHER_USERS = 0o077

logger = logging.getLogger(__name__)


def parse_key(text: str, name: str) -> bytes:
    """Return the 32 bytes of a key written as 64 hexadecimal characters."""
    stripped = text.strip()
    if not _KEY.fullmatch(stripped):
        raise SettingsError(
            f"{name} must be 64 hexadecimal characters, got {len(stripped)} characters;"
            " create a key with: openssl rand -hex 32"
        )
    return bytes.fromhex(stripped)


def load_or_create_key(path: Path) -> bytes:
    """Return the key in `path`; the first of several processes creates it."""
    ensure_private_directory(path.parent)
    try:
        if not path.exists():
            _create_key(path)
        _restrict_permissions(path)
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as exc:
        raise SettingsError(
            f"the key file {path} cannot be used: {exc.strerror};"
            " set CACHE_ENCRYPTION_KEY or choose another data directory"
        ) from exc
    return parse_key(text, f"the key file {path}")


def ensure_private_directory(path: Path) -> None:
    """Make sure that the directory exists and that no other user can read it."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise SettingsError(
            f"the data directory {path} cannot be created: {exc.strerror};"
            " choose another data directory"
        ) from exc
    _restrict_permissions(path)


def ensure_private_file(path: Path) -> None:
    """Make sure that the file exists and that no other user can read it."""
    # an existing file is not opened: closing it would release the locks of SQLite
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    _restrict_permissions(path)


def _restrict_permissions(path: Path) -> None:
    mode = path.stat().st_mode
    if not mode & _OTHER_USERS:
        return
    try:
        path.chmod(mode & 0o700)
    except OSError as exc:
        # a mounted volume may belong to another user and still be usable
        logger.warning("cannot make %s inaccessible to other users: %s", path, exc.strerror)


def _create_key(path: Path) -> None:
    """Create a new key file atomically; an existing one is not replaced."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # unlike a rename, a link never replaces the key of another process
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
    _sync_directory(path.parent)


def _sync_directory(path: Path) -> None:
    # without the key, everything encrypted with it would be lost after a power failure
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
