"""Messages that Outlook saved (.msg)."""

import io
from typing import Any

from webquarry.content.html.charset import decode_page
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.messages.message_draft import (
    MAX_ATTACHMENTS,
    MailAttachment,
    MailMessage,
    message_draft,
)


def read_msg(task: DocumentTask) -> DocumentDraft:
    """Return subject, addresses, text and attachments of a message."""
    from oxmsg import Message

    try:
        source = Message.load(io.BytesIO(task.data))
        message = _message(source)
    # the library lets any error of its parsers through
    except Exception as error:
        if isinstance(error, MemoryError | RecursionError):
            raise
        raise UnreadableDocument(f"is a broken Outlook message: {str(error)[:160]}") from error
    return message_draft(task, message)


def _message(source: Any) -> MailMessage:
    sent = source.sent_date
    html = source.html_body
    message = MailMessage(
        subject=source.subject or "",
        sender=source.sender or "",
        to="; ".join(_recipient(each) for each in source.recipients),
        date=sent.strftime("%Y-%m-%d %H:%M") if sent else "",
        text=(source.body or "").replace("\r\n", "\n"),
        html=decode_page(html) if isinstance(html, bytes) else html or "",
    )
    for each in list(source.attachments)[:MAX_ATTACHMENTS]:
        name = each.file_name or "unnamed file"
        if each.attached_by_value and each.file_bytes is not None:
            message.attachments.append(MailAttachment(name, each.file_bytes, each.mime_type or ""))
        else:
            message.warnings.append(f"{name} is not in the file or is an Outlook item")
    if not message.text.strip() and not message.html.strip():
        message.warnings.append("the message has no text, or only as compressed RTF")
    return message


def _recipient(recipient: Any) -> str:
    name, mail = recipient.name or "", recipient.email_address or ""
    return f"{name} <{mail}>" if name and mail and name != mail else name or mail
