"""Messages, made here: MIME by the standard library, Outlook files stream by stream."""

import struct
from email.message import EmailMessage

UNICODE, BINARY, OBJECT = 0x1F, 0x102, 0x0D
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT_SECTOR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def mime(**attachments: bytes) -> bytes:
    """Return a message with text, HTML and attachments; `a_txt` is the file a.txt."""
    message = EmailMessage()
    message["Subject"] = "Owls: a r\u00e9sum\u00e9"
    message["From"] = "Ada Strix <ada@example.org>"
    message["To"] = "Bubo <bubo@example.org>"
    message["Date"] = "Wed, 18 Nov 2026 10:30:00 +0000"
    message["Message-ID"] = "<1@example.org>"
    message.set_content("Owls hunt at night.\n\nThey hear well.\n")
    message.add_alternative("<p>Owls hunt <b>at night</b>.</p>", subtype="html")
    for name, data in attachments.items():
        message.add_attachment(
            data,
            maintype="application",
            subtype="octet-stream",
            filename=name.replace("_", "."),
        )
    return bytes(message)


def outlook(**attachments: bytes) -> bytes:
    """Return an Outlook message as an OLE compound file."""
    headers = "From: Ada Strix <ada@example.org>\r\n\r\n"
    texts = {0x0037: "Owls", 0x007D: headers, 0x1000: "Owls hunt at night."}
    streams = {
        f"__substg1.0_{tag:04X}001F": value.encode("utf-16-le") for tag, value in texts.items()
    }
    header = struct.pack("<8xIIII8x", 0, len(attachments), 0, len(attachments))
    folder = {"__properties_version1.0": header + _entries(texts), **streams}
    tree: dict[str, bytes | dict[str, bytes]] = {**folder}
    for number, (name, data) in enumerate(attachments.items()):
        tree[f"__attach_version1.0_#{number:08X}"] = {
            "__properties_version1.0": bytes(8)
            + _fixed(0x3705, 0x03, 1)
            + _entries({0x3707: ""})
            + struct.pack("<HHII4x", BINARY, 0x3701, 6, len(data)),
            "__substg1.0_3707001F": name.replace("_", ".").encode("utf-16-le"),
            "__substg1.0_37010102": data,
        }
    return compound_file(tree)


def _entries(texts: dict[int, str]) -> bytes:
    return b"".join(
        struct.pack("<HHII4x", UNICODE, tag, 6, 2 * len(text) + 2) for tag, text in texts.items()
    )


def _fixed(tag: int, kind: int, value: int) -> bytes:
    return struct.pack("<HHIq", kind, tag, 6, value)


def compound_file(tree: dict[str, bytes | dict[str, bytes]]) -> bytes:
    """Return an OLE compound file whose streams are all padded above the limit of small ones."""
    entries: list[tuple[str, int, int, bytes]] = []  # name, kind, parent, data
    for name, value in tree.items():
        if isinstance(value, bytes):
            entries.append((name, 2, 0, value))
            continue
        entries.append((name, 1, 0, b""))
        folder = len(entries)
        entries += [(inner, 2, folder, data) for inner, data in value.items()]
    return _written(entries)


def _written(entries: list[tuple[str, int, int, bytes]]) -> bytes:
    sectors: list[bytes] = []
    fat: list[int] = []

    def add(data: bytes) -> int:
        first = len(sectors)
        count = -(-len(data) // _SECTOR)
        sectors.extend(
            data[at * _SECTOR : (at + 1) * _SECTOR].ljust(_SECTOR, b"\0") for at in range(count)
        )
        fat.extend([*range(first + 1, first + count), _END] if count else [])
        return first if count else _END

    mini = bytearray()
    mini_fat: list[int] = []
    places: list[tuple[int, int]] = []
    for _, kind, _, data in entries:
        if kind == 2 and len(data) >= _CUTOFF:
            places.append((add(data), len(data)))
        elif kind == 2 and data:
            first, count = len(mini) // _MINI, -(-len(data) // _MINI)
            mini += data.ljust(count * _MINI, b"\0")
            mini_fat.extend([*range(first + 1, first + count), _END])
            places.append((first, len(data)))
        else:
            places.append((_END if kind == 2 else 0, 0))
    mini_start = add(bytes(mini))
    mini_fat_start = add(struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(_SECTOR, b"\xff"))
    directory = [_entry("Root Entry", 5, _chain(entries, 0), _FREE, (mini_start, len(mini)))]
    for number, (name, kind, parent, _) in enumerate(entries, 1):
        child = _chain(entries, number) if kind == 1 else _FREE
        directory.append(
            _entry(name, kind, child, _next(entries, number, parent), places[number - 1])
        )
    directory_start = add(b"".join(directory))
    fat_start = len(sectors)
    fat.append(_FAT_SECTOR)
    sectors.append(struct.pack("<128I", *fat, *[_FREE] * (128 - len(fat))))
    head = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, directory_start, 0,
        _CUTOFF, mini_fat_start, 1, _END, 0, fat_start,
    )  # fmt: skip
    return head.ljust(_SECTOR, b"\xff") + b"".join(sectors)


def _chain(entries: list[tuple[str, int, int, bytes]], parent: int) -> int:
    return next((n for n, entry in enumerate(entries, 1) if entry[2] == parent), _FREE)


def _next(entries: list[tuple[str, int, int, bytes]], number: int, parent: int) -> int:
    later = (n for n, entry in enumerate(entries, 1) if n > number and entry[2] == parent)
    return next(later, _FREE)


def _entry(name: str, kind: int, child: int, right: int, place: tuple[int, int]) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    return struct.pack(
        "<64sHBBIII16xI8x8xIQ", raw, len(raw), kind, 1, _FREE, right, child, 0, *place
    )
