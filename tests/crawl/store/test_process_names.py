"""A process that is gone is known to be; of others nothing is claimed."""

import subprocess
import sys

from webquarry.crawl.store import process_names


def test_a_process_is_gone_when_it_has_ended() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    place = process_names.name().rpartition("/")[0]
    name = f"{place}/{child.pid}"

    assert not process_names.gone(name)
    child.communicate()
    assert process_names.gone(name)


def test_this_process_is_there() -> None:
    assert not process_names.gone(process_names.name())


def test_nothing_is_known_of_other_places() -> None:
    assert not process_names.gone("elsewhere/999999999")
    assert not process_names.gone("no number")
