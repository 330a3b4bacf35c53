"""Reader boxes that lie about themselves at random: each is believed or a sentence, and the honest one plays on.

    python tests/campaigns/wire_liars.py [--liars N] [--short] [--seed N]

A table has an honest box and one liar after the other, each on a real pty. A liar says HELLO with anything in its six
places, several times and each time something else, then whatever comes to its mind about readers. Each time the table
must have a state: readers with names that the wire allows, or a trouble with a text, a line for the display and a cure,
in both languages. The threads live, and what is laid on the honest box is told once.
Control: a build that answers a boot of any length; its thread must be found dead.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app.opening import load_texts
from companion.library import Speaker, shelf
from firmware_bridge import wire
from firmware_bridge.greeting import MOST_READERS, Down, LinkState
from tests.campaigns._leaks import patched
from tests.firmware_bridge.two_boxes import TwoBoxes
from tests.patience import PATIENCE

WORDS: Final = (
    "0", "1", "1", "1", "1", "1", "2", "-1", "1e9", "999999999", "9999999999", "left", "-", "-,-", ",", "left,right",
    "far", "far,near", "far,far", "FAR", "pico", "{n}", "%s", "\\", "a" * 17, "b" * 40, "c" * 300, "d" * 900,
)  # fmt: skip
ENOUGH: Final = 4


class Wrong(Exception):
    """A liar got the better of the table."""


def greeting(dice: random.Random) -> bytes:
    """A HELLO that nobody would say; if no frame can carry it, bytes that say it anyway."""
    words = ["HELLO", *(dice.choice(WORDS) for _ in range(dice.choice((5, 5, 5, 5, 4, 6))))]
    if dice.random() < 0.1:
        words[1:] = ["1", "f", "b", "e" * dice.randrange(980, 987), "r"]
    with suppress(ValueError):
        return wire.encode(*words)
    return b"$" + " ".join(words).encode() + b"*00000000\n"


def remark(nonce: str, number: int, dice: random.Random) -> bytes:
    """Something about readers and tags, in the session that the liar was given."""
    kind = dice.choice((*wire.NUMBERED, "HEALTH", "START", "LATER"))
    words = [dice.choice(("04C0FFEE", *WORDS)) for _ in range(dice.randrange(3))]
    with suppress(ValueError):
        return wire.encode(kind, nonce, str(number), *words)
    return dice.randbytes(40)


def lied(table: TwoBoxes, dice: random.Random) -> None:
    """One liar: it says HELLO in a few ways, and goes on about readers."""
    table.plug()
    ears, number, nonce = wire.Decoder(), 0, "00000000"
    for _ in range(dice.randrange(1, 3 * ENOUGH)):
        for _ in range(2):  # a port that was just opened may have lost the first one
            table.says(hello := greeting(dice))
            table.says(hello)
        with table.changed:
            table.changed.wait(0.01)
        for words in ears.feed(table.heard_by_device()):
            if words[0] == "START":
                nonce, number = words[1], 0
        for _ in range(dice.randrange(6)):
            number += 1
            table.says(remark(nonce, number, dice))


def check(state: LinkState | None, speakers: tuple[Speaker, ...]) -> str:
    """What the state is called; Wrong if people could do nothing about it."""
    if state is None:
        return "nothing yet"
    if not isinstance(state, Down):
        if not (1 <= len(state.readers) <= MOST_READERS + 2 and all(map(wire.is_reader, state.readers))):
            raise Wrong(f"readers that cannot be: {state}")
        return "believed"
    for speaker in speakers:
        for surface in ("", "oled", "hands"):
            text = speaker.say(state.trouble, surface)
            if not text or state.trouble.key in text or len(text) > (200 if surface == "" else 24):
                raise Wrong(f"{state.trouble.key} is no sentence ({surface or 'phone'}): {text!r}")
    return state.trouble.key


def run(liars: int, seed: int) -> Counter[str]:
    game = shelf.open("actionworks")
    speakers = (Speaker(load_texts(game), "en"), Speaker(load_texts(game), "fr"))
    table, dice, tally = TwoBoxes(), random.Random(seed), Counter[str]()
    table.start()
    try:
        for _ in range(liars):
            before = len(table.states)
            lied(table, dice)
            if not table.links.is_alive(PATIENCE):
                raise Wrong("a thread is dead")
            tally.update(check(state, speakers) for state in table.states[before:])
            table.honest_goes_on()
    finally:
        table.close()
    return tally


def is_caught(seed: int) -> bool:
    """Whether a build that answers every boot is noticed."""
    usual, threading.excepthook = threading.excepthook, lambda _error: None
    try:
        with patched(wire, "MAX_BOOT", 10**6):
            run(200, seed)
    except Wrong:
        return True
    finally:
        threading.excepthook = usual
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--liars", type=int, default=1000)
    parser.add_argument("--short", action="store_true", help="30 liars")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    liars = 30 if options.short else options.liars
    logging.disable(logging.WARNING)
    tally = run(liars, options.seed)
    caught = is_caught(options.seed)
    print(
        f"{liars} liars; what people were told: {dict(tally.most_common())}. The honest box played on. "
        f"Control, a build that answers every boot: {'caught' if caught else 'NOT CAUGHT'}."
    )
    return 0 if caught else 1


if __name__ == "__main__":
    sys.exit(main())
