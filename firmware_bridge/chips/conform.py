"""The conformance suite: scripts in simulated time against the unmodified firmware, printed as one trace of bytes.

Run it under MicroPython and CPython with the folders chips, pico and firmware_bridge on the path; both must print the
same. `>` is the device, `<` the host, `=` what the host hands on.
"""

import binascii
import sys

import clock
import room
import wire
from air import FIELDS
from station import Station
from wiring import antennas


class Host:
    """The host's half in the same process, over a line that now and then drops whole chunks."""

    def __init__(self, station, deaf):
        self._station = station
        self._deaf = deaf
        self._count = 0
        self._chunks = 0
        self._jobs = 0
        self.receiver = wire.Receiver(self._nonce)

    def _nonce(self):
        self._count += 1
        return "5EED%04d" % self._count

    def link(self, reader, uid, text):
        """Ask twice for a link on a tag; it is written once."""
        self._jobs += 1
        out = self.receiver.link(self._jobs, reader, uid, text)
        tell("<", out)
        self._station.hear(out + out)

    def take(self, out):
        self._chunks += 1
        tell(">", out)
        if self._deaf and self._chunks % self._deaf == 0:
            return
        for news in self.receiver.feed(out):
            print("%6d = %s" % (clock.now(), " ".join(news)))
        answers = self.receiver.answers()
        if answers:
            tell("<", answers)
            self._station.hear(answers)


def tell(who, data):
    for line in data.decode().split("\n")[:-1]:
        print("%6d %s %s" % (clock.now(), who, line))


def act(line, host):
    """`link READER UID TEXT` is a wish of the host, `tag UID` shows a tag's memory; hands do everything else."""
    words = line.split()
    if words[0] == "link":
        host.link(*words[1:])
    elif words[0] == "tag":
        print("%6d tag %s %s" % (clock.now(), words[1], binascii.hexlify(room.TAGS[words[1]].memory).decode()))
    else:
        room.do(line)


def play(name, script, until, deaf=0):
    """Each line of `script` begins with its millisecond."""
    print("== " + name)
    room.furnish()
    FIELDS[:] = [0, 0]
    station = Station("BENCH", "0001", antennas())
    host = Host(station, deaf)
    todo = [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in script]
    start = clock.now()
    while clock.now() - start < until:
        while todo and clock.now() - start >= todo[0][0]:
            act(todo.pop(0)[1], host)
        station.write()
        station.poll(clock.now())
        out = station.due(clock.now())
        if out:
            host.take(out)
        clock.spend(1000)
    print("%6d fields at once: %d" % (clock.now(), FIELDS[1]))


def run(path):
    """Run every script of a file: `== name until deaf`, then its lines."""
    scripts = []
    with open(path) as file:
        for line in file:
            line = line.strip()
            if line.startswith("== "):
                scripts.append((line[3:].split(" "), []))
            elif line and not line.startswith("#"):
                scripts[-1][1].append(line)
    for (name, until, deaf), lines in scripts:
        play(name, lines, int(until), int(deaf))


run(sys.argv[1])
