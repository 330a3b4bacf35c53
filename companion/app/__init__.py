"""The program: put together, started, watched and stopped."""
