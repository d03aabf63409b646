"""The trust protocol: canonical bytes, envelope, event, step, chain, dice, seal, escrow, verification.

Pure: nothing here reads a file, a clock or a random source. `PROTOCOL.md` beside this file specifies every
byte; `fixtures/vectors/` has a known answer for every construction.
"""
