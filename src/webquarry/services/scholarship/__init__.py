"""Scholarly works: finding them, merging what sources say, and following their citations."""
