"""The zstd library of this Python version."""

import sys
from functools import cache
from importlib import import_module
from typing import Any


@cache  # imported when needed: it would slow down startup
def zstd_library() -> Any:
    """Return the module with the compressor and decompressor."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
