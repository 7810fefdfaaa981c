"""The sandboxed process that reads documents and extracts web pages.

Started as `python -m webquarry.reading.documents.worker MEMORY_BYTES IDLE_SECONDS`.
"""

import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from webquarry.reading.documents.draft import (
    DocumentTask,
    EncryptedDocument,
    NoSuchPages,
    UnreadableDocument,
)
from webquarry.reading.documents.formats import read_document
from webquarry.reading.documents.sandbox import allow_cpu, confine
from webquarry.reading.documents.worker_protocol import LENGTH, pack_header

_FAILURES = {UnreadableDocument: "unreadable", EncryptedDocument: "encrypted", NoSuchPages: "pages"}
_Request = tuple[dict[str, Any], bytes]


def main() -> None:
    """Answer requests until the server ends or sends none for a while."""
    memory, idle = int(sys.argv[1]), float(sys.argv[2])
    source = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # what a library prints must not be mixed with the replies
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(null, descriptor)
    confine(memory)
    requests: queue.Queue[_Request] = queue.Queue()
    threading.Thread(target=_receive, args=(source, requests), daemon=True).start()
    while True:
        try:
            header, data = requests.get(timeout=idle)
        except queue.Empty:
            return
        if "page" in header:
            content = _read_page(header["page"], data, header["seconds"])
            replies.write(LENGTH.pack(len(content), 0) + content)
        else:
            replies.write(pack_header(_read_document(header, data)))
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


def _read_document(header: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Return the document, or why it cannot be read."""
    task = DocumentTask(data=data, **header)
    allow_cpu(task.seconds)
    try:
        return {"document": read_document(task).as_reply()}
    except (UnreadableDocument, NoSuchPages) as error:
        return {"failure": _FAILURES[type(error)], "reason": str(error)}
    except MemoryError:
        return {"failure": "memory", "reason": "needs more memory to read than is allowed"}
    except RecursionError:
        return {"failure": "unreadable", "reason": "is nested too deeply"}
    # any other error concerns this document only; the server logs the cause
    except Exception as error:  # noqa: BLE001
        return {"failure": "bug", "reason": "could not be read", "cause": _cause(error)}


def _read_page(options: dict[str, Any], data: bytes, seconds: float) -> bytes:
    """Return the content of a web page as JSON; the server retries a page that fails here."""
    from webquarry.content.html.read_html import read_html

    allow_cpu(seconds)
    try:
        return read_html(data, **options).model_dump_json().encode()
    # the server retries the page and reports the error
    except Exception as error:  # noqa: BLE001
        return json.dumps({"cause": _cause(error)}).encode()


def _cause(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}: {error} at {line}"[:500]


if __name__ == "__main__":
    main()
