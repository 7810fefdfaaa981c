"""What messages of all formats have: fields, a body, attachments."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from webquarry.content.html.read_html import to_markdown
from webquarry.content.markdown.escaping import escape
from webquarry.reading.documents.contained_files import ContainedFiles, shown_name
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.page_selection import warn_if_pages_requested

_MAX_FIELD = 2_000  # characters of a line of recipients
MAX_ATTACHMENTS = 500


@dataclass(slots=True)
class MailAttachment:
    """A file of a message."""

    name: str
    data: bytes
    content_type: str = ""


@dataclass(slots=True)
class MailMessage:
    """A message before it is written as Markdown."""

    subject: str = ""
    sender: str = ""
    to: str = ""
    cc: str = ""
    date: str = ""  # as precise as stated
    text: str = ""
    html: str = ""
    attachments: list[MailAttachment] = field(default_factory=list[MailAttachment])
    warnings: list[str] = field(default_factory=list[str])


def message_draft(task: DocumentTask, message: MailMessage) -> DocumentDraft:
    """Return a message with its attachments as a document."""
    draft = DocumentDraft(task.kind)
    warn_if_pages_requested(task, draft)
    draft.title = " ".join(message.subject.split())
    draft.authors = [message.sender] if message.sender else []
    draft.published = message.date
    draft.warnings += message.warnings
    files = ContainedFiles(task, draft, level=2)
    draft.set_markdown([*_opening(message), *_files(files, message.attachments)])
    files.finish()
    if not draft.markdown.strip():
        raise UnreadableDocument("is a message without fields, text and attachments")
    return draft


def _opening(message: MailMessage) -> Iterator[str]:
    if message.subject.strip():
        yield f"# {_line(message.subject)}"
    fields = (
        ("From", message.sender),
        ("To", message.to),
        ("Cc", message.cc),
        ("Date", message.date),
        ("Attachments", ", ".join(shown_name(each.name) for each in message.attachments)),
    )
    yield "\n".join(f"- {name}: {_line(value)}" for name, value in fields if value.strip())
    yield message.text.strip() or to_markdown(message.html)


def _line(value: str) -> str:
    return escape(" ".join(value[:_MAX_FIELD].split()))


def _files(files: ContainedFiles, attachments: Iterable[MailAttachment]) -> Iterator[str]:
    for each in attachments:
        yield from files.sections(each.name, each.data, each.content_type)
