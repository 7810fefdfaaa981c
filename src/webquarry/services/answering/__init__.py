"""Answering questions and filling schemas, with other people's services or our own means."""
