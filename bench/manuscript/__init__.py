"""Test data: works, reference lists and papers for the reader of manuscripts."""
