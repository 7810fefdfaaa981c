"""How the server and a worker talk: a length, a line of JSON, and the bytes of a document."""

import json
import struct
from typing import Any

LENGTH = struct.Struct(">II")  # of the JSON, of the bytes behind it
MAX_JSON = 64 * 2**20


def packed(message: dict[str, Any], size: int = 0) -> bytes:
    """Return the head of a frame: lengths and JSON."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    return LENGTH.pack(len(body), size) + body
