"""A made-up world of scholarly works, references to them, and claims about texts."""
