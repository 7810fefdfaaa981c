"""Subtitles."""

import pytest

from tests.reading.documents.reading import read
from webquarry.models.document_content import Document
from webquarry.reading.documents.draft import UnreadableDocument

VTT = b"""WEBVTT - Owls

STYLE
::cue { color: red }

NOTE a remark

1
00:00:01.000 --> 00:00:02.000 align:start
Owls <i>hunt</i>

00:00:02.500 --> 00:00:04.000
Owls hunt
at night

00:10.000 --> 00:12.000
<v Ada>They hear <00:11.000>well.</v>
"""


def test_what_is_said_is_joined_to_paragraphs_with_their_time() -> None:
    assert read(VTT, "text/vtt") == Document(
        kind="subtitles",
        markdown="[00:00:01] Owls hunt at night\n\n[00:00:10] Ada: They hear well.",
        word_count=10,
    )


def test_subrip_is_read_too() -> None:
    source = (
        b"1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}One\r\n\r\n"
        b"2\r\n01:00:03,000 --> 01:00:05,000\r\nTwo\r\n"
    )

    found = read(source, "text/plain", url="https://x.org/a.srt")

    assert found.markdown == "[00:00:01] One\n\n[01:00:03] Two"


def test_a_long_speech_has_a_paragraph_for_each_minute() -> None:
    cues = "\n\n".join(
        f"00:{n // 60:02}:{n % 60:02}.000 --> 00:{n // 60:02}:{n % 60:02}.900\nword {n}"
        for n in range(150)
    )

    found = read(f"WEBVTT\n\n{cues}\n".encode(), "text/vtt")

    assert [line[:10] for line in found.markdown.split("\n\n")] == [
        "[00:00:00]",
        "[00:01:01]",
        "[00:02:02]",
    ]


@pytest.mark.parametrize("source", [b"WEBVTT\n", b"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n\n"])
def test_a_file_without_subtitles_is_refused(source: bytes) -> None:
    with pytest.raises(UnreadableDocument, match="has no subtitles"):
        read(source, "text/vtt")
