"""A card that turns read-only in mid-game, as worn-out ones do: the table says so, and nothing that was shown is lost.

    python tests/campaigns/worn_card.py [--cards N] [--short] [--seed N]

Each card is a real ext4 file system in a file of its own. A table plays on it until the kernel is told that it found an
error there: from that moment on nothing can be written, in the middle of an act or between two. Then every act is
refused with C2 and a trouble that names a disk that cannot be written to; the record can still be read and exported.
The card is checked and mounted again, as a copy on a new card would be: it holds the acts that were answered, at most
the one that was under way besides, and the game goes on. The controls are a build that answers although the journal
failed, and one that believes every sync: on a file system that turns read-only, Linux lets some succeed that wrote
nothing.

This needs root and loop devices; without them it says so and proves nothing.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.box import Box
from companion.core import Act, Asked
from companion.journal import JOURNAL, Journal
from companion.journal.witness import Witness
from companion.library import Tagbook
from companion.table import Answer, Desk, Referee, Table
from companion.table.wishes import Done
from tests.campaigns.disk_faults import answers_anyway
from tests.campaigns.power_cuts import in_memory
from tests.pick import GAME, Pass, setup_for

ACTS = 30
READ_ONLY = "trouble.journal-read-only"


class Card:
    """An ext4 file system in a file."""

    def __init__(self, folder: Path) -> None:
        self._image, self.folder = folder / "card.img", folder / "card"
        self.folder.mkdir()
        with self._image.open("wb") as image:
            image.truncate(16 * 1024 * 1024)
        done("mkfs.ext4", "-q", "-F", self._image)

    @contextmanager
    def mounted(self) -> Iterator[None]:
        done("mount", "-o", "loop,errors=remount-ro", self._image, self.folder)
        try:
            yield
        finally:
            done("umount", "--lazy", self.folder)

    def wear_out(self) -> None:
        """The kernel finds an error on it, and from now on nothing can be written."""
        loop = Path(done("losetup", "-j", self._image).split(":")[0]).name
        Path(f"/sys/fs/ext4/{loop}/trigger_fs_error").write_text("1", encoding="ascii")

    def check(self) -> None:
        subprocess.run(["e2fsck", "-fy", self._image], capture_output=True, check=False)


def done(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Player:
    """The seat on turn acts, again and again; keeps what was answered, and what was said instead."""

    def __init__(self, journal: Journal, table: str = "") -> None:
        clock = itertools.count(1000.0).__next__
        names = ("Ada", "Ben")
        if table:
            self.referee = Referee(GAME, journal, table, clock)
        else:
            self.referee = Referee.begin(GAME, setup_for(2), names, "strict", journal, clock)
        self.table = Table(Desk(self.referee, Tagbook(), Box(), lambda candidates, _weights: candidates[0]))
        self.answered: list[str] = []
        self.reasons: set[str] = set()
        self.table.start()

    def act(self, n: int) -> Answer:
        scene = self.table.snapshot
        seat = scene.state.turn
        asked = Asked(f"c{n}", seat, scene.asked[seat], Act(msgspec.Raw(msgspec.json.encode(Pass(seat)))))
        answer = self.table.ask(asked)
        if isinstance(answer, Done):
            self.answered.append(asked.command)
        else:
            self.reasons |= {answer.refusal.rule, *(said.key for said in self.table.snapshot.troubles)}
        return answer


class Outcome(Struct):
    answered: int
    wrong: list[str]


def lost(journal: Journal, player: Player) -> str:
    """What is wrong with the record; the one act in progress may be there, though nobody was shown it."""
    found = recorded(journal, player.referee.table)
    shown = len(player.answered)
    return "" if found[:shown] == player.answered and len(found) <= shown + 1 else f"{player.answered} became {found}"


def recorded(journal: Journal, table: str) -> list[str]:
    return [entry.cause.command for entry in journal.entries(table) if isinstance(entry.cause, Asked)]


def one(room: Path, worn_after: int, delay: float | None) -> Outcome:
    """A game on a card that wears out after this many acts: between two of them, or this many seconds into the next."""
    card, wrong = Card(room), list[str]()
    with card.mounted():
        path = card.folder / JOURNAL
        journal = Journal.open(path)
        player = Player(journal)
        for n in range(worn_after):
            player.act(n)
        if delay is None:
            card.wear_out()
        wearing = threading.Timer(delay or 0, card.wear_out)
        if delay is not None:
            wearing.start()
        for n in range(worn_after, ACTS):
            player.act(n)
        if delay is not None:
            wearing.join()
        player.act(ACTS)
        wrong += named(player)
        player.table.stop()
        journal.close()
        wrong += still_readable(path, player, room)
    card.check()
    with card.mounted():
        wrong += goes_on(path, player)
    return Outcome(len(player.answered), wrong)


def named(player: Player) -> Iterator[str]:
    if READ_ONLY not in player.reasons or "C2" not in player.reasons:
        yield f"no trouble was named: {player.reasons}"


def still_readable(path: Path, player: Player, room: Path) -> Iterator[str]:
    with Journal.look(path) as journal:
        if wrong := lost(journal, player):
            yield f"worn out: {wrong}"
        journal.export(player.referee.table, room / "rescued.jsonl")
    with Journal.open(room / "elsewhere.journal") as journal:
        journal.import_(room / "rescued.jsonl")


def goes_on(path: Path, player: Player) -> Iterator[str]:
    table = player.referee.table
    with Journal.open(path) as journal:
        if wrong := lost(journal, player):
            yield f"on a new card: {wrong}"
            return
        again = Player(journal, table)
        if not isinstance(again.act(ACTS + 1), Done):
            yield f"on a new card the game does not go on: {again.reasons}"
        again.table.stop()


def run(cards: int, seed: int) -> tuple[int, list[str]]:
    dice, answered, wrong = random.Random(seed), 0, list[str]()
    for number in range(cards):
        delay = None if number % 3 == 0 else dice.uniform(0, 0.05)
        with tempfile.TemporaryDirectory(dir=in_memory()) as room:
            outcome = one(Path(room), dice.randrange(1, 8), delay)
        answered += outcome.answered
        wrong += [f"card {number}: {each}" for each in outcome.wrong]
    return answered, wrong


@contextmanager
def broken(part: type, name: str, instead: Any) -> Iterator[None]:
    usual = getattr(part, name)
    setattr(part, name, instead)
    try:
        yield
    finally:
        setattr(part, name, usual)


def is_possible() -> bool:
    """Whether this machine lets us mount a card of our own and tell the kernel that it is worn out."""
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory(dir=in_memory()) as room:
        try:
            card = Card(Path(room))
            with card.mounted():
                card.wear_out()
        except (OSError, subprocess.CalledProcessError):
            return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=100)
    parser.add_argument("--short", action="store_true", help="6 cards")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if not is_possible():
        print("SKIPPED: to mount a card of its own, this proof needs root, loop devices and ext4.")
        return 0
    cards = 6 if options.short else options.cards
    answered, wrong = run(cards, options.seed)
    with broken(Journal, "append", answers_anyway):
        _, caught = run(2, options.seed)
    with broken(Witness, "tell", lambda *_: True):
        _, believed = run(cards, options.seed)
    print(f"{cards} cards wore out in mid-game, {answered} acts answered: {len(wrong)} wrong.")
    print(f"Control that answers anyway: {f'caught {len(caught)} times' if caught else 'NOT CAUGHT'}.")
    print(f"Control that believes every sync: caught {len(believed)} times; few cards turn in the very moment of one.")
    for line in wrong[:10]:
        print("WRONG", line)
    return 1 if wrong or not caught else 0


if __name__ == "__main__":
    sys.exit(main())
