"""A process name shows whether a process of this machine has ended."""

import subprocess
import sys

from webquarry.crawl.store import process_names


def test_a_process_is_gone_when_it_has_ended() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    machine = process_names.process_name().rpartition("/")[0]
    name = f"{machine}/{child.pid}"

    assert not process_names.is_gone(name)
    child.communicate()
    assert process_names.is_gone(name)


def test_the_current_process_is_not_gone() -> None:
    assert not process_names.is_gone(process_names.process_name())


def test_processes_of_other_machines_are_never_reported_as_gone() -> None:
    assert not process_names.is_gone("elsewhere/999999999")
    assert not process_names.is_gone("no number")
