"""The server: streams on one loop, pages on threads, and whose phone is listening."""
