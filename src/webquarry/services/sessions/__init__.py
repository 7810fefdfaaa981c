"""Research sessions: written down step by step, recovered after a loss, exported at the end."""
