"""The changes of a monitor as an Atom feed (RFC 4287)."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.models.monitor import Monitor, MonitorChange
from webquarry.services.watching.notifications import message, summary

ATOM_TYPE = "application/atom+xml"
_NAMESPACE = "http://www.w3.org/2005/Atom"


def atom_feed(monitor: Monitor, changes: Sequence[MonitorChange], url: str) -> bytes:
    """Return the feed; `url` is its own."""
    updated = max((change.at for change in changes), default=monitor.created)
    feed = ET.Element("feed", xmlns=_NAMESPACE)
    _add(feed, "id", f"urn:webquarry:monitor:{monitor.id}")
    _add(feed, "title", monitor.definition.name)
    _add(feed, "updated", to_rfc3339(updated, updated) or "")
    ET.SubElement(feed, "link", rel="self", href=url)
    author = ET.SubElement(feed, "author")
    _add(author, "name", "Webquarry")
    for change in changes:
        _add_entry(feed, monitor, change)
    return ET.tostring(feed, encoding="utf-8", xml_declaration=True)


def _add_entry(feed: ET.Element, monitor: Monitor, change: MonitorChange) -> None:
    entry = ET.SubElement(feed, "entry")
    _add(entry, "id", f"urn:webquarry:monitor:{monitor.id}:{change.seq}")
    _add(entry, "title", summary(change))
    _add(entry, "updated", to_rfc3339(change.at, change.at) or "")
    if change.url:
        ET.SubElement(entry, "link", href=change.url)
    _, text = message(monitor, (change,))
    _add(entry, "content", text)


def _add(parent: ET.Element, name: str, text: str) -> None:
    # control characters are not allowed in XML
    visible = "".join(c for c in without_invisible(text) if c >= " " or c in "\n\t")
    ET.SubElement(parent, name).text = visible.encode("utf-8", "replace").decode()
