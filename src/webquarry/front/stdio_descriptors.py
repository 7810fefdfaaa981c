"""Reserves stdin and stdout for the protocol."""

import os


def claim() -> tuple[int, int]:
    """Return private descriptors for the client; 0 and 1 are redirected.

    A stray `print` or a child process can then neither write into the protocol nor read from it.
    """
    read_fd, write_fd = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return read_fd, write_fd
