"""The sandboxed process that parses foreign content: web pages, documents, data.

Started as `python -m webquarry.parsing.worker MEMORY_BYTES IDLE_SECONDS`. The server names the
function to call; only what the function gets is foreign.
"""

# only the standard library and what needs no more: a function imports its parsers when called

import json
import os
import queue
import sys
import threading
from importlib import import_module
from typing import Any, BinaryIO

from webquarry.errors import WebquarryError
from webquarry.parsing.sandbox import allow_cpu, confine
from webquarry.parsing.worker_protocol import FAILED, LENGTH, RETURNED, encode_json

_Request = tuple[dict[str, Any], bytes]


def main() -> None:
    """Answer requests until the server ends or sends none for a while."""
    memory, idle, program = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    source = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # what a library prints must not be mixed with the replies
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    confine(memory, program)
    requests: queue.Queue[_Request] = queue.Queue()
    threading.Thread(target=_receive, args=(source, requests), daemon=True).start()
    while True:
        try:
            header, data = requests.get(timeout=idle)
        except queue.Empty:
            return
        allow_cpu(header["seconds"])
        status, reply = _reply(header, data)
        replies.write(LENGTH.pack(len(reply), status) + reply)
        replies.flush()
        del data


def _receive(source: BinaryIO, requests: "queue.Queue[_Request]") -> None:
    """Queue requests; exit at once when the server has ended."""
    while True:
        lengths = source.read(LENGTH.size)
        if len(lengths) < LENGTH.size:
            os._exit(0)
        size, rest = LENGTH.unpack(lengths)
        header = json.loads(source.read(size))
        data = source.read(rest)
        if len(data) < rest:
            os._exit(0)
        requests.put((header, data))


def _reply(header: dict[str, Any], data: bytes) -> tuple[int, bytes]:
    """Return the result of the function, or why it failed."""
    try:
        module, _, name = header["function"].partition(":")
        return RETURNED, getattr(import_module(module), name)(data, **header["arguments"])
    except WebquarryError as error:
        failure = {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        failure = {"limit": "memory"}
    except RecursionError:
        failure = {"limit": "depth"}
    # any other error concerns this content only; the server logs the cause
    except Exception as error:  # noqa: BLE001
        failure = {"cause": describe(error)}
    return FAILED, encode_json(failure)


def describe(error: Exception) -> str:
    """Return an error and where it was raised, for the log."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}: {error} at {line}"[:500]


if __name__ == "__main__":
    main()
