"""Tests of the trust protocol."""
