"""Turn files and e-mail: armour that survives the way, mails to send, and reading whatever comes back.

`armour` is the format, `layout` undoes what mail programs do to it, `message` makes a mail, `mime` takes one
apart, `reading` and `boxes` find turn files in text, mails, mailboxes and folders. Nothing is exported here, so
that a command loads what it needs. Left out: what the payload of a turn file means, and who signed it.
"""
