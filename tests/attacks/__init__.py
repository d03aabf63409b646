"""Attacks that a player would meet, mounted through the client: two homes, real turn files, forged events."""
