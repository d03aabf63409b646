"""Puts the toy game where `importlib.metadata` finds it, as an installed package of somebody else's would be."""

from __future__ import annotations

import sys
from pathlib import Path

TOY = Path(__file__).parent / "toy"
sys.path.insert(0, str(TOY))
