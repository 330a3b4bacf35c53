"""The Pico between its antennas and the wire: polls in turn, listens and speaks in between. Reads no port itself."""

import wire

FIRMWARE = "companion-2"
"""It writes links since version 2."""
POLL_EVERY = 25
"""Milliseconds between polls of the same antenna; longer if there are many."""


class Station:
    """`boot` is a word that no earlier start had."""

    def __init__(self, board, boot, antennas):
        self._antennas = antennas
        self._sender = wire.Sender(FIRMWARE, board, boot, [each.name for each in antennas])
        self._decoder = wire.Decoder()
        self._poll_at = [0] * len(antennas)
        self._turn = 0

    @property
    def wish(self):
        """RESET or STOP, once the host has asked for it."""
        return self._sender.wish

    @property
    def is_heard(self):
        return self._sender.is_heard()

    def hear(self, chunk):
        for words in self._decoder.feed(chunk):
            self._sender.hear(words)

    def write(self):
        """Write the link that the host has asked for, if any; this takes about a tenth of a second."""
        if self._sender.job is None:
            return
        number, reader, uid, text = self._sender.job
        self._sender.job = None
        for each in self._antennas:
            if each.name == reader:
                self._sender.tell("WROTE", number, uid, reader, each.write(uid, text))

    def poll(self, now):
        """Poll the next antenna in turn that is due; returns whether there was one."""
        for n in range(len(self._antennas)):
            at = (self._turn + n) % len(self._antennas)
            if now >= self._poll_at[at]:
                self._turn = at + 1
                self._poll_at[at] = now + POLL_EVERY
                for words in self._antennas[at].poll(now):
                    self._tell(words, self._antennas[at])
                return True
        return False

    def _tell(self, words, antenna):
        self._sender.tell(*words)
        if words[0] == "ARRIVE":
            for other in self._antennas:
                if other is not antenna:
                    other.hurry(words[1])

    def due(self, now):
        """The bytes to send now; none until every antenna knows what lay there at the start."""
        if not all([each.is_settled for each in self._antennas]):
            if self._sender.nonce == "":
                return b""
        elif self._sender.wants_levels(now):
            self._sender.tell_levels(now, [(each.name, each.level()) for each in self._antennas])
        out = self._sender.due(now)
        if not out and self._sender.wants_health(now):
            out = self._sender.tell_health(now, self._counters(now))
        return out

    def pause(self, now):
        """How long nothing has to be done unless the host speaks."""
        return max(0, min(self._poll_at + [now + self._sender.pause(now)]) - now)

    def _counters(self, now):
        names = ("polls", "garbled", "silent", "crowds", "losses", "restarts")
        sums = [(name, sum([getattr(each, name) for each in self._antennas])) for name in names]
        return [("up", now // 1000)] + sums + [("again", self._sender.resent), ("bad", self._decoder.rejected)]
