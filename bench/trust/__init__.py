"""Test data: invented scholarly works, references to them, and claims about texts."""
