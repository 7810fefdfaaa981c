"""A process that is gone is known to be; of others nothing is claimed."""

import subprocess
import sys

from webquarry.storage.crawls import processes


def test_a_process_is_gone_when_it_has_ended() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    place = processes.name().rpartition("/")[0]
    name = f"{place}/{child.pid}"

    assert not processes.gone(name)
    child.communicate()
    assert processes.gone(name)


def test_this_process_is_there() -> None:
    assert not processes.gone(processes.name())


def test_nothing_is_known_of_other_places() -> None:
    assert not processes.gone("elsewhere/999999999")
    assert not processes.gone("no number")
