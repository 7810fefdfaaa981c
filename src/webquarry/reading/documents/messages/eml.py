"""E-mail messages as they are sent (RFC 5322, MIME)."""

from datetime import datetime
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

from webquarry.content.html.charset import decode_page
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.messages.message_draft import (
    MAX_ATTACHMENTS,
    MailAttachment,
    MailMessage,
    message_draft,
)

_MAX_HEADER = 20_000  # characters
_MAX_PARTS = 2_000
# what the standard library raises for malformed messages
_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, AssertionError)


def read_eml(task: DocumentTask) -> DocumentDraft:
    """Return subject, addresses, text and attachments of a message."""
    try:
        source = message_from_bytes(task.data)
    except _MALFORMED as error:
        raise UnreadableDocument(f"is a broken message: {str(error)[:160]}") from error
    if not source.keys():
        raise UnreadableDocument("is not a message: it has no header fields")
    message = MailMessage(
        subject=_field(source, "subject"),
        sender=_field(source, "from"),
        to=_field(source, "to"),
        cc=_field(source, "cc"),
        date=_date(source),
    )
    _add_parts(message, source)
    return message_draft(task, message)


def _add_parts(message: MailMessage, source: "Message[str, str]") -> None:
    """Take the first text of each kind as the body, and everything else as attachments."""
    pending, count = [source], 0
    while pending:
        part = pending.pop(0)
        count += 1
        if count > _MAX_PARTS or len(message.attachments) >= MAX_ATTACHMENTS:
            message.warnings.append("parts of the message after the first ones were left out")
            return
        kind = part.get_content_type()
        if kind == "message/rfc822":
            message.attachments.append(_enclosed(part))
        elif part.is_multipart():
            pending[:0] = [each for each in part.get_payload() if isinstance(each, Message)]
        else:
            _add_leaf(message, part, kind)


def _add_leaf(message: MailMessage, part: "Message[str, str]", kind: str) -> None:
    data = _payload(part)
    name = _file_name(part)
    is_file = bool(name) or part.get_content_disposition() == "attachment"
    if kind == "text/plain" and not is_file and not message.text:
        message.text = decode_page(data, part.get("content-type")).replace("\r\n", "\n")
    elif kind == "text/html" and not is_file and not message.html:
        message.html = decode_page(data, part.get("content-type"))
    elif data and not (kind in ("text/plain", "text/html") and not is_file and not data.strip()):
        message.attachments.append(MailAttachment(name or kind, data, kind))


def _enclosed(part: "Message[str, str]") -> MailAttachment:
    """Return a message inside a message as a file."""
    inner = part.get_payload(0) if part.is_multipart() else None
    try:
        data = inner.as_bytes() if isinstance(inner, Message) else _payload(part)
    except _MALFORMED:
        data = b""  # reported as an empty file
    return MailAttachment(_file_name(part) or "message.eml", data, "message/rfc822")


def _payload(part: "Message[str, str]") -> bytes:
    try:
        data = part.get_payload(decode=True)
    except _MALFORMED:
        return b""
    return data if isinstance(data, bytes) else b""


def _file_name(part: "Message[str, str]") -> str:
    try:
        return _decoded(part.get_filename() or "")
    except _MALFORMED:
        return "unnamed file"


def _field(source: "Message[str, str]", name: str) -> str:
    try:
        return _decoded(str(source.get(name) or ""))
    except _MALFORMED:
        return ""


def _decoded(text: str) -> str:
    """Return a header field with its encoded words decoded."""
    parts: list[str] = []
    for value, charset in decode_header(text[:_MAX_HEADER]):
        if isinstance(value, str):
            parts.append(value)
            continue
        try:
            parts.append(value.decode(charset or "utf-8", "replace"))
        except LookupError:
            parts.append(value.decode("utf-8", "replace"))
    return " ".join("".join(parts).split())


def _date(source: "Message[str, str]") -> str:
    try:
        moment: datetime = parsedate_to_datetime(str(source.get("date") or ""))
    except (*_MALFORMED, OverflowError):
        return ""
    return moment.strftime("%Y-%m-%d %H:%M")
