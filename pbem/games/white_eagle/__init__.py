"""White Eagle Defiant: Poland in September 1939, in which a chit from the cup says whose turn it is."""
