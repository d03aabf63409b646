"""Tests of the engine on the toy and on rules of a few lines."""
