"""What one home keeps on disk: events, games, vault entries, caches and drafts, in one SQLite file.

The store knows nothing of rules or signatures: an event is a line of bytes with a place. Left out: encryption of
secrets (`pbem.keys`), turn files and mailboxes (`pbem.mail`).
"""

from pbem.store.database import Home
from pbem.store.reading import Reader
from pbem.store.rows import Appended, Draft, Snapshot, Status, StoredEvent, StoredGame, StoredRefusal
from pbem.store.writing import Writer

__all__ = [
    "Appended",
    "Draft",
    "Home",
    "Reader",
    "Snapshot",
    "Status",
    "StoredEvent",
    "StoredGame",
    "StoredRefusal",
    "Writer",
]
