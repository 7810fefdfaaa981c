"""`webquarry shot`: pictures of pages, and what differs between two."""

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.typing_in import Typist
from tests.crawl.site import Reply, running_site
from tests.reading.chromium import needs_chromium

PAGE = b"""<!doctype html><meta name=viewport content="width=device-width">
<title>Owls</title><body style="margin:0;background:#fff">
<style>@media (prefers-color-scheme: dark) { body { background: #000 !important } }</style>
<div id=chart style="width:300px;height:120px;background:#f00"></div>
<button onclick="chart.style.background='#00f'">Change</button>
<div style="height:3000px"></div>"""


def site(path: str, headers: dict[str, str]) -> Reply:
    return Reply(PAGE) if path == "/" else Reply(status=404)


def write_image(path: Path, colour: str, size: tuple[int, int] = (20, 10)) -> str:
    Image.new("RGB", size, colour).save(path)
    return str(path)


def opened(path: Path) -> Image.Image:
    return Image.open(io.BytesIO(path.read_bytes())).convert("RGB")


@needs_chromium
def test_the_window_the_entire_page_and_an_element_are_taken(
    typist: Typist, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"ALLOW_PRIVATE_IPS": "on", "CHROME_PATH": "chromium"}.items():
        monkeypatch.setenv(name, value)
    (home / "steps.json").write_text('[{"do": "click", "text": "Change"}]')
    with running_site(site) as running:
        url = f"{running.url}/"
        window = typist.type("shot", url, "-o", "window.png")
        typist.type("shot", url, "--full", "--device", "phone", "--dark", "-o", "full.webp")
        chart = typist.type(
            "shot", url, "--element", "#chart", "--steps", "steps.json", "-o", "c.png", "--json"
        )
        missing = typist.type("shot", url, "--element", "#none", "-o", "none.png")
        differs = typist.type("shot", "--diff", "window.png", url, "-o", "diff.png")

    assert window.out == "Wrote window.png: 1366 by 768 pixels.\n"
    full = opened(home / "full.webp")
    assert full.width > 1000  # the pixels of a phone
    assert full.height > 3 * full.width
    assert full.getpixel((500, 5000)) == (0, 0, 0)
    assert json.loads(chart.out) | {"bytes": 0} == {
        "file": "c.png", "width": 300, "height": 120, "bytes": 0, "truncated": False
    }  # fmt: skip
    assert opened(home / "c.png").getpixel((150, 60)) == (0, 0, 255)
    assert (missing.status, "'#none'" in missing.err) == (1, True)
    assert not (home / "none.png").exists()
    assert (differs.status, differs.out) == (0, "The images show the same.\n")


def test_two_images_are_compared(typist: Typist, home: Path) -> None:
    before = write_image(home / "before.png", "white")
    image = Image.new("RGB", (20, 10), "white")
    image.paste((0, 0, 0), (5, 2, 9, 4))
    image.save(home / "after.png")

    done = typist.type("shot", "--diff", before, "after.png", "-o", "diff.png", "--json")

    assert done.status == 1
    assert json.loads(done.out) == {
        "changed": 8, "percent": 4.0, "area": [5, 2, 9, 4], "sizes": [[20, 10], [20, 10]],
        "file": "diff.png",
    }  # fmt: skip
    changes = opened(home / "diff.png")
    assert (changes.getpixel((6, 3)), changes.getpixel((0, 0))) == ((220, 0, 0), (255, 255, 255))


def test_what_only_the_larger_image_has_counts_as_changed(typist: Typist, home: Path) -> None:
    small = write_image(home / "small.png", "white")
    large = write_image(home / "large.png", "white", (20, 20))

    done = typist.type("shot", "--diff", small, large)

    assert (done.status, done.out) == (
        1, "50.00 % of the pixels differ, between (0, 10) and (20, 20).\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("a.test", "b.test"), "give one URL, or --diff and two images"),
        (("a.test", "-o", "page.jpg"), "page.jpg is neither a .png nor a .webp file"),
        (("a.test", "-o", "none/page.png"), "there is no folder none"),
        (("a.test", "--full", "--element", "h1"), "use --full or --element, not both"),
        (("--diff", "a.png"), "--diff needs two images or pages"),
        (("--diff", "a.png", "b.png"), "there is no file a.png; a page starts with https://"),
        (("--diff", "text.txt", "text.txt"), "text.txt is not an image that can be compared"),
        (("a.test", "--steps", "none.json"), "none.json"),
        (("a.test", "--steps", "text.txt"), "text.txt is not JSON"),
        (("a.test", "--steps", "steps.json"), "click needs selector, role, label or text"),
    ],
)
def test_wrong_options_are_one_sentence(
    typist: Typist, home: Path, words: tuple[str, ...], sentence: str
) -> None:
    (home / "text.txt").write_text("owls")
    (home / "steps.json").write_text('[{"do": "click"}]')

    done = typist.type("shot", *words)

    assert done.status in {1, 2}
    assert sentence in " ".join(done.err.split())
    assert "Traceback" not in done.err
