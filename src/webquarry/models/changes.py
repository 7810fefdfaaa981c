"""Versions of what is watched, the changes between two of them, and what is ignored as noise."""

from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.models.model import Filled, Model
from webquarry.models.research import Anchor

ChangeKind = Literal[
    "title", "price", "number", "availability", "date", "link", "field", "entry", "text"
]
ChangeAction = Literal["added", "removed", "changed"]
# why a change is ignored; each is also the id of the rule
NoiseReason = Literal[
    "relative_time",  # 3 minutes ago
    "date_stamp",  # when the page was made or updated
    "copyright_year",
    "counter",  # views, shares, comments …
    "advertisement",
    "related",  # teasers of other pages
    "cookie_notice",
    "session_id",  # ids and tokens that differ on each visit
    "moved",  # the same text in another place
    "outside",  # the other version has it outside of its main content
    "learned",  # differed between the first versions
    "muted",  # by a person
]
# a line of this form, what follows this line, or everything at a place
PatternScope = Literal["line", "following", "section"]


class PageVersion(Model):
    """The main content of a page at a moment."""

    form: Literal["page"] = "page"
    url: str
    title: str = ""
    markdown: str
    page_text: str = Field(default="", description="All visible text; empty: unknown")
    at: float = Field(default=0.0, description="When it was read, in unix seconds; 0: unknown")


class FieldState(Model):
    """The value of a field, and the words of the page that state it."""

    value: Any = None
    quote: str = ""


class FieldsVersion(Model):
    """Fields of a page at a moment, by JSON pointer."""

    form: Literal["fields"] = "fields"
    url: str
    values: dict[str, FieldState]
    at: float = 0.0


class WatchedEntry(Model):
    """One member of a set: a page of a crawl, a search result, an entry of a feed, a reference."""

    key: str = Field(description="What makes it the same entry: a URL, an id")
    title: str = ""
    url: str = ""
    text: str = Field(default="", description="Markdown; compared if both versions have it")


class EntriesVersion(Model):
    """A set of entries at a moment."""

    form: Literal["entries"] = "entries"
    url: str = ""
    entries: tuple[WatchedEntry, ...]
    rolling: bool = Field(
        default=False, description="Old entries leave on their own, as in a feed: not a change"
    )
    complete: bool = Field(
        default=True, description="False: entries may be missing, so none is reported as removed"
    )
    at: float = 0.0


Version = Annotated[PageVersion | FieldsVersion | EntriesVersion, Field(discriminator="form")]


class DiffPart(Model):
    """Words that both versions have, or only one of them."""

    op: Literal["equal", "delete", "insert"]
    text: str


class ChangedNumber(Model):
    """The number that changed."""

    before: float | None = None  # None: there was none
    after: float
    unit: Filled[str] = None  # a currency code, %, or what is counted
    percent: float | None = None  # of the value before; None: that was 0 or none

    @property
    def delta(self) -> float:
        """How much larger the value is now."""
        return self.after - (self.before or 0.0)


class IgnoredBecause(Model):
    """Why a change is not told, and the id that unmutes it."""

    reason: NoiseReason
    rule: str  # id: of this place, or of a pattern
    note: str  # in words


class Change(Model):
    """One thing that differs between two versions."""

    id: str  # the same for the same change
    kind: ChangeKind
    action: ChangeAction
    where: str = ""  # heading, field or entry
    follows: Filled[str] = None  # the text before it that did not change
    offset: int = 0  # how many passages are between the two
    before: Anchor | None = None  # None: it was added
    after: Anchor | None = None  # None: it was removed
    diff: tuple[DiffPart, ...] = ()  # of words; together they are both passages
    size: int  # words that were deleted or inserted
    number: ChangedNumber | None = None
    ignored: IgnoredBecause | None = None


class VersionComparison(Model):
    """What differs between two versions."""

    changes: tuple[Change, ...] = ()
    ignored: tuple[Change, ...] = ()
    truncated: bool = False  # the versions are longer than what is compared


class NoisePattern(Model):
    """A place where changes are ignored."""

    id: str
    origin: Literal["learned", "muted"]
    scope: PatternScope
    where: str = ""  # heading, field or entry
    text: str = ""  # of the line, with … for what differs
    offset: int = 0  # of what follows a line
    seen: int = 0  # how often it differed while learning
    needed: int = 1  # how often it must


class NoiseProfile(Model):
    """What is ignored in the changes of one monitor."""

    versions: int = 0  # compared while learning
    patterns: tuple[NoisePattern, ...] = ()
    candidates: tuple[NoisePattern, ...] = ()  # not seen often enough to be ignored
    unmuted: tuple[str, ...] = ()  # ids of rules, of places and of learned patterns
