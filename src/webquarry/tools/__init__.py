"""The tools. To add one: write its file, add it to `TOOLS`."""

from webquarry.tools.base import AnyTool
from webquarry.tools.echo import echo

TOOLS: tuple[AnyTool, ...] = (echo,)
