"""The chips that hang at the pins of config.py, the tags on them, and what hands do to them.

The multiplexers are called mux/0, mux/1 …, as no reader can be.

Hands speak in lines: `lay READER UID`, `lift READER UID`, `dead READER UID` (lay a tag that does not answer),
`cut READER UID N` and `torn READER UID N` (it goes out of reach after N more commands, torn while writing),
`ntag READER UID SIZE` (lay one of that size), `set READER UID AT BYTE` (its memory, as somebody left it),
`worn READER UID PAGE` (that page takes nothing more),
`garble READER N`, `silence READER N` (odds in 1000), `fault READER NAME` (`-` ends it), `brown-out READER`.
They come from a script in simulated time, or through the open pipe whose number is in HANDS.
"""

import binascii
import os
import select
import sys

import clock
import config
import mfrc522_chip
import pn532_chip
import tca9548a_chip
from air import Air, Tag
from ntag_tag import NTAG

AIRS = {}
CHIPS = {}
TAGS = {}
ON_SPI = {}
ON_I2C = {}
MUX_ON_I2C = {}
RESETS = {}
_selected = []
_hands = []
_kept = [b""]
_moved_at = [0]
_turns = [0]

CALM_AFTER = 1000
"""Milliseconds without hands after which everything they did has been reported: a lifted tag has left."""
REST = 250
"""Milliseconds between two rounds of polls while they can find nothing new."""


def _spend(us):
    # Only simulated time can be spent; real time passes on its own.
    if hasattr(clock, "spend"):
        clock.spend(us)


def furnish():
    """Fresh chips with no tags on them."""
    TAGS.clear()
    muxes = getattr(config, "MUXES", [])
    for number in range(len(muxes)):
        how = muxes[number]
        mux = tca9548a_chip.Chip(how["address"], _spend)
        CHIPS["mux/%d" % number] = RESETS[how["reset"]] = MUX_ON_I2C[config.I2C[how["i2c"]]["id"]] = mux
    for seed in range(len(config.READERS)):
        name, chip, how = config.READERS[seed]
        air = Air(seed + 1)
        AIRS[name] = air
        if chip == "mfrc522":
            CHIPS[name] = ON_SPI[how["cs"]] = mfrc522_chip.Chip(air, _spend)
        elif "mux" in how:
            CHIPS[name] = CHIPS["mux/%d" % how["mux"]].behind[how["channel"]] = pn532_chip.Chip(air, _spend)
        else:
            CHIPS[name] = ON_I2C[config.I2C[how["i2c"]]["id"]] = pn532_chip.Chip(air, _spend)


def selected(pin, on):
    if on and pin in RESETS:
        RESETS[pin].brown_out()
    elif on:
        _selected.append(pin)
    elif pin in _selected:
        _selected.remove(pin)


class _Open:
    """The bus while no chip, or more than one, is selected."""

    def transfer(self, out):
        return bytes([0xFF] * len(out))


def spi():
    return ON_SPI.get(_selected[0], _Open()) if len(_selected) == 1 else _Open()


def i2c(number, address):
    """The one chip that answers at this address; OSError if none does, or if one holds the wires down."""
    there = [ON_I2C[number]] if number in ON_I2C else []
    mux = MUX_ON_I2C.get(number)
    if mux is not None:
        there = there + mux.joined()
        if "stuck" in [chip.fault for chip in there]:
            _spend(20000)
            raise OSError(110)
        if address == mux.address:
            return mux
    if address != 0x24 or len(there) != 1:
        raise OSError(5)
    return there[0]


def _tag(act, words):
    """The tag with this uid; one that was there before still has everything written on it."""
    name, uid = words[2], binascii.unhexlify(words[2])
    if act == "dead" or len(uid) != 7:
        return Tag(uid, act == "dead")
    if name not in TAGS:
        TAGS[name] = NTAG(uid, int(words[3]) if act == "ntag" else 213)
    TAGS[name].cut(-1, False)
    return TAGS[name]


def do(line):
    """Do one thing that hands do."""
    words = line.split()
    act, reader = words[0], words[1]
    if act in ("lay", "dead", "ntag"):
        AIRS[reader].lay(_tag(act, words))
    elif act in ("cut", "torn"):
        TAGS[words[2]].cut(int(words[3]), act == "torn")
    elif act == "worn":
        TAGS[words[2]].wear(int(words[3]))
    elif act == "set":
        TAGS[words[2]].set(int(words[3]), int(words[4]))
    elif act == "lift":
        AIRS[reader].lift(binascii.unhexlify(words[2]))
    elif act == "garble":
        AIRS[reader].garble = int(words[2])
    elif act == "silence":
        AIRS[reader].silence = int(words[2])
    elif act == "fault":
        CHIPS[reader].fault = "" if words[2] == "-" else words[2]
    elif act == "brown-out":
        CHIPS[reader].brown_out()
    else:
        raise ValueError("hands do not know how to " + act)


def is_calm():
    """Whether every poll would find what the previous one found."""
    bad = [chip.fault for chip in CHIPS.values() if chip.fault]
    bad += [air for air in AIRS.values() if air.garble or air.silence]
    return not bad and clock.now() - _moved_at[0] > CALM_AFTER


def _ears(*files):
    look = select.poll()
    for each in files:
        look.register(each, select.POLLIN)
    return look


def _rest(ears):
    """Pretend tags come only by hand, so there is no need to look for them all day, as a real Pico must.

    Hands and the host end a rest at once; after it every antenna is polled, one per turn.
    """
    _turns[0] += 1
    if _turns[0] > len(AIRS) and is_calm():
        _turns[0] = 0
        ears.poll(REST)


def follow_hands():
    """Do what came through the pipe since the last call; waits only while the room is calm."""
    number = os.getenv("HANDS")
    if number is None:
        return
    if not _hands:
        # CPython would read ahead where poll() cannot see it; MicroPython does not, and takes no third argument.
        pipe = open(int(number), "rb", 0) if hasattr(os, "fsync") else open(int(number), "rb")
        _hands.append((pipe, _ears(pipe), _ears(pipe, sys.stdin)))
    pipe, look, all_ears = _hands[0]
    _rest(all_ears)
    while look.poll(0):
        _moved_at[0] = clock.now()
        byte = pipe.read(1)
        if not byte:
            raise SystemExit  # Whoever held the other end was killed: without hands there is no table.
        if byte != b"\n":
            _kept[0] += byte
            continue
        do(_kept[0].decode())
        _kept[0] = b""


furnish()
