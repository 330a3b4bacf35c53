"""Bytes from outside, bent towards code that none have reached yet: each ends in a value or in an error of ours.

    python tests/campaigns/fuzz.py [--seconds N] [--short] [--seed N] [--target NAME] [--keep]

Whatever reads bytes from outside is run with every line of ours watched; an input that takes a step that none took
before is kept and bent again. It begins with what is in `tests/campaigns/corpus`; with --keep what was found is put
there, as few as reach everything. Each target has a control: the same reader, broken at every step that nothing well
formed takes; it must be caught. One more is a reader that stumbles over four letters in a row, each behind a line of
its own: chance alone would look for them for years. Forms that people write have `settings_fuzz.py` beside this, whole
requests `phones_fuzz.py`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import logging
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app import backup
from companion.app.script import read
from companion.core import Act, CompanionError
from companion.journal import Journal
from companion.library import TAGS, Tagbook, load_settings, packs, shelf
from companion.phones.photo import spotting
from companion.table import intent_from
from firmware_bridge import wire
from firmware_bridge.pico import ntag
from tests.campaigns._guided import Edge, Guided, Target, Watch
from tests.campaigns._seeds import LINK, OAK, UID, Chip, good
from web.club import HUB, Paired, topic
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.teller import Teller
from web.hub import Floor
from web.screens.join import Wanted
from web.screens.seat import Command

ROOT: Final = Path(__file__).parents[2]
CORPUS: Final = Path(__file__).parent / "corpus"
OURS: Final = (*(str(ROOT / name) for name in ("companion", "web", "firmware_bridge")), __file__)
MOST_TRIES: Final = 5000
"""Tries within which a target's control must be caught."""
MOST_KEPT: Final = 6
"""Files of one target in the corpus."""


def frames(data: bytes) -> None:
    """To and from a Pico: as they come, and each line that can be one as a frame with a correct checksum."""
    sender, decoder = wire.Sender("firmware", "board", "0001", ["left"]), wire.Decoder()
    for chunk in (data, *map(framed, data.decode("ascii", "replace").splitlines()[:20])):
        for words in decoder.feed(chunk):
            sender.hear(words)
            sender.due(5000)


def framed(line: str) -> bytes:
    try:
        return wire.encode(*line.split())
    except ValueError:
        return b""


def bodies(data: bytes) -> None:
    """What phones send: the body as the door reads it, and the intent in it as the table does."""
    for kind in (Command, Wanted):
        with contextlib.suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            found = msgspec.json.decode(data, type=kind)
            break
    else:
        return
    if isinstance(found, Command) and isinstance(found.wish, Act):
        intent_from(shelf.open("us-patent"), found.wish.intent)


def mqtt(data: bytes) -> None:
    """What comes from a broker: its first line says where, the rest what. A hub shows it, a table takes its answer."""
    where, _, payload = data.partition(b"\n")
    part, floor = where.decode("ascii", "replace"), hub_with_table()
    try:
        teller().hear(HUB if part == "hub" else topic(OAK, part), payload)
        floor.heard(OAK, part, payload)
    finally:  # whatever it was told, it goes on to show what it has
        for table in floor.tables():
            floor.look(table)


def hub_with_table() -> Floor:
    """A hub that has heard of a table: its set-up came with the last evening."""
    floor = Floor(lambda _table, _over: None, lambda _table, _name, _shown: None)
    for said in good("mqtt"):
        part, _, payload = said.partition(b"\n")
        if part in (b"here", b"setup"):
            floor.heard(OAK, part.decode(), payload)
    return floor


def teller() -> Teller:
    return Teller(Membership(Paired(OAK, "x" * 16, "127.0.0.1", 1, "", "Club"), "Oak"), "1", Outbox(NOWHERE))


def ndef(data: bytes) -> None:
    """A tag that answers with these bytes whatever it is asked: a length, then that many; 255 refuses, 254 is gone."""
    said = ntag.write(Chip(data), UID, LINK)
    assert said in (ntag.NEW, ntag.SAME, ntag.GONE, ntag.AGAIN, ntag.OTHER, ntag.LOCKED, ntag.LONG), said


def photo(data: bytes) -> None:
    spotting.spotted(data)
    spotting.shrunk(data)


def script(data: bytes) -> None:
    read(data.decode(errors="replace"))


def pack(data: bytes) -> None:
    packs.parse(data.decode(errors="replace"), shelf.open("timeline").pack)


