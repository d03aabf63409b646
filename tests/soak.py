"""How long the long runs are: PBEM_SOAK multiplies their size, which is what continuous integration runs when it is 1.

They carry the marker `soak` and are left out of an ordinary run: `pytest -m soak`.
"""

from __future__ import annotations

import os

FACTOR = int(os.environ.get("PBEM_SOAK", "1"))


def soak(size: int) -> int:
    """The size of a long run."""
    return size * FACTOR
