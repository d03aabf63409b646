"""What is told where a command needs a clock that runs, by the claims, motions and rulings that need one."""

from __future__ import annotations

NO_DEADLINE = "expected a game with a deadline, got one that was agreed without"
PAUSED = "expected a game whose clock runs, got one that is paused"
