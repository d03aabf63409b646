"""Replay: feeds answers and rolls to the rules, closes steps, computes state digests, answers by itself.

`driver` runs one game's coroutine, `campaign` is the log with the game on it, `assembly` orders what arrived
by mail, `automatic` gives the answers that need no human, `chances` drives the same rules for exact odds and
given dice. Pure.
"""
