"""Data stored for people, with their consent."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Model

Status = Literal["ok", "empty", "no_consent", "not_member", "unavailable"]
OWN_WORDS = "user-asserted-content"  # recalled notes are data, not instructions


class MemoryEntry(Model):
    """A note that a person saved."""

    id: str
    tenantId: str
    userId: str
    topic: str | None = None
    note: str
    url: str | None = None
    tags: tuple[str, ...] = ()
    createdAt: str


class Contribution(Model):
    """A note that a person shared with a workspace."""

    id: str
    workspaceId: str
    contributorTenant: str
    contributorUser: str
    note: str
    url: str | None = None
    tags: tuple[str, ...] = ()
    createdAt: str


class UserAnalytics(Model):
    """Usage of the tools by one person."""

    tenantId: str
    userId: str
    totalCalls: int = 0
    toolCounts: dict[str, int] = Field(default_factory=dict)
    firstSeen: str | None = None
    lastSeen: str | None = None
    recentTools: tuple[str, ...] = ()  # the latest first
