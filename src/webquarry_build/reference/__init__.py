"""Generates the tool reference in docs/tools and the provider tables."""
