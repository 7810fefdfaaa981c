"""The files that packages and registries want: made from the code, checked in CI."""
