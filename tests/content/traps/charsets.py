"""Encodings: declared, misdeclared and not declared at all."""

from tests.content.traps.base import SAMPLES, Trap, prose

_GERMAN, _FRENCH = SAMPLES["german"], SAMPLES["french"]
_JAPANESE, _CHINESE, _TAIWAN = SAMPLES["japanese"], SAMPLES["chinese"], SAMPLES["taiwan"]
_KOREAN, _RUSSIAN, _GREEK = SAMPLES["korean"], SAMPLES["russian"], SAMPLES["greek"]


def _page(text: str, declared: str = "") -> str:
    meta = f"<meta charset='{declared}'>" if declared else ""
    head = f"<head>{meta}<title>t</title></head>"
    return f"<html>{head}<body><article><p>{text}</p></article></body></html>"


TRAPS = (
    Trap(
        "windows-1252 named in the header",
        _page(_FRENCH).encode("cp1252"),
        has=(_FRENCH[:9], "œuvre", "5 €"),
        content_type="text/html; charset=windows-1252",
    ),
    Trap(
        "latin-1 that is really windows-1252",
        _page(_FRENCH, "iso-8859-1").encode("cp1252"),
        has=("“où êtes-vous”",),
    ),
    Trap(
        "latin-1 without any declaration",
        _page(_GERMAN * 3).encode("latin-1"),
        has=("Straße über",),
    ),
    Trap(
        "header says latin-1 but the bytes are UTF-8",
        _page(_GERMAN).encode(),
        has=("Straße über den Fluß",),
        content_type="text/html; charset=iso-8859-1",
    ),
    Trap(
        "shift_jis in the meta",
        _page(_JAPANESE, "Shift_JIS").encode("cp932"),
        has=("採石場は春に",),
    ),
    Trap("euc-jp in the meta", _page(_JAPANESE, "euc-jp").encode("euc_jp"), has=("採石場は春に",)),
    Trap(
        "iso-2022-jp, which is made of ASCII bytes",
        _page(_JAPANESE, "iso-2022-jp").encode("iso2022_jp"),
        has=("採石場は春に",),
    ),
    Trap("gbk in the meta", _page(_CHINESE, "gbk").encode("gb18030"), has=("采石场在春天关闭",)),
    Trap(
        "gb2312 in the header",
        _page(_CHINESE).encode("gb18030"),
        has=("采石场在春天",),
        content_type="text/html;charset=gb2312",
    ),
    Trap("big5 in the meta", _page(_TAIWAN, "big5").encode("big5"), has=("採石場在春天關閉",)),
    Trap("euc-kr in the meta", _page(_KOREAN, "euc-kr").encode("cp949"), has=("채석장은 봄에",)),
    Trap("koi8-r in the meta", _page(_RUSSIAN, "koi8-r").encode("koi8_r"), has=("Старый карьер",)),
    Trap(
        "windows-1251 without any declaration",
        _page(_RUSSIAN).encode("cp1251"),
        has=("Старый карьер",),
    ),
    Trap(
        "iso-8859-7 in the meta",
        _page(_GREEK, "iso-8859-7").encode("iso8859_7"),
        has=(_GREEK[:17],),
    ),
    Trap(
        "UTF-8 with a byte order mark",
        b"\xef\xbb\xbf" + _page(_GERMAN).encode(),
        has=("Straße",),
        lacks=("\ufeff",),
    ),
    Trap("UTF-16 with a byte order mark", _page(_GERMAN).encode("utf-16"), has=("Straße",)),
    Trap("UTF-16 without a mark", _page(_GERMAN).encode("utf-16-le"), has=("Straße",)),
    Trap(
        "a few broken bytes in UTF-8",
        _page(_RUSSIAN).encode() + b"<p>caf\xe9</p>",
        has=("Старый карьер",),
    ),
    Trap("an unknown charset label", _page(_GERMAN, "x-made-up").encode(), has=("Straße",)),
    Trap(
        "a charset that would run a codec of another kind",
        _page("plain " * 30, "zlib").encode() + b"\xff",
        has=("plain plain",),
    ),
    Trap(
        "XML declaration",
        ("<?xml version='1.0' encoding='windows-1251'?>" + _page(_RUSSIAN)).encode("cp1251"),
        has=("Старый",),
    ),
    Trap(
        "null bytes in the page",
        f"<body>{prose(3)}\x00<p>after the null byte</p></body>".encode(),
        has=("after the null byte",),
    ),
)
