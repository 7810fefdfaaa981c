"""Hostile pages for steps: what happens when a caller runs each kind of step on them."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bench.hostile_controls import CONTROLS
from webquarry.models.page_steps import PageStep, StepKind

_BANNER = (
    "<div role=dialog style='position:fixed;bottom:0'><p>We use cookies.</p>"
    "<button onclick=\"location = '{0}'\">Accept all</button>{1}</div>"
)
_LONG = "<p style='height:4000px'>Owls.</p>"
# they load the URL only when the browser shows images, as it does for a picture
_SHOWN = (
    "<img src='{0}'><div style=\"background:url('{0}');width:9px;height:9px\">x</div>"
    "<style>@font-face{{font-family:f;src:url('{0}')}}p{{font-family:f}}</style><p>Owls.</p>"
    "<iframe src='{0}'></iframe><svg><image href='{0}' /></svg>"
)


@dataclass(frozen=True)
class HostilePage:
    """A page and its steps; {0} is a URL inside, {1} the same for a WebSocket."""

    html: str
    steps: tuple[PageStep, ...]

    @property
    def kinds(self) -> set[StepKind]:
        """The kinds of its steps."""
        return {step.do for step in self.steps}


def _page(html: str, *steps: dict[str, Any]) -> HostilePage:
    return HostilePage(html, tuple(map(PageStep.model_validate, steps)))


HOSTILE_PAGES = MappingProxyType(
    {
        **{
            f"click-{name}": _page(html, {"do": "click", "text": "Go"})
            for name, html in CONTROLS.items()
        },
        "fill": _page(
            "<input aria-label=Go oninput=\"fetch('{0}', {{mode: 'no-cors'}})\">",
            {"do": "fill", "label": "Go", "value": "x"},
        ),
        "type": _page(
            "<input aria-label=Go oninput=\"location = '{0}'\">",
            {"do": "type", "label": "Go", "value": "x"},
        ),
        "press": _page(
            "<form action='{0}' method=post><input name=q aria-label=Go></form>",
            {"do": "fill", "label": "Go", "value": "x"},
            {"do": "press", "value": "Enter"},
        ),
        "select": _page(
            "<select aria-label=Go onchange=\"location = '{0}'\"><option>A<option>B</select>",
            {"do": "select", "label": "Go", "value": "B"},
        ),
        "scroll": _page(
            f"<body onscroll=\"location = '{{0}}'\">{_LONG}", {"do": "scroll", "value": "bottom"}
        ),
        "scroll-auto": _page(
            "<p>Owls.</p><button onclick=\"open('{0}'); location = '{0}'\">Load more</button>",
            {"do": "scroll", "value": "auto"},
        ),
        "wait": _page(
            "<p>Owls.</p><script>setTimeout(() => new WebSocket('{1}'), 300);"
            "setTimeout(() => location = '{0}', 600)</script>",
            {"do": "wait", "value": "1500"},
        ),
        "accept": _page(_BANNER.format("{0}", ""), {"do": "accept_cookies"}),
        "reject": _page(
            _BANNER.format("{0}", "<button onclick=\"location = '{0}'\">Reject all</button>"),
            {"do": "reject_cookies"},
        ),
        "extract": _page(_SHOWN, {"do": "extract"}, {"do": "extract", "value": "html"}),
        "screenshot": _page(
            _SHOWN, {"do": "screenshot"}, {"do": "screenshot", "fullPage": True}
        ),
        "pdf": _page(_SHOWN, {"do": "pdf"}),
        "javascript": _page(
            "<p>Owls.</p>",
            {"do": "javascript", "value": "open('{0}'); fetch('{0}', {{mode: 'no-cors'}}); 1"},
            {"do": "javascript", "value": "location = '{0}'; 1"},
        ),
    }
)  # fmt: skip


def hostile_page(name: str, target: str) -> HostilePage:
    """Return a page, and its steps, for one URL inside."""
    page, socket = HOSTILE_PAGES[name], target.replace("http", "ws", 1)
    steps = tuple(
        step.model_copy(update={"value": step.value.format(target, socket)})
        if step.do == "javascript" and step.value
        else step
        for step in page.steps
    )
    html = f"<title>steps</title><body>{page.html.format(target, socket)}"
    return HostilePage(html, steps)
