"""Use cases, one file each; a command parses, calls one of them and prints.

Ports (clock, randomness, passphrase) come in through `pbem.app.desk`. A use case that writes does all of it in
one transaction of the home: after a refusal, a crash or Ctrl-C the home is as it was before.
"""
