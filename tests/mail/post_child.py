"""Delivers into a Maildir as a process of its own, which can be killed: `post_child.py FOLDER COUNT`. Says `done N`
after each mail."""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.errors import PbemError
from pbem.mail.post.maildir import deliver

BODY = b"From: anna@example.org\n\n" + b"all of it\n" * 20_000 + b"the end\n"

if __name__ == "__main__":
    for number in range(int(sys.argv[2])):
        try:
            deliver(Path(sys.argv[1]), BODY)
        except PbemError as error:
            print(error)
        else:
            print(f"done {number}", flush=True)
