"""The process that reads documents: confined, and free to die.

Started as `python -m webquarry.reading.documents.worker MEMORY_BYTES IDLE_SECONDS`.
"""

import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from webquarry.reading.documents.draft import BadPages, DocumentTask, Encrypted, Unreadable
from webquarry.reading.documents.formats import read_document
from webquarry.reading.documents.sandbox import allow_cpu, confine
from webquarry.reading.documents.worker_protocol import LENGTH, packed

_VERDICTS = {Unreadable: "unreadable", Encrypted: "encrypted", BadPages: "pages"}
_Request = tuple[dict[str, Any], bytes]


def main() -> None:
    """Answer requests until the server goes away or leaves us idle."""
    memory, idle = int(sys.argv[1]), float(sys.argv[2])
    source = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # what a library prints must not end up among the answers
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    confine(memory)
    requests: queue.Queue[_Request] = queue.Queue()
    threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    while True:
        try:
            header, data = requests.get(timeout=idle)
        except queue.Empty:
            return
        if "page" in header:
            content = _page(header["page"], data, header["seconds"])
            answers.write(LENGTH.pack(len(content), 0) + content)
        else:
            answers.write(packed(_answer(header, data)))
        answers.flush()
        del data


def _listen(source: BinaryIO, requests: "queue.Queue[_Request]") -> None:
    """Pass requests on; when the server is gone, so are we, even in mid-document."""
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


def _answer(header: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Return the document, or the reason why there is none."""
    task = DocumentTask(data=data, **header)
    allow_cpu(task.seconds)
    try:
        return {"document": read_document(task).as_reply()}
    except (Unreadable, BadPages) as error:
        return {"failure": _VERDICTS[type(error)], "reason": str(error)}
    except MemoryError:
        return {"failure": "memory", "reason": "needs more memory to read than is allowed"}
    except RecursionError:
        return {"failure": "unreadable", "reason": "is nested deeper than any document should be"}
    # whatever else goes wrong in here concerns this document only; the server logs the cause
    except Exception as error:  # noqa: BLE001
        return {"failure": "bug", "reason": "could not be read", "cause": _cause(error)}


def _page(about: dict[str, Any], data: bytes, seconds: float) -> bytes:
    """Return the content of a web page as JSON; the server tries again what goes wrong here."""
    from webquarry.content.html.read_html import read_html

    allow_cpu(seconds)
    try:
        return read_html(data, **about).model_dump_json().encode()
    # whatever it is, the server will meet it too and say so
    except Exception as error:  # noqa: BLE001
        return json.dumps({"cause": _cause(error)}).encode()


def _cause(error: Exception) -> str:
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f"{at.tb_frame.f_code.co_filename}:{at.tb_lineno}" if at is not None else "?"
    return f"{type(error).__name__}: {error} at {where}"[:500]


if __name__ == "__main__":
    main()
