"""What one home keeps: games, events, vault entries, caches, drafts, and a service's mails and deadlines.

It is one SQLite file, or a schema of a PostgreSQL database; `pbem.store.port` is what the two have of their own.

The store knows nothing of rules or signatures: an event is a line of bytes with a place. Left out: encryption of
secrets (`pbem.keys`), turn files and mailboxes (`pbem.mail`).
"""

from pbem.store.database import Home
from pbem.store.queue import Queue
from pbem.store.reading import Reader
from pbem.store.rows import (
    Agenda,
    Appended,
    Deadline,
    Draft,
    Lease,
    Snapshot,
    Status,
    StoredEvent,
    StoredGame,
    StoredLetter,
    StoredMail,
    StoredRefusal,
)
from pbem.store.writing import Writer

__all__ = [
    "Agenda",
    "Appended",
    "Deadline",
    "Draft",
    "Home",
    "Lease",
    "Queue",
    "Reader",
    "Snapshot",
    "Status",
    "StoredEvent",
    "StoredGame",
    "StoredLetter",
    "StoredMail",
    "StoredRefusal",
    "Writer",
]
