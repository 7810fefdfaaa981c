"""The protocol between server and worker: two numbers, JSON, and the bytes to parse.

The numbers of a request are the lengths of its JSON and of the bytes after it, those of a reply
the length of its JSON and whether the function returned or failed.
"""

import json
import struct
from typing import Any

LENGTH = struct.Struct(">II")
MAX_JSON = 64 * 2**20
RETURNED, FAILED = 0, 1


def encode_json(message: dict[str, Any]) -> bytes:
    """Return the message as JSON; lone surrogates, which UTF-8 cannot encode, become "?"."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")


def pack_header(message: dict[str, Any], size: int) -> bytes:
    """Return the start of a request: lengths and JSON."""
    body = encode_json(message)
    return LENGTH.pack(len(body), size) + body
