"""Which images text recognition reads."""

_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n"), (0, b"\xff\xd8\xff"), (0, b"GIF87a"), (0, b"GIF89a"),
    (8, b"WEBPVP8"), (0, b"II*\0"), (0, b"MM\0*"),
)  # fmt: skip
_BMP, _BMP_HEADERS = b"BM", (12, 40, 52, 56, 64, 108, 124)  # sizes of the second header


def is_readable_image(data: bytes) -> bool:
    """Return whether the first bytes are those of PNG, JPEG, GIF, WebP, TIFF or BMP."""
    if data.startswith(_BMP):
        return int.from_bytes(data[14:18], "little") in _BMP_HEADERS
    return any(data.startswith(magic, offset) for offset, magic in _SIGNATURES)
