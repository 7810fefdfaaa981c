"""Why a document could not be read, as parts of the one failure tree."""

from webquarry.errors import Advice, PageError


class DocumentError(PageError):
    """The document is broken, too big, hostile, or of a kind that cannot be read."""

    advice = Advice("content_empty", retryable=False, action="inform_user")


class EncryptedDocumentError(DocumentError):
    """The document opens only with a password or a licence."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


class ReaderCrashError(DocumentError):
    """The process that read the document died or ran out of time or memory."""
