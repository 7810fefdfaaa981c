"""`webquarry shot`: takes a screenshot of a page, or compares two."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from webquarry.cli.options import AsJson, Verbose, single_command, verbosity
from webquarry.cli.step_file import StepsOption, read_steps
from webquarry.cli.tool_calls import run_in_library
from webquarry.library.bare_urls import with_scheme
from webquarry.models.page_formats import Device, ImageType
from webquarry.models.page_steps import PageStep, StepTarget

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.reading.browser.screenshots import Screenshot

EXIT_DIFFERENT = 1
_IMAGE_TYPES: dict[str, ImageType] = {".png": "png", ".webp": "webp"}
_EXAMPLES = (
    "webquarry shot example.com -o page.png",
    "webquarry shot example.com --full --device phone --dark -o page.webp",
    "webquarry shot example.com --element '#chart' -o chart.png",
    "webquarry shot --diff before.png after.png -o changes.png",
    "webquarry shot --diff before.png https://example.com",
)


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(shot, _EXAMPLES)


_Sources = Annotated[
    list[str], typer.Argument(metavar="URL", help="A page; with --diff, two images or pages.")
]
_Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="A .png or .webp file to write."),
]
_Full = Annotated[bool, typer.Option("--full", help="Capture the entire page.")]
_Element = Annotated[
    str, typer.Option(metavar="CSS", help="Capture only the element with this selector.")
]
_Device = Annotated[
    Literal["desktop", "wide", "tablet", "phone"], typer.Option(help="Size of the window.")
]
_Dark = Annotated[bool, typer.Option("--dark", help="Use the dark colour scheme.")]
_Diff = Annotated[
    bool, typer.Option("--diff", help="Compare two images and mark the changes in red.")
]


# each parameter is an option of the command
def shot(  # noqa: PLR0913
    ctx: typer.Context,
    sources: _Sources,
    *,
    output: _Output = None,
    full: _Full = False,
    element: _Element = "",
    device: _Device = "desktop",
    dark: _Dark = False,
    steps: StepsOption = None,
    diff: _Diff = False,
    as_json: AsJson = False,
    verbose: Verbose = 0,
) -> None:
    """Take a screenshot of a page, or compare two images.

    Exit codes with --diff: 0 the images show the same, 1 they differ.
    """
    shots = _Shots(
        full=full,
        element=element,
        device=device,
        dark=dark,
        steps=read_steps(steps),
        verbose=verbosity(ctx, verbose),
    )
    if diff:
        _compare(sources, output, shots, as_json=as_json)
    elif len(sources) == 1:
        _take(with_scheme(sources[0]), output, shots, as_json=as_json)
    else:
        raise typer.BadParameter("give one URL, or --diff and two images")


def _take(url: str, output: Path | None, shots: "_Shots", *, as_json: bool) -> None:
    target = _writable(output or Path(f"{_host(url)}.png"))
    image = shots.take(url, _image_type(target))
    target.write_bytes(image.content)
    facts = {
        "file": str(target),
        "width": image.width,
        "height": image.height,
        "bytes": len(image.content),
        "truncated": image.truncated,
    }
    cut = ". The page is longer than the image" if image.truncated else ""
    text = f"Wrote {target}: {image.width} by {image.height} pixels{cut}."
    typer.echo(json.dumps(facts) if as_json else text)


class _Shots:
    """Takes screenshots as the options say."""

    def __init__(
        self,
        *,
        full: bool,
        element: str,
        device: Device,
        dark: bool,
        steps: tuple[PageStep, ...],
        verbose: int,
    ) -> None:
        if full and element:
            raise typer.BadParameter("use --full or --element, not both")
        self._full = full
        self._element = StepTarget(selector=element) if element else None
        self._device: Device = device
        self._dark = dark
        self._steps = steps
        self._verbose = verbose

    def take(self, url: str, image_type: ImageType) -> "Screenshot":
        from webquarry.reading.browser.screenshots import ScreenshotOptions

        options = ScreenshotOptions(
            full_page=self._full, image_type=image_type, element=self._element
        )

        async def work(library: "LibrarySession") -> "Screenshot":
            app = library.app
            return await app.services.screenshots.take(
                url,
                options,
                device=self._device,
                dark=self._dark,
                steps=self._steps,
                access=await app.services.signed_in.access(url, app.owner),
            )

        return run_in_library(work, verbose=self._verbose)


def _compare(sources: list[str], output: Path | None, shots: _Shots, *, as_json: bool) -> None:
    from webquarry.cli.image_diff import compare_images

    if len(sources) != 2:
        raise typer.BadParameter("--diff needs two images or pages")
    target = _writable(output) if output else None
    contents = [_content(source, shots) for source in sources]
    found = compare_images(contents[0], contents[1], (sources[0], sources[1]))
    if target:
        target.write_bytes(found.picture)
    facts = {
        "changed": found.changed,
        "percent": round(found.percent, 3),
        "area": found.area,
        "sizes": found.sizes,
        **({"file": str(target)} if target else {}),
    }
    if as_json:
        typer.echo(json.dumps(facts))
    elif found.area is None:
        typer.echo("The images show the same.")
    else:
        left, top, right, bottom = found.area
        where = f"between ({left}, {top}) and ({right}, {bottom})"
        written = f"; see {target}" if target else ""
        typer.echo(f"{found.percent:.2f} % of the pixels differ, {where}{written}.")
    raise typer.Exit(EXIT_DIFFERENT if found.area else 0)


def _content(source: str, shots: _Shots) -> bytes:
    """Return an image: that of a file, or of a page."""
    if source.startswith(("http://", "https://")):
        return shots.take(source, "png").content
    path = Path(source)
    if not path.is_file():
        raise typer.BadParameter(f"there is no file {source}; a page starts with https://")
    return path.read_bytes()


def _writable(path: Path) -> Path:
    """Return a path that can be written; raise before the page is opened."""
    _image_type(path)
    if not path.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}")
    return path


def _image_type(path: Path) -> ImageType:
    kind = _IMAGE_TYPES.get(path.suffix.lower())
    if kind is None:
        raise typer.BadParameter(f"{path} is neither a .png nor a .webp file")
    return kind


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].replace(":", "-") or "page"
