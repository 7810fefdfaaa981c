"""The protocol between server and worker: two lengths, JSON, and the bytes of a document."""

import json
import struct
from typing import Any

LENGTH = struct.Struct(">II")  # of the JSON and of the bytes after it
MAX_JSON = 64 * 2**20


def pack_header(message: dict[str, Any], size: int = 0) -> bytes:
    """Return the start of a frame: lengths and JSON."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    return LENGTH.pack(len(body), size) + body
