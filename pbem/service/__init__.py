"""A home that lives on a mailbox: the agent of a player, and the service of a referee.

A letter is taken in (`letters`), what there is to send is put into the outbox of the home (`posting`) and leaves from
there (`sending`); `agent` does the three in turn, a player is told what is his to decide (`telling`), and several
workers may share a home (`shift`). `referee` adds to that what a home that presides over games does: proposals are
joined (`joining`), questions answered (`asking`), deadlines kept (`deadlines`) and what is due is done (`overdue`),
while the clock holds (`watch`). `condition` and `doctor` tell its owner how it is; `bots` decide for a player who wants
that. Everything that must survive a crash is in the home; nothing that a letter says is believed but what its events'
signatures say.
"""
