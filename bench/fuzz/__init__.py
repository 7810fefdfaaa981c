"""Fuzzing of every parser of foreign content (`make fuzz`)."""
