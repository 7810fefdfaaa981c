"""Audit events for an address of the operator's."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from webquarry.observe.audit_webhook import AuditWebhook


class Receiver:
    """Responds with the given statuses in turn; None is no response."""

    def __init__(self, *answers: int | None) -> None:
        self.answers = list(answers)
        self.waits: list[float] = []
        self.sent: list[Any] = []

    def send(self, url: str, body: bytes) -> int:
        assert url == "https://hook.test/"
        self.sent.append(json.loads(body))
        answer = self.answers.pop(0)
        if answer is None:
            raise OSError("timed out")
        return answer

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return False


def _sent(receiver: Receiver, *bodies: dict[str, Any]) -> AuditWebhook:
    hook = AuditWebhook("https://hook.test/", size=10, send=receiver.send, wait=receiver.wait)
    for body in bodies:
        hook.enqueue(body)
    hook.close()
    return hook


def test_an_event_is_retried_until_it_is_accepted() -> None:
    receiver = Receiver(503, None, 429, 204, 200)

    hook = _sent(receiver, {"n": 1}, {"n": 2})

    assert receiver.sent == [{"n": 1}] * 4 + [{"n": 2}]
    assert receiver.waits == [1.0, 2.0, 4.0]
    assert hook.dropped == 0


@pytest.mark.parametrize("status", [400, 401, 404, 410])
def test_an_event_that_is_refused_for_good_is_counted(status: int) -> None:
    receiver = Receiver(status, 200)

    hook = _sent(receiver, {"n": 1}, {"n": 2})

    assert receiver.sent == [{"n": 1}, {"n": 2}]
    assert (hook.dropped, receiver.waits) == (1, [])


def test_waiting_never_exceeds_a_minute() -> None:
    receiver = Receiver(*([503] * 9), 200)

    _sent(receiver, {"n": 1})

    assert receiver.waits == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]


def test_a_real_server_gets_json() -> None:
    got: list[tuple[str | None, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((self.headers["Content-Type"], json.loads(body)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # theirs
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hook = AuditWebhook(f"http://127.0.0.1:{server.server_port}/", size=5)
    hook.enqueue({"event_type": "tool_call"})
    hook.close()
    server.shutdown()
    server.server_close()

    assert got == [("application/json", {"event_type": "tool_call"})]
