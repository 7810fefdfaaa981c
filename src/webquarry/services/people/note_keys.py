"""Names of notes, in the order of time."""

import secrets


def new_id(now: float) -> str:
    """Return a name nobody else has; later ones are greater."""
    return f"{int(now * 1000):012x}{secrets.token_hex(6)}"
