"""The contract kit: what every game on the shelf is asked to prove, run with `companion kit GAME`."""
