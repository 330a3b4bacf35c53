"""Who comes in: hosts, origins, paces, cookies, seats on their way. Knows no screen and no game."""
