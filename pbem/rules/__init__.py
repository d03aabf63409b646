"""What a game is written in: questions, rolls, reports, checkpoints; refusals, pictures, tables, order text.

A rule is a generator that yields what it needs and is resumed with it (`pbem.rules.play`); a game is a
`Ruleset` (`pbem.rules.ruleset`). Pure.
"""
