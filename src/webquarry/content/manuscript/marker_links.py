"""Links citation markers to the entries of the reference list."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

from webquarry.content.citations.author_names import PARTICLES, split_name
from webquarry.content.manuscript.found_marker import FoundMarker
from webquarry.content.manuscript.manuscript_model import MarkerKind, ReferenceEntry
from webquarry.content.manuscript.marker_scan import scan_markers

_WORD = re.compile(r"[^\W_]+(?:[\u2019'-][^\W_]+)*")
_YEAR = re.compile(r"\b((?:1[5-9]|20)\d\d)([a-z]?)\b")
_IBID = re.compile(r"\W*(?:ibid|ebd|ebenda|id)\b", re.IGNORECASE)
_SUPRA = re.compile(
    r"\b(?:supra|above|op\.\s?cit\.),?[*_]{0,2}\s(?:at\s)?n(?:ote|\.)?\s?(\d{1,4})\b", re.I
)
_SKIPPED = PARTICLES | {"and", "et", "al", "the", "colleagues", "others", "und", "y", "s"}
_MIN_TITLE_WORDS = 2
_LONG_WORD = 4


class MarkerLinks:
    """The entries of a list, found by number, key, author and year, or URL."""

    def __init__(self, entries: Sequence[ReferenceEntry], *, raised_notes: bool = True) -> None:
        """`raised_notes`: raised numbers may call notes, as on paper."""
        self._raised_notes = raised_notes
        self._works = [entry for entry in entries if entry.id.startswith("ref-")]
        self._notes = {entry.label: entry for entry in entries if entry.id.startswith("note-")}
        self._labels = {entry.label: entry for entry in self._works if entry.label}
        self._urls = _by_url(self._works)
        self._by_author: defaultdict[str, list[ReferenceEntry]] = defaultdict(list)
        for entry in self._works:
            for key in set(_author_keys(entry)):
                self._by_author[key].append(entry)
        self._cases = _by_report(entries)
        self._noted: dict[str, Sequence[str]] = {}
        self._noted = self._note_entries(entries)

    def entries(self, marker: FoundMarker) -> tuple[str, ...]:
        """Return the ids of the entries that a marker names."""
        found = (entry for _, entries in self._named(marker) for entry in entries)
        return tuple(dict.fromkeys(found))

    def missing(self, marker: FoundMarker) -> tuple[str, ...]:
        """Return the numbers, keys or works of a marker that have no entry."""
        if marker.kind == "legal":
            return ()
        return tuple(name for name, entries in self._named(marker) if not entries)

    def _named(self, marker: FoundMarker) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield what a marker names, and the entries of each."""
        if marker.kind in ("link", "url"):
            entry = self._urls.get(_url_key(marker.url or ""))
            yield from [(entry.label, (entry.id,))] if entry else []
        for label in marker.labels:
            yield label, self._labelled(label, marker.kind)
        for authors, year in marker.works:
            yield f"{authors} {year}", self._of_work(authors, year)

    def _labelled(self, label: str, kind: MarkerKind) -> Sequence[str]:
        if kind == "legal":
            case = self._cases.get(label)
            return (case.id,) if case else ()
        entry = self._labels.get(label)
        is_other = kind == "superscript" and entry and not self._is_raised_note(label)
        if kind in ("footnote", "superscript") and label in self._noted and not is_other:
            return self._noted[label]
        return (entry.id, *self._noted.get(entry.id, ())) if entry else ()

    def _is_raised_note(self, label: str) -> bool:
        """Tell whether a raised number calls a note that names a work, not just an address."""
        note = self._notes.get(label)
        names_work = note is not None and (note.kind != "note" or len(self._noted[label]) > 1)
        return self._raised_notes and names_work

    def _note_entries(self, entries: Sequence[ReferenceEntry]) -> dict[str, Sequence[str]]:
        """Return what each note names: itself, notes before it, and works of the list.

        Entries of a list of endnotes stand under their id, with what they name beside themselves.
        """
        found: dict[str, Sequence[str]] = {}
        before: Sequence[str] = ()
        earlier: list[ReferenceEntry] = []
        for entry in entries:
            if self._notes.get(entry.label) is entry:
                named = self._named_by(entry, before, earlier, found)
                found[entry.label] = before = tuple(dict.fromkeys((entry.id, *named)))
                earlier.append(entry)
            elif entry.id.startswith("ref-") and entry.label:
                named = self._repeated(entry, before, found)
                found[entry.id] = named
                before = tuple(dict.fromkeys((entry.id, *named)))
                found.setdefault(f"\0{entry.label}", before)
        return found

    def _named_by(
        self,
        note: ReferenceEntry,
        before: Sequence[str],
        earlier: Sequence[ReferenceEntry],
        found: dict[str, Sequence[str]],
    ) -> Sequence[str]:
        """Return the entries that a note names beside itself."""
        if repeated := self._repeated(note, before, found):
            return repeated
        works = (*self._works_in(note), *self._marked_in(note))
        if works or note.kind != "note":
            return works
        words = {_key(word) for word in _WORD.findall(note.text)}
        return tuple(entry.id for entry in earlier if _is_short_form(entry, words))

    def _marked_in(self, note: ReferenceEntry) -> Iterator[str]:
        """Yield the works that a note cites by number, key, or author and year."""
        for marker in scan_markers(note.text, 0, len(note.text), parentheses=False):
            if marker.kind in ("latex", "numbered", "author-year"):
                yield from self.entries(marker)

    def _repeated(
        self, note: ReferenceEntry, before: Sequence[str], found: dict[str, Sequence[str]]
    ) -> Sequence[str]:
        """Return what `Ibid.` and `supra note 3` repeat."""
        if _IBID.match(note.text):
            return before
        numbers = _SUPRA.findall(note.text)
        named = (found.get(number, found.get(f"\0{number}", ())) for number in numbers)
        return tuple(each for ids in named for each in ids)

    def _works_in(self, note: ReferenceEntry) -> tuple[str, ...]:
        """Return the works of the list that a note names in a short form."""
        words = {_key(word) for word in _WORD.findall(note.text)}
        named = {entry.id: entry for word in words for entry in self._by_author.get(word, ())}
        return tuple(entry.id for entry in named.values() if _shares_title(entry, words))

    def _of_work(self, authors: str, year: str) -> list[str]:
        """Return the works of authors and a year; the suffix of the year tells equal ones apart."""
        names = [word for word in _WORD.findall(authors) if word.lower() not in _SKIPPED]
        for first in range(len(names)):
            found = self._by_names(names[first:], year)
            if found:
                return [entry.id for entry in found]
        acronym = "".join(name[0] for name in names)
        found = self._by_names([acronym], year) if len(acronym) > 1 else []
        return [entry.id for entry in found]

    def _by_names(self, names: Sequence[str], year: str) -> list[ReferenceEntry]:
        found = [e for e in self._by_author.get(_key(names[0]), ()) if _has_year(e, year)]
        if len(found) > 1:
            others = [name for name in names[1:] if len(name) > 1]
            closer = [entry for entry in found if _has_authors(entry, others)]
            found = closer or found
        suffix = year[4:] if year[:4].isdigit() else ""
        return _with_suffix(found, suffix) if len(found) > 1 and suffix else found


