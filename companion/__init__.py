"""The table companion: a referee in a box for the game table."""

__version__ = "0.1.0"
