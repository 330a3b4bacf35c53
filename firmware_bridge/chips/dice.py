"""Random numbers that are the same under every Python."""


class Dice:
    def __init__(self, seed):
        self._state = (seed * 2654435761 + 12345) & 0x7FFFFFFF

    def below(self, limit):
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) % limit

    def one_in(self, rate):
        """True with odds of `rate` in 1000."""
        return rate > 0 and self.below(1000) < rate
