"""Play-by-email adjudicator for board wargames that can prove it was fair."""

__version__ = "1.0.0"
