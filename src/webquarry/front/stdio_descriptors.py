"""Keeps the protocol's descriptors out of everybody else's hands."""

import os


def claim() -> tuple[int, int]:
    """Return private descriptors for the client; 0 and 1 lead elsewhere from now on.

    A stray `print` or a child process can then neither write into the protocol nor read from it.
    """
    read_fd, write_fd = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return read_fd, write_fd
