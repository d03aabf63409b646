"""The second version of the toy, with one rule and one figure mended.

2.3  One supply may be bet at most (a datum).
2.4  A side that holds counts one more than it has staked (a rule).
"""
