"""Reads a document in the worker process and returns the reply to the server."""

from typing import Any

from webquarry.parsing.worker import describe
from webquarry.parsing.worker_protocol import encode_json
from webquarry.reading.documents.draft import (
    DocumentTask,
    EncryptedDocument,
    NoSuchPages,
    ScannedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.formats import read_document

_FAILURES = {UnreadableDocument: "unreadable", EncryptedDocument: "encrypted", NoSuchPages: "pages"}


def document_reply(data: bytes, **task: Any) -> bytes:
    """Return the document as JSON, or why it cannot be read."""
    return encode_json(_read(DocumentTask(data=data, **task)))


def _read(task: DocumentTask) -> dict[str, Any]:
    try:
        return {"document": read_document(task).as_reply()}
    except ScannedDocument as error:
        return {"failure": "scanned", "reason": str(error), "language": error.language}
    except (UnreadableDocument, NoSuchPages) as error:
        return {"failure": _FAILURES[type(error)], "reason": str(error)}
    except MemoryError:
        return {"failure": "memory", "reason": "needs more memory to read than is allowed"}
    except RecursionError:
        return {"failure": "unreadable", "reason": "is nested too deeply"}
    # any other error concerns this document only; the server logs the cause
    except Exception as error:  # noqa: BLE001
        return {"failure": "bug", "reason": "could not be read", "cause": describe(error)}
