"""The keys of a game that hold no seat and whose events are read all the same, found by their key ids.

A log brings in key after key, and each of them makes a roster of its own: they share one table, of which each one
sees as much as there was when it was made, so that a key more costs one entry and no copy.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.log.event import Role
from pbem.log.keys import key_id


class Claims:
    """Pairs of a role and a key, each once, in the order in which they came. It does not change."""

    __slots__ = ("_named", "_pairs", "_size")

    def __init__(self) -> None:
        self._pairs: dict[tuple[Role, bytes], int] = {}
        self._named: dict[str, list[tuple[int, bytes]]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[tuple[Role, bytes]]:
        for pair, place in self._pairs.items():
            if place < self._size:
                yield pair

    def __contains__(self, pair: tuple[Role, bytes]) -> bool:
        return self._pairs.get(pair, self._size) < self._size

    def named(self, name: str) -> tuple[bytes, ...]:
        """The keys of that key id, the first one in front."""
        return tuple(key for place, key in self._named.get(name, ()) if place < self._size)

    def including(self, role: Role, key: bytes) -> Claims:
        """These and one more; the same ones where it is there."""
        if (role, key) in self:
            return self
        found = self if self._size == len(self._pairs) else self._copied()
        found._pairs[role, key] = found._size
        found._named.setdefault(key_id(key), []).append((found._size, key))
        return found._grown()

    def _grown(self) -> Claims:
        grown = Claims()
        grown._pairs, grown._named, grown._size = self._pairs, self._named, self._size + 1
        return grown

    def _copied(self) -> Claims:
        """The same pairs in a table of their own: somebody else has gone on from here."""
        copied = Claims()
        for role, key in self:
            copied = copied.including(role, key)
        return copied
