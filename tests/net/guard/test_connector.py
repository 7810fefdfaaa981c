"""Which proxies are used, and in which order."""

from webquarry.net.guard.connector import Proxies, RotatingProxies


def test_proxies_are_chosen_by_port_and_may_be_bypassed() -> None:
    proxies = Proxies(http="http://h", https="http://s", bypass=("inside.test",))

    assert [proxies.candidates("a.test", port) for port in (80, 443, 8080)] == [
        ("http://h",),
        ("http://s",),
        ("http://s",),
    ]
    assert proxies.candidates("www.inside.test", 443) == ()
    assert Proxies(http="http://h", bypass=("*",)).candidates("a.test", 80) == ()


def test_a_list_of_proxies_is_used_in_turn() -> None:
    proxies = RotatingProxies(("http://a", "socks5://b"))

    assert [proxies.candidates("x.test", 443) for _ in range(3)] == [
        ("http://a", "socks5://b"),
        ("socks5://b", "http://a"),
        ("http://a", "socks5://b"),
    ]


def test_a_proxy_that_failed_is_left_out_for_a_minute() -> None:
    now = 1000.0
    proxies = RotatingProxies(("http://a", "http://b"), clock=lambda: now)

    proxies.note_failure("http://a")

    assert [proxies.candidates("x.test", 443) for _ in range(2)] == [("http://b",)] * 2
    now += 60
    assert proxies.candidates("x.test", 443) == ("http://a", "http://b")


def test_when_all_proxies_failed_they_are_tried_again() -> None:
    proxies = RotatingProxies(("http://a", "http://b"), clock=lambda: 5.0)
    proxies.note_failure("http://a")
    proxies.note_failure("http://b")

    assert proxies.candidates("x.test", 443) == ("http://a", "http://b")
