"""The pure contract between games and the table: no I/O, clock, chance, threads or logging."""
