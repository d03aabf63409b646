"""The automatic answerer: a home that lives on a mailbox.

A letter is taken in (`letters`), what there is to send is put into the outbox of the home (`posting`) and leaves from
there (`sending`); `agent` does the three in turn. Everything that must survive a crash is in the home; nothing that a
letter says is believed but what its events' signatures say. Left out: a program that decides.
"""
