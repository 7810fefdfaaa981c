"""What a page offers, as text within a token limit: all of it, or what has changed."""

from dataclasses import dataclass, field
from typing import Any

from webquarry.content.text.token_count import BYTES_PER_TOKEN
from webquarry.reading.browsing.page_worlds import MAIN, PageWorlds

_SCRIPT = "page_snapshot"
_MAX_ITEMS = 3000
_MILLISECONDS = 5000  # on a busy machine; 20,000 elements take a quarter of a second
_MAX_TEXT, _MAX_NAME = 300, 120
_RESERVED = 160  # bytes for the line that says what is missing


@dataclass(frozen=True)
class PageItem:
    """An element or a text of a page."""

    number: int
    line: str
    visible: bool  # in the window
    actionable: bool

    @property
    def text(self) -> str:
        """The line with the id to act on."""
        return f"[e{self.number}] {self.line}" if self.actionable else self.line


@dataclass
class PageContents:
    """Everything that was found on a page."""

    items: list[PageItem] = field(default_factory=list[PageItem])
    gone: list[int] = field(default_factory=list[int])
    more: int = 0  # that were not returned
    incomplete: bool = False  # the page is too large to be gone through
    title: str = ""
    position: str = ""


@dataclass
class SnapshotMemory:
    """What a caller has been shown of a document."""

    shown: dict[int, PageItem] = field(default_factory=dict[int, PageItem])
    frames: dict[int, tuple[str, int]] = field(default_factory=dict[int, tuple[str, int]])
    next_number: int = 1

    async def contents(self, worlds: PageWorlds, find: str = "") -> PageContents:
        """Return what the page and its frames offer now; with `find`, only lines with this text."""
        main = await self._read(worlds, MAIN, find)
        if main["created"]:  # another document
            self._forget()
        contents = PageContents(
            gone=main["gone"],
            more=main["more"],
            incomplete=main["incomplete"],
            title=main["title"],
            position=_position(main["scroll"]),
        )
        frames = await worlds.frames([item["id"] for item in main["items"] if item.get("frame")])
        for item in main["items"]:
            contents.items.append(_item(item))
            if frame := frames.get(item["id"]):
                inner = await self._read(worlds, frame, find)
                self.frames |= {each["id"]: (frame, item["id"]) for each in inner["items"]}
                contents.items += map(_item, inner["items"])
                contents.more += inner["more"]
        return contents

    def text(self, contents: PageContents, max_tokens: int, find: str = "") -> str:
        """Return what is new, the window first, within the limit; it counts as shown."""
        known = bool(self.shown)
        fresh = [item for item in contents.items if not _same(self.shown.get(item.number), item)]
        if find:
            fresh = [item for item in contents.items if find.lower() in item.line.lower()]
        gone = [number for number in contents.gone if self.shown.pop(number, None)]
        head = _heading(contents, gone, known=known, changed=bool(fresh), find=find)
        room = max_tokens * BYTES_PER_TOKEN - _RESERVED - len(head.encode())
        lines, left = self._fitting(fresh, room)
        rest = _rest(left + contents.more, incomplete=contents.incomplete)
        return "\n".join(filter(None, (head, *lines, rest)))

    def _fitting(self, fresh: list[PageItem], room: int) -> tuple[list[str], int]:
        """Return the lines that fit, in the order of the page, and how many do not."""
        chosen: set[int] = set()
        for item in sorted(fresh, key=lambda each: not each.visible):
            room -= len(item.text.encode("utf-8", "replace")) + 3
            if room < 0:
                break
            chosen.add(item.number)
        lines: list[str] = []
        for item in fresh:
            if item.number in chosen:
                mark = "~ " if item.number in self.shown else ""
                lines.append(mark + item.text)
                self.shown[item.number] = item
        return lines, len(fresh) - len(chosen)

    def _forget(self) -> None:
        """Start anew; no id is used twice."""
        self.shown.clear()
        self.frames.clear()

    async def _read(self, worlds: PageWorlds, frame: str, find: str) -> dict[str, Any]:
        arguments = {
            "start": self.next_number,
            "seen": [] if frame else list(self.shown),
            "find": find,
            "maxItems": _MAX_ITEMS,
            "maxText": _MAX_TEXT,
            "maxName": _MAX_NAME,
            "milliseconds": _MILLISECONDS,
        }
        found: dict[str, Any] = await worlds.call(_SCRIPT, arguments, frame)
        self.next_number = max(self.next_number, found["next"])
        if not frame:
            found["gone"] = [number for number in found["gone"] if number not in self.frames]
        return found


def _item(found: dict[str, Any]) -> PageItem:
    return PageItem(found["id"], found["line"], found["visible"], bool(found.get("act")))


def _same(shown: PageItem | None, item: PageItem) -> bool:
    """Tell whether an item was shown as it is; whether it is in the window does not matter."""
    return shown is not None and (shown.line, shown.actionable) == (item.line, item.actionable)


def _position(scroll: dict[str, int]) -> str:
    if scroll["height"] <= scroll["window"]:
        return ""
    return f"Window at {scroll['top']} of {scroll['height'] - scroll['window']} px."


def _heading(
    contents: PageContents, gone: list[int], *, known: bool, changed: bool, find: str
) -> str:
    parts = [contents.position]
    if find:
        parts.append(f"Lines with {find!r}:" if changed else f"No line has {find!r}.")
    elif known:
        what = "Changes since the last snapshot (~ changed):" if changed else "Nothing has changed."
        parts.append(what)
    if gone and known:
        named = ", ".join(f"e{number}" for number in gone[:20])
        parts.append(f"Gone: {named}{' …' if len(gone) > 20 else ''}.")
    return " ".join(filter(None, parts))


def _rest(left: int, *, incomplete: bool) -> str:
    if incomplete:
        return "… and more: the page is too large; scroll, or use find."
    return f"… {left} more lines: scroll, use find or a larger max_tokens." if left > 0 else ""
