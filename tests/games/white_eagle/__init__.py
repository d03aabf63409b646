"""Tests of White Eagle Defiant."""