def in_file(name: str, use: Callable[[Path], object]) -> Target:
    """A reader of files, as a reader of bytes."""

    def target(data: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            use(path)

    return target


def imported(path: Path) -> None:
    with Journal.open(path.with_name("into.journal")) as journal:
        journal.import_(path)


def restored(path: Path) -> None:
    data = path.with_name("data")
    data.mkdir()
    backup.restore(path, data)


MEMORY: Final = "/dev/shm" if Path("/dev/shm").is_dir() else None
NOWHERE: Final = Path("/nonexistent/club-results")
TARGETS: Final[dict[str, Target]] = {
    "wire": frames,
    "bodies": bodies,
    "photo": photo,
    "script": script,
    "pack": pack,
    "settings": in_file("settings.toml", lambda path: load_settings(path.parent)),
    "tags": in_file(TAGS, Tagbook.load),
    "import": in_file("game.jsonl", imported),
    "restore": in_file("all.backup", restored),
    "mqtt": mqtt,
    "ndef": ndef,
}
FINE: Final = (CompanionError, msgspec.MsgspecError)


def planted(data: bytes) -> None:
    """The control: a bug behind four lines."""
    letters = iter(data)
    for wanted in b"BUG!":
        if next(letters, 0) != wanted:
            return
        _came_as_far_as(wanted)
    raise ZeroDivisionError


def _came_as_far_as(letter: int) -> None:
    if letter == ord("B"):
        return
    if letter == ord("U"):
        return
    if letter == ord("G"):
        return


def seeds(name: str) -> list[bytes]:
    """Well-formed inputs, and what was found before; the last is tried first."""
    return [*good(name), *(path.read_bytes() for path in sorted((CORPUS / name).glob("*")))]


def fuzzed(name: str, seconds: float, seed: int) -> tuple[Guided, list[str]]:
    """Fuzz one target for this many processor seconds; returns what is wrong with it."""
    guided = Guided(TARGETS[name], seeds(name), Watch(OURS), random.Random(seed))
    wrong: dict[str, str] = {}
    end = time.process_time() + seconds
    while time.process_time() < end:
        data, error = guided.step()
        if error is not None and not isinstance(error, FINE):
            wrong.setdefault(raised_at(error), f"{name}: {error!r} for {data[:200]!r}")
    return guided, [*wrong.values()]


def raised_at(error: Exception) -> str:
    """The kind of an error and the line it came from: one bug is reported once, whatever its words."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} {last.filename}:{last.lineno}"


def control(seed: int) -> int | None:
    """After how many tries the planted bug is found; None if it isn't."""
    return found_after(Guided(planted, [b"...."], Watch(OURS), random.Random(seed)), 400_000)


def broken(name: str, seed: int) -> int | None:
    """After how many tries a target that stumbles wherever nothing well-formed comes is caught, if it is."""
    watch, trodden = Watch(OURS), set[Edge]()
    for data in good(name):
        trodden |= watch.edges(TARGETS[name], data)[0]
    guided = Guided(TARGETS[name], good(name), Watch(OURS, stumbles_off=frozenset(trodden)), random.Random(seed))
    return found_after(guided, MOST_TRIES)


def found_after(guided: Guided, tries: int) -> int | None:
    while guided.tries < tries:
        error = guided.step()[1]
        if isinstance(error, ZeroDivisionError):
            return guided.tries
    return None


def keep(name: str, guided: Guided) -> None:
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    for data in [*guided.fewest()][-MOST_KEPT:]:
        (folder / hashlib.blake2b(data, digest_size=5).hexdigest()).write_bytes(data)


def told(tries: int | None) -> str:
    return "NOT FOUND" if tries is None else f"found after {tries} tries"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="processor seconds for all targets together")
    parser.add_argument("--short", action="store_true", help="6 processor seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=TARGETS, action="append", help="only this one, may be repeated")
    parser.add_argument("--keep", action="store_true", help="put what was found into the corpus")
    options = parser.parse_args()
    logging.disable()  # a hub warns of each table that it can't show
    names = options.target or [*TARGETS]
    each = (6 if options.short else options.seconds) / len(names)
    bugs, missed = list[str](), 0
    for name in names:
        guided, wrong = fuzzed(name, each, options.seed)
        print(f"{name}: {guided.tries} tries, {len(guided.reached)} steps, {len(guided.kept)} kept, {len(wrong)} wrong")
        bugs += wrong
        caught = broken(name, options.seed)
        print(f"  Control, the same with a bug off the beaten track: {told(caught)}.")
        missed += caught is None
        if options.keep:
            keep(name, guided)
    found = control(options.seed)
    print(f"Control, a planted bug: {told(found)}.")
    print(*bugs, sep="\n", end="\n" if bugs else "")
    return 1 if bugs or missed or found is None else 0


if __name__ == "__main__":
    sys.exit(main())
