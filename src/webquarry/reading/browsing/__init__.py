"""Pages that a caller operates: sessions, their snapshots and actions."""
