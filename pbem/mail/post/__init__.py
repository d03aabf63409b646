"""Mail in and out: a box that letters come from, and a way to send them.

`port` says what a box and a way out promise, `address` how they are named, `secrets` where passwords come from,
`opening` makes them; `maildir`, `imap` and `smtp` are the ways there are; `manners` says what is never answered by a
program. Nothing is exported here, so that a command loads what it needs. Left out: POP, OAuth, and what to do with a
letter.
"""
