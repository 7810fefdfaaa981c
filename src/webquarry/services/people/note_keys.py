"""Ids of notes, which sort by time."""

import secrets


def new_id(now: float) -> str:
    """Return a unique id; later ids sort after earlier ones."""
    return f"{int(now * 1000):012x}{secrets.token_hex(6)}"
