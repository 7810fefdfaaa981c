"""Hostile pages that make a browser send requests to internal addresses in every way a page can."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

# URLs of internal targets; %s identifies the attempt
INTERNAL_TARGETS = (
    "http://127.0.0.1/%s", "http://127.0.0.1:8080/%s", "http://localhost/%s", "http://[::1]/%s",
    "http://169.254.169.254/%s", "http://10.0.0.5/%s", "http://100.64.0.5/%s",
    "http://[fd00::5]/%s", "http://[::ffff:127.0.0.1]/%s", "http://0x7f.1/%s",
    "http://2130706433/%s", "http://priv.test/%s", "http://meta.test/%s", "http://mixed.test/%s",
    "https://127.0.0.1/%s", "https://priv.test/%s", "http://127.0.0.1:6379/%s",
    "http://%s.rebind.test/again", "http://pub.test/redir?to=http://127.0.0.1/%s",
)  # fmt: skip
# elements that fetch without a script
_ELEMENTS = MappingProxyType(
    {
        "img": "<img src={u}>",
        "srcset": "<img srcset='{u} 1x'>",
        "picture": "<picture><source srcset={u}><img src={u}></picture>",
        "script": "<script src={u}></script>",
        "module": "<script type=module src={u}></script>",
        "style": "<link rel=stylesheet href={u}>",
        "import": "<style>@import '{u}';</style>",
        "background": "<div style=\"background:url('{u}')\">x</div>",
        "font": "<style>@font-face{{font-family:f;src:url({u})}}p{{font-family:f}}</style><p>x</p>",
        "iframe": "<iframe src={u}></iframe>",
        "srcdoc": "<iframe srcdoc=\"<img src='{u}'><script src='{u}'></script>\"></iframe>",
        "object": "<object data={u}></object>",
        "embed": "<embed src={u}>",
        "video": "<video src={u} autoplay></video>",
        "poster": "<video poster={u}></video>",
        "audio": "<audio src={u} autoplay></audio>",
        "track": "<video><track default kind=captions src={u}></video>",
        "icon": "<link rel=icon href={u}>",
        "manifest": "<link rel=manifest href={u}>",
        "prefetch": "<link rel=prefetch href={u}>",
        "preload": "<link rel=preload as=script href={u}>",
        "modulepreload": "<link rel=modulepreload href={u}>",
        "prerender": "<link rel=prerender href={u}>",
        "preconnect": "<link rel=preconnect href={u}><link rel=dns-prefetch href={u}>",
        "svg": "<svg><image href={u} /><use href='{u}#a' /></svg>",
        "input": "<input type=image src={u}>",
        "frame": "<iframe src=\"data:text/html,<script src='{u}'></script>\"></iframe>",
        "form": "<form id=f{n} action={u} method=post target=t{n}></form>"
        "<iframe name=t{n}></iframe><script>f{n}.submit()</script>",
        "speculation": '<script type=speculationrules>{{"prefetch":[{{"urls":["{u}"]}}],'
        '"prerender":[{{"urls":["{u}"]}}]}}</script>',
    }
)
# requests made by scripts; each has its own try block, so that an exception stops no other
_CALLS = MappingProxyType(
    {
        "fetch": "fetch(u, {mode: 'no-cors'}).catch(() => 0)",
        "fetch-keepalive": "fetch(u, {method: 'POST', keepalive: true, mode: 'no-cors'})"
        ".catch(() => 0)",
        "xhr": "let x = new XMLHttpRequest(); x.open('GET', u); x.send()",
        "beacon": "navigator.sendBeacon(u, 'x')",
        "eventsource": "new EventSource(u)",
        "websocket": "new WebSocket(u.replace('http', 'ws'))",
        "webtransport": "new WebTransport(u.replace('http:', 'https:'))",
        "worker": "new Worker(URL.createObjectURL(new Blob(["
        "`fetch('${u}', {mode: 'no-cors'}); importScripts('${u}')`])))",
        "sharedworker": "new SharedWorker(URL.createObjectURL(new Blob(["
        "`fetch('${u}', {mode: 'no-cors'})`])))",
        "serviceworker": "navigator.serviceWorker.register('/sw.js?' + encodeURIComponent(u))",
        "dynamic-import": "import(u).catch(() => 0)",
        "worklet": "CSS.paintWorklet.addModule(u)",
        "open": "window.open(u)",
        "ping": "let a = document.createElement('a'); a.href = '#'; a.ping = u;"
        " document.body.append(a); a.click()",
        "image": "new Image().src = u",
        "download": "let d = document.createElement('a'); d.href = u; d.download = 'x';"
        " document.body.append(d); d.click()",
        "frame-location": "let i = document.createElement('iframe'); document.body.append(i);"
        " i.contentWindow.location = u",
    }
)
_SINGLE = MappingProxyType(
    {
        "location": "<p>Owls.</p><script>location.href = '{u}'</script>",
        "refresh": "<meta http-equiv=refresh content='0;url={u}'><p>Owls.</p>",
        "form-top": "<form id=f action={u} method=post></form><script>f.submit()</script>",
    }
)
_RTC = """<script>for (const server of ['127.0.0.1', '10.0.0.5', 'priv.test', 'pub.test']) {
  const c = new RTCPeerConnection({iceServers: [{urls: `stun:${server}:3478`},
    {urls: `turn:${server}:3478?transport=tcp`, username: 'a', credential: 'b'}]});
  c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o));
  c.onicecandidate = e => {
    if (e.candidate && e.candidate.candidate)
      document.body.append('ICE:' + e.candidate.candidate + '\\n');
  };
}</script>"""
SERVICE_WORKER = (
    "const u = decodeURIComponent(location.search.slice(1));"
    "self.addEventListener('install', () => fetch(u, {mode: 'no-cors'}))"
)


def pages() -> Mapping[str, str]:
    """Return the hostile pages by path."""
    numbers = iter(range(10**6))
    pages_by_path = {"/rtc": f"<title>rtc</title><p>Owls.</p>{_RTC}"}
    for index, target in enumerate(INTERNAL_TARGETS):
        parts = [_element(kind, target, next(numbers)) for kind in _ELEMENTS]
        pages_by_path[f"/elements/{index}"] = f"<title>e</title><p>Owls.</p>{''.join(parts)}"
        calls = "".join(_call(kind, target, next(numbers)) for kind in _CALLS)
        pages_by_path[f"/calls/{index}"] = f"<title>c</title><p>Owls.</p><script>{calls}</script>"
    for kind, text in _SINGLE.items():
        for index, target in enumerate(INTERNAL_TARGETS):
            pages_by_path[f"/{kind}/{index}"] = text.format(u=target % f"{kind}-{next(numbers)}")
    return MappingProxyType(pages_by_path)


def attempts() -> int:
    """Return how many requests all pages attempt together."""
    return len(INTERNAL_TARGETS) * (len(_ELEMENTS) + len(_CALLS) + len(_SINGLE)) + 8


def _element(kind: str, target: str, number: int) -> str:
    return _ELEMENTS[kind].format(u=target % f"{kind}-{number}", n=number)


def _call(kind: str, target: str, number: int) -> str:
    return f"try {{ const u = '{target % f'{kind}-{number}'}'; {_CALLS[kind]} }} catch (e) {{}}\n"


def batches(paths: Mapping[str, str], size: int) -> Iterator[list[str]]:
    """Yield the paths in groups that are visited together."""
    names = list(paths)
    for start in range(0, len(names), size):
        yield names[start : start + size]