def _key(name: str) -> str:
    """Return a name without accents, case and punctuation."""
    flat = unicodedata.normalize("NFKD", name).casefold()
    flat = re.sub(r"[\u2019']s$", "", flat)
    return "".join(char for char in flat if char.isalnum())


def _author_keys(entry: ReferenceEntry) -> Iterator[str]:
    """Yield the names by which a work is cited: of its first author, or of its title."""
    if not entry.authors:
        words = _WORD.findall(entry.title or entry.text[:80])
        yield from (_key(word) for word in words[:1])
        return
    name = split_name(entry.authors[0])
    words = [word for word in _WORD.findall(name.family) if word.lower() not in _SKIPPED]
    yield _key(name.family)
    yield from (_key(word) for word in words)
    if not name.given and len(words) > 1:  # an organisation: World Health Organization, WHO
        yield _key("".join(word[0] for word in words if word[0].isupper()))
    if bracketed := re.search(r"[(\[]([A-Z]{2,10})[)\]]", entry.text[:200]):
        yield _key(bracketed[1])


def _has_year(entry: ReferenceEntry, year: str) -> bool:
    if not year[:4].isdigit():
        return entry.year is None or not entry.year[:4].isdigit()
    return entry.year == year[:4] or year in entry.text


def _has_authors(entry: ReferenceEntry, names: Sequence[str]) -> bool:
    """Tell whether the authors after the first are those named; none named: a single author."""
    if not names:
        return len(entry.authors) == 1 and not entry.authors_cut
    keys = {_key(split_name(author).family) for author in entry.authors[1:]}
    text = _key(entry.text)
    return all(_key(name) in keys or (entry.authors_cut and _key(name) in text) for name in names)


def _with_suffix(entries: Sequence[ReferenceEntry], suffix: str) -> list[ReferenceEntry]:
    """Return the work of 2019b: written so in the list, or the second one of 2019."""
    written = [
        entry for entry in entries if any(m[2] == suffix for m in _YEAR.finditer(entry.text))
    ]
    number = ord(suffix) - ord("a")
    return written[:1] or list(entries[number : number + 1]) or list(entries)


def _shares_title(entry: ReferenceEntry, words: set[str]) -> bool:
    long_words = {
        _key(word) for word in _WORD.findall(entry.title or "") if len(word) >= _LONG_WORD
    }
    shared = long_words & words
    return len(shared) >= min(_MIN_TITLE_WORDS, max(1, len(long_words)))


def _is_short_form(entry: ReferenceEntry, words: set[str]) -> bool:
    """Tell whether a note in a short form names this work: its author, and words of its title."""
    is_author = any(key in words for key in _author_keys(entry))
    return entry.kind != "note" and is_author and _shares_title(entry, words)


def _by_report(entries: Sequence[ReferenceEntry]) -> dict[str, ReferenceEntry]:
    """Return the cases by their report, in full and without the page: 347 U.S. at 495."""
    found: dict[str, ReferenceEntry] = {}
    for case in (entry for entry in entries if entry.id.startswith("case-")):
        found[case.label] = case
        found.setdefault(case.label.rpartition(" ")[0], case)
    return found


def _by_url(entries: Sequence[ReferenceEntry]) -> dict[str, ReferenceEntry]:
    found: dict[str, ReferenceEntry] = {}
    for entry in entries:
        for url in (entry.url, f"https://doi.org/{entry.doi}" if entry.doi else None):
            if url:
                found.setdefault(_url_key(url), entry)
    return found


def _url_key(url: str) -> str:
    bare = re.sub(r"^https?://(?:www\.|dx\.)?", "", url.strip().lower())
    return bare.partition("#")[0].rstrip("/.,;")
