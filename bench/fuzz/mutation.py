"""Changes inputs at random, reproducibly."""

import io
import zipfile
import zlib
from random import Random

_TOKENS = (
    b"<", b">", b"</", b"<!--", b"-->", b"/*", b"*/", b"{", b"}", b"[", b"]", b"(", b")", b'"',
    b"'", b"\\", b"`", b"*", b"_", b"#", b"|", b"&", b";", b":", b",", b".", b"=", b"@", b"%",
    b"\n", b"\r\n", b" ", b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\x8b",
    b"\xed\xa0\x80", b"0", b"-1", b"1e999", b"99999999999999999999", b"null", b"true", b"and ",
    b"10.1000/", b"http://[", b"data:", b"<table><tr><td colspan=99999 rowspan=99999>", b"<div>",
    b"<p style='", b"@type", b"</script>",
)  # fmt: skip
MAX_SIZE = 64 * 2**10


def mutated(data: bytes, random: Random, others: "list[bytes]") -> bytes:
    """Return an input with one to five changes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        random.choice(_CHANGES)(changed, random, others)
        del changed[MAX_SIZE:]
    return bytes(changed)


def mutated_document(data: bytes, random: Random, others: "list[bytes]") -> bytes:
    """Return a changed document; of a zip container, often one of its parts is changed."""
    if not zipfile.is_zipfile(io.BytesIO(data)) or random.random() < 0.3:
        return mutated(data, random, others)
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as archive:
        names = source.namelist()
        chosen = random.choice(names)
        for name in names:
            try:
                content = source.read(name)
            except (zipfile.BadZipFile, zlib.error, NotImplementedError):
                continue  # a seed may be damaged
            if name == chosen:
                content = mutated(content, random, [content])
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            # without the time: the same input in each run
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return target.getvalue()


def _position(data: bytearray, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _insert(data: bytearray, random: Random, others: "list[bytes]") -> None:
    at = _position(data, random)
    data[at:at] = random.choice(_TOKENS)


def _repeat_token(data: bytearray, random: Random, others: "list[bytes]") -> None:
    at = _position(data, random)
    data[at:at] = random.choice(_TOKENS) * random.choice((2, 10, 100, 1000, 5000))


def _repeat_part(data: bytearray, random: Random, others: "list[bytes]") -> None:
    start = _position(data, random)
    part = data[start : start + random.choice((1, 2, 4, 8, 16, 64))]
    data[start:start] = part * random.choice((2, 10, 100, 1000))


def _delete(data: bytearray, random: Random, others: "list[bytes]") -> None:
    start = _position(data, random)
    del data[start : start + random.choice((1, 2, 8, 64, 512))]


def _flip(data: bytearray, random: Random, others: "list[bytes]") -> None:
    if data:
        data[random.randrange(len(data))] = random.randrange(256)


def _splice(data: bytearray, random: Random, others: "list[bytes]") -> None:
    other = random.choice(others)
    start = random.randrange(len(other) + 1)
    data[_position(data, random) :] = other[start:]


def _cut(data: bytearray, random: Random, others: "list[bytes]") -> None:
    del data[_position(data, random) :]


_CHANGES = (_insert, _insert, _repeat_token, _repeat_part, _delete, _flip, _splice, _cut)
