"""Tests of `pbem.mail`."""
