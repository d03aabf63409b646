"""Tests of the command line, as a player uses it."""
