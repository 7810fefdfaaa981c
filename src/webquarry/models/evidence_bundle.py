"""Evidence bundles: what they contain, and the result of checking one."""

from typing import Literal

from webquarry.models.model import Model

BundleVerdict = Literal["intact", "altered", "incomplete", "unsigned"]
FoundQuote = Literal["found", "not_in_capture", "no_capture", "unreadable"]


BundleSubject = Literal["session", "crawl", "check", "quote", "change"]


class BundleSummary(Model):
    """What a bundle will contain, for its author to read before it is written."""

    subject: BundleSubject
    id: str
    title: str
    exchanges: int
    bytes: int  # of bodies, each once
    quotes: int
    notCaptured: list[str]  # URLs of sources without a captured response
    personalData: list[str]  # sentences


class BundleProblem(Model):
    """Something in a file that is not as it was signed."""

    where: str  # a record, an entry, or a byte
    what: str


class BundleQuote(Model):
    """A quotation of a bundle, looked up in the captured source."""

    url: str
    quote: str
    status: FoundQuote
    capturedAt: str | None = None
    reason: str | None = None


class BundleSignature(Model):
    """Who signed a bundle."""

    valid: bool
    fingerprint: str
    publicKey: str
    created: str
    software: str


class BundleTimestamp(Model):
    """When a third party saw the hashes of a bundle, by RFC 3161."""

    status: Literal["valid", "untrusted", "invalid"]
    time: str
    authority: str  # name in its certificate
    url: str
    reason: str | None = None  # unless it is valid


class BundleCheck(Model):
    """Whether a bundle is as it was written, and whether its quotations are in its sources."""

    file: str
    verdict: BundleVerdict
    signature: BundleSignature | None = None  # None: not signed by Webquarry
    timestamp: BundleTimestamp | None = None  # None: there is none
    records: int
    pages: int
    problems: list[BundleProblem]
    quotes: list[BundleQuote]
    notCaptured: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class ImportedPage(Model):
    """A page that was imported from an archive."""

    url: str
    title: str
    capturedAt: str
    sha256: str  # of its text: for anchors of quotations


class ImportSummary(Model):
    """What an import brought."""

    file: str
    pages: int
    imported: list[ImportedPage]
    failures: list[str]  # pages that could not be read, and why
    damage: str | None = None  # where the archive breaks: what follows is missing
