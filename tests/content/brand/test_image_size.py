"""Sizes of images, from their first bytes."""

import io

import pytest
from PIL import Image

from webquarry.content.brand.image_size import ImageSize, image_size_of


@pytest.mark.parametrize("kind", ["png", "gif", "jpeg", "webp"])
def test_a_real_image_is_measured(kind: str) -> None:
    packed = io.BytesIO()
    Image.new("RGB", (123, 45), "red").save(packed, kind)

    assert image_size_of(packed.getvalue()) == ImageSize(kind, 123, 45)


def test_lossless_and_extended_webp_are_measured() -> None:
    lossless, extended = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (123, 45), "red").save(lossless, "webp", lossless=True)
    frames = [Image.new("RGBA", (123, 45), colour) for colour in ("red", "blue")]
    frames[0].save(extended, "webp", save_all=True, append_images=frames[1:])

    assert image_size_of(lossless.getvalue()) == ImageSize("webp", 123, 45)
    assert image_size_of(extended.getvalue()) == ImageSize("webp", 123, 45)


def test_the_largest_of_an_icon_s_images_counts() -> None:
    packed = io.BytesIO()
    Image.new("RGBA", (64, 64)).save(packed, "ico", sizes=[(16, 16), (64, 64)])

    assert image_size_of(packed.getvalue()) == ImageSize("ico", 64, 64)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<svg width="80" height="20.4px">', ImageSize("svg", 80, 20)),
        ('<?xml version="1.0"?><svg viewBox="0 0 32 16">', ImageSize("svg", 32, 16)),
        ('<svg width="100%" viewBox="0,0,32,16">', ImageSize("svg", 32, 16)),
        ("<svg>", ImageSize("svg")),
    ],
)
def test_an_svg_has_its_declared_size(source: str, expected: ImageSize) -> None:
    assert image_size_of(source.encode()) == expected


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", b"<html><body><svg></svg>", b"\x89PNG\r\n\x1a\n", b"not found"]
)
def test_other_bytes_are_no_image(content: bytes) -> None:
    assert image_size_of(content) is None
