"""Writes docs/images/demo.svg: three scenes of a real run of `webquarry demo`."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "images" / "demo.svg"
WIDTH = 100
SCENES = ("3", "7", "9")
_TIME = re.compile(r" · \d+\.\d s")
# no fonts from a server: readers' browsers have a monospaced one
FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: system-ui, sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def main() -> None:
    """Run the demo and write the picture."""
    # our own program
    run = subprocess.run(  # noqa: S603
        [str(Path(sys.executable).with_name("webquarry")), "demo"],
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)},
        capture_output=True,
        text=True,
        check=True,
    )
    scenes = run.stdout.split("\n\n")
    chosen = [scene for scene in scenes if _number(scene) in SCENES]
    console = Console(width=WIDTH, record=True, file=io.StringIO())
    console.print(Text.from_ansi("\x1b[1m$\x1b[0m make demo\n"))
    for scene in chosen:
        console.print(Text.from_ansi(_TIME.sub("", scene)), end="\n\n")
    svg = console.export_svg(title="make demo", code_format=FORMAT, unique_id="demo")
    TARGET.write_text(svg, encoding="utf-8")
    sys.stdout.write(f"{TARGET.relative_to(ROOT)}: {len(svg):,} bytes\n")


def _number(scene: str) -> str:
    plain = Text.from_ansi(scene).plain.strip()
    return plain.split(maxsplit=1)[0] if plain else ""


if __name__ == "__main__":
    main()
