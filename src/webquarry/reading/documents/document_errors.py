"""Why a document could not be read, as parts of the one failure tree."""

from typing import Any

from webquarry.content.brand.image_size import image_size_of
from webquarry.content.brand.image_title import image_title
from webquarry.errors import Advice, PageError
from webquarry.reading.documents.image_types import is_readable_image


class DocumentError(PageError):
    """The document is broken, too big, hostile, or of a kind that cannot be read."""

    advice = Advice("content_empty", retryable=False, action="inform_user")


class BinaryContentError(DocumentError):
    """The content is an image, a sound, a program or other data that has no text."""


class EncryptedDocumentError(DocumentError):
    """The document opens only with a password or a licence."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


class ReaderCrashError(DocumentError):
    """The process that read the document died or ran out of time or memory."""


def binary_content_error(
    url: str, media_type: str, content: bytes, *, was_searched: bool = False
) -> BinaryContentError:
    """Return the error that describes what a URL holds instead of text.

    `was_searched`: text recognition found none in it.
    """
    facts = [media_type]
    details: dict[str, Any] = {"mediaType": media_type, "bytes": len(content)}
    image = image_size_of(content) if media_type.startswith("image/") else None
    if image and image.width:
        facts.append(f"{image.width} by {image.height} pixels")
        details |= {"width": image.width, "height": image.height}
    facts.append(f"{len(content):,} bytes")
    title = image_title(content) if media_type.startswith("image/") else ""
    if title:
        facts.append(f"titled {title!r}")
        details["title"] = title
    main = media_type.partition("/")[0]
    noun = _NOUNS.get(main, "binary data")
    advice = "" if was_searched or not is_readable_image(content) else _IMAGE_ADVICE
    return BinaryContentError(
        f"{url} is {noun} without text ({', '.join(facts)}).{advice}", details=details
    )


_IMAGE_ADVICE = (
    " Text in images is read by text recognition: pip install 'webquarry[ocr]', or tesseract."
)
_NOUNS = {"image": "an image", "audio": "audio", "video": "video", "font": "a font"}
