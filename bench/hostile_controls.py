"""Controls of hostile pages: what happens when a caller clicks them in a browser session."""

from types import MappingProxyType

# what the only control of a page does; {0} is a URL inside, {1} the same for a WebSocket
CONTROLS = MappingProxyType(
    {
        "link": "<a href='{0}'>Go</a>",
        "download": "<a href='{0}' download=x.pdf>Go</a>",
        "new-window": "<a href='{0}' target=_blank>Go</a>",
        "redirect": "<a href='/moved'>Go</a>",
        "get-form": "<form action='{0}'><button>Go</button></form>",
        "post-form": "<form action='{0}' method=post><button>Go</button></form>",
        "window-open": "<button onclick=\"window.open('{0}')\">Go</button>",
        "location": "<button onclick=\"location = '{0}'\">Go</button>",
        "fetch": "<button onclick=\"fetch('{0}', {{mode: 'no-cors'}})\">Go</button>",
        "beacon": "<button onclick=\"navigator.sendBeacon('{0}', 'x')\">Go</button>",
        "websocket": "<button onclick=\"new WebSocket('{1}')\">Go</button>",
        "worker": "<button onclick=\"new Worker('/worker.js')\">Go</button>",
        "service-worker": '<button onclick="navigator.serviceWorker'
        ".register('/worker.js')\">Go</button>",
        "frame": '<button onclick="document.body.innerHTML = '
        "`<iframe src='{0}'></iframe>`\">Go</button>",
        "refresh": '<button onclick="document.head.innerHTML = '
        "`<meta http-equiv=refresh content='0;url={0}'>`\">Go</button>",
        "dialog": "<button onclick=\"confirm('?') || (location = '{0}')\">Go</button>",
    }
)
