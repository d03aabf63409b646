"""The Toy Ford: two sides, three turns, and everything that a ruleset can ask for.

1    Each side seals a reserve, which stays in the state under its seal until the end.
2.1  A weather chit is drawn without replacement.
2.2  Both sides plan under seal, at the same time: assault or hold, with some of their supply.
2.3  The side with the initiative bets supply in the open; without supply it has one choice.
2.4  Each assault rolls two dice; the total is read.
2.5  In rain three dice are rolled; each 5 or 6 costs both sides supply.
3    The reserves are opened, one after the other, and count as points.
"""
