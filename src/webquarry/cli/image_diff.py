"""Compares two images of a page."""

import io
from dataclasses import dataclass

from PIL import Image, ImageChops, UnidentifiedImageError

from webquarry.errors import BadInputError

_TOLERANCE = 16  # of 255: text is drawn a little differently each time
_FADED = 0.75  # how much of the picture becomes white, so that changes stand out
_RED = (220, 0, 0)


@dataclass(frozen=True)
class ImageDiff:
    """What differs between two images, and an image that shows it."""

    changed: int  # pixels
    total: int
    area: tuple[int, int, int, int] | None  # left, top, right, bottom; None: nothing differs
    sizes: tuple[tuple[int, int], tuple[int, int]]
    picture: bytes  # PNG: the second image, faded, with the changes in red

    @property
    def percent(self) -> float:
        """How much of the larger image differs."""
        return 100 * self.changed / self.total


def compare_images(before: bytes, after: bytes, names: tuple[str, str]) -> ImageDiff:
    """Return what differs; what only one of two sizes has counts as changed."""
    first, second = _open(before, names[0]), _open(after, names[1])
    size = (max(first.width, second.width), max(first.height, second.height))
    difference = ImageChops.difference(_on_canvas(first, size), _on_canvas(second, size))
    bands = [band.point(_over_tolerance) for band in difference.split()]
    mask = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    for image in (first, second):
        mask = ImageChops.lighter(mask, _missing_area(image.size, size))
    white = Image.new("RGB", size, (255, 255, 255))
    picture = Image.blend(_on_canvas(second, size), white, _FADED)
    picture.paste(_RED, mask=mask)
    target = io.BytesIO()
    picture.save(target, "png")
    return ImageDiff(
        changed=mask.histogram()[255],
        total=size[0] * size[1],
        area=mask.getbbox(),
        sizes=(first.size, second.size),
        picture=target.getvalue(),
    )


def _open(content: bytes, name: str) -> Image.Image:
    try:
        return Image.open(io.BytesIO(content)).convert("RGB")
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise BadInputError(f"{name} is not an image that can be compared: {error}") from error


def _over_tolerance(value: int) -> int:
    return 255 if value > _TOLERANCE else 0


def _on_canvas(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    canvas = Image.new("RGB", size, (255, 255, 255))
    canvas.paste(image, (0, 0))
    return canvas


def _missing_area(own: tuple[int, int], size: tuple[int, int]) -> Image.Image:
    """Return a mask of what an image of a smaller size does not have."""
    mask = Image.new("L", size, 255)
    mask.paste(0, (0, 0, *own))
    return mask
