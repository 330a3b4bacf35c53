"""A pretend TCA9548A with the chips behind its channels. Written from the data sheet."""


class Chip:
    """Faults: `dead` (no supply: neither it nor anything behind it answers)."""

    def __init__(self, address, spend):
        self.address = address
        self.behind = {}
        self.fault = ""
        self._spend = spend
        self.brown_out()

    def brown_out(self):
        """The supply dips, or RST is low: every channel is off."""
        self._joined = 0

    def joined(self):
        """The chips connected to the bus now."""
        if self.fault == "dead":
            return []
        return [chip for number, chip in sorted(self.behind.items()) if self._joined >> number & 1]

    def write(self, data):
        self._spend(25 * len(data))
        if self.fault == "dead":
            raise OSError(5)
        self._joined = data[-1]

    def read(self, count):
        self._spend(25 * count)
        if self.fault == "dead":
            raise OSError(5)
        return bytes([self._joined] * count)
