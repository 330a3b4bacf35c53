"""Flip bits, cut off ends and zero pages of a journal and its log: nothing that was shown is missed in silence.

    python tests/campaigns/flipped_bits.py [--cases N] [--short] [--seed N]

Evenings are recorded, and the card is taken out at moments when much, little or nothing stands in the log alone. Each
case damages the file, its log or both, then does what starting the companion does: it must say by name that the journal
is damaged, leaving every byte as it is, or read every entry that was shown. Then salvage must bring back every entry
of which the page or the frames are whole, as far as no entry before it is lost, and invent none.

Controls: the way of opening before there was a look at the log and a witness, which must miss entries in silence; and
the look at the log without a witness, which cannot know of a last entry that is gone.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Raw, Struct

from companion.core import Act, Asked, GameId, SeatId
from companion.journal import Did, Entry, Journal, JournalError, Opened, file, salvage
from tests.campaigns.power_cuts import in_memory

NAME: Final = "games.journal"
LOG: Final = f"{NAME}-wal"
PAGE: Final = 4096
HEADER, FRAME = 32, 24 + PAGE
LEAF: Final = 13
INSIDE: Final = (2, 5, 10)
"""How pages inside a tree, and those of indexes, begin."""
OPENED = Opened(GameId("g"), 1, Raw(b'{"pack":"' + b"card " * 2500 + b'"}'), ("Ada", "Ben"), "strict")

Files = dict[str, bytes]
Span = tuple[int, int]
Blocks = frozenset[tuple[str, int]]
"""Pages of the file and slots of the log."""


class Card(Struct):
    """A card as it was removed: its files, what was shown, and where each entry is stored."""

    name: str
    files: Files
    table: str
    truth: list[Entry]
    stands: dict[int, list[Blocks]]
    """For each entry all the ways in which it is stored somewhere: on these pages of the file, or in slots of the
    log.
    """


def record(path: Path, entries: int, tidy_after: int | None) -> tuple[str, list[Entry]]:
    """An evening with bodies of many lengths, some of several pages; the card is copied while it runs."""
    dice = random.Random(entries)
    journal = Journal.open(path, _synchronous="OFF")
    table = journal.create(OPENED, 1.0, "s")
    for n in range(entries - 1):
        size = dice.choice((60, 200, 400, 1500, 9000 if n % 11 == 0 else 90))
        body = Did(Raw(b'"' + dice.randbytes(size // 2).hex().encode() + b'"'), ())
        cause = Asked(f"phone-{n}", SeatId(0), n, Act(Raw(b"{}"))) if n % 3 else None
        entry = journal.append(table, body, cause, 2.0 + n, "s")
        if entry.seq % 25 == 0:
            journal.keep(table, entry.seq, b"kept " * 2000)
        if entry.seq == tidy_after:
            journal.tidy()
    truth = list(journal.entries(table))
    for ending in ("", "-wal", ".witness"):
        shutil.copy(path.with_name(NAME + ending), path.with_name("card" + ending))
    journal.close()
    return table, truth


def taken_out(name: str, entries: int, tidy_after: int | None, closed: bool = False) -> Card:
    with tempfile.TemporaryDirectory(dir=in_memory()) as base:
        path = Path(base) / NAME
        table, truth = record(path, entries, tidy_after)
        source = NAME if closed else "card"
        parts = {NAME + ending: path.with_name(source + ending) for ending in ("", "-wal", ".witness")}
        files = {part: found.read_bytes() for part, found in parts.items() if found.exists()}
        stands: dict[int, list[Blocks]] = {entry.seq: [] for entry in truth}
        probe = Path(base) / "probe"
        for seq, blocks in (*in_file(files, probe, entries), *in_log(files, probe, entries), *on_leaves(files)):
            stands[seq].append(blocks)
    return Card(name, files, table, truth, stands)


def seqs(path: Path, last: int) -> dict[int, tuple[object, ...]]:
    """The entries up to `last` that SQLite finds one by one; those that it can't read are left out."""
    found = {}
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = bytes
        for seq in range(1, last + 1):
            try:
                row = db.execute("SELECT * FROM entries WHERE id = ?", ((1 << 32) + seq,)).fetchone()
            except sqlite3.Error:
                continue
            if row is not None:
                found[seq] = row
    return found


def in_file(files: Files, path: Path, last: int) -> Iterator[tuple[int, Blocks]]:
    """Zero each page in turn and ask SQLite which entries that costs. Pages inside a tree cost none: leaves have
    them.
    """
    whole = files[NAME]
    path.write_bytes(whole)
    rows = seqs(path, last)
    needs: dict[int, set[tuple[str, int]]] = {seq: set() for seq in rows}
    for page in range(1, len(whole) // PAGE):
        if whole[page * PAGE] in INSIDE:
            continue
        path.write_bytes(whole[: page * PAGE] + bytes(PAGE) + whole[(page + 1) * PAGE :])
        left = seqs(path, last)
        for seq, row in rows.items():
            if left.get(seq) != row:
                needs[seq].add((NAME, page))
    yield from ((seq, frozenset(blocks)) for seq, blocks in needs.items())


def in_log(files: Files, path: Path, last: int) -> Iterator[tuple[int, Blocks]]:
    """Cut the log after each commit and ask SQLite which entries it added: its transaction wrote them."""
    log = files.get(LOG, b"")
    wrote = set[tuple[str, int]]()
    path.write_bytes(files[NAME])
    known = max(seqs(path, last), default=0)
    for slot in range(len(log) // FRAME):
        wrote.add((LOG, slot))
        if int.from_bytes(log[HEADER + slot * FRAME + 4 :][:4], "big") == 0:
            continue
        for part in path.parent.glob(f"{path.name}*"):
            part.unlink()
        path.write_bytes(files[NAME])
        path.with_name(f"{path.name}-wal").write_bytes(log[: HEADER + (slot + 1) * FRAME])
        newest = max(seqs(path, last), default=0)
        yield from ((seq, frozenset(wrote)) for seq in range(known + 1, newest + 1))
        known, wrote = newest, set()


def on_leaves(files: Files) -> Iterator[tuple[int, Blocks]]:
    """Entries that are complete on one leaf, in the file or in any frame of the log, even of an older one."""
    file, log = files[NAME], files.get(LOG, b"")
    for page in range(1, len(file) // PAGE):
        yield from ((seq, frozenset({(NAME, page)})) for seq in leaf(file[page * PAGE :][:PAGE]))
    for slot in range(len(log) // FRAME):
        yield from ((seq, frozenset({(LOG, slot)})) for seq in leaf(log[HEADER + slot * FRAME + 24 :][:PAGE]))


def leaf(page: bytes) -> Iterator[int]:
    """The numbers of entries that need no other page."""
    for n in range(int.from_bytes(page[3:5], "big") if page[0] == LEAF else 0):
        at = int.from_bytes(page[8 + 2 * n :][:2], "big")
        length, at = varint(page, at)
        rowid, _ = varint(page, at)
        if length <= PAGE - 35 and rowid >> 32 == 1:
            yield rowid & 0xFFFFFFFF


def varint(page: bytes, at: int) -> tuple[int, int]:
    value = page[at] & 0x7F
    while page[at] >= 0x80:
        at += 1
        value = value << 7 | page[at] & 0x7F
    return value, at + 1


def damaged(card: Card, dice: random.Random) -> tuple[Files, dict[str, list[Span]]]:
    """The card with a few things wrong, and which bytes of which file those are."""
    files, spans = dict(card.files), dict[str, list[Span]]()
    names = [name for name in (NAME, LOG) if files.get(name)]
    for name in dice.sample(names, dice.choice((1, 1, len(names)))):
        content = bytearray(files[name])
        kind = dice.choice(("flip", "flip", "flips", "cut", "page", "sector"))
        spans[name] = hit = [SPANS[kind](len(content), dice) for _ in range(5 if kind == "flips" else 1)]
        for begin, end in hit:
            if kind in ("flip", "flips"):
                content[begin] ^= 1 << dice.randrange(8)
            else:
                content[begin:end] = bytes(0 if kind == "cut" else len(content[begin:end]))
        files[name] = bytes(content)
    return files, spans


def _byte(size: int, dice: random.Random) -> Span:
    at = dice.randrange(size)
    return at, at + 1


def _block(length: int) -> Callable[[int, random.Random], Span]:
    def block(size: int, dice: random.Random) -> Span:
        at = dice.randrange(0, size, length)
        return at, at + length

    return block


def _end(size: int, dice: random.Random) -> Span:
    return dice.randrange(size), size


SPANS: Final[dict[str, Callable[[int, random.Random], Span]]] = {
    "flip": _byte, "flips": _byte, "cut": _end, "page": _block(PAGE), "sector": _block(512)
}  # fmt: skip


def can_be_saved(card: Card, spans: dict[str, list[Span]]) -> int:
    """How many entries, from the first on, are complete somewhere."""
    hit = {(NAME, n) for n in _blocks(spans.get(NAME, []), 0, PAGE)}
    hit |= {(LOG, n) for n in _blocks(spans.get(LOG, []), HEADER, FRAME)}
    for seq, ways in card.stands.items():
        if all(blocks & hit for blocks in ways):
            return seq - 1
    return len(card.truth)


def _blocks(spans: list[Span], begin: int, length: int) -> Iterator[int]:
    for first, end in spans:
        yield from range((first - begin) // length, (end - 1 - begin) // length + 1)


def laid(files: Files, room: Path) -> Path:
    for old in room.iterdir():
        old.unlink()
    for name, content in files.items():
        (room / name).write_bytes(content)
    return room / NAME


def is_noticed(card: Card, files: Files, room: Path) -> bool:
    """Start on these files; LookupError if entries are missing and nothing says so."""
    path = laid(files, room)
    try:
        journal = Journal.open(path)
    except JournalError:
        for name, content in files.items():
            if (room / name).read_bytes() != content:
                raise LookupError(f"{name} was damaged, and then it was changed") from None
        return True
    with journal:
        try:
            found = [entry for row in journal.games() for entry in journal.entries(row.table)]
        except JournalError:
            return True
    if found != card.truth:
        raise LookupError(f"{len(card.truth)} entries were shown, {len(found)} are there")
    return False


def is_told_by_check(files: Files, room: Path) -> bool:
    """Whether `companion journal check` has anything to say."""
    try:
        with Journal.look(laid(files, room)) as journal:
            return any(list(journal.entries(row.table)) == [] or journal.verify(row.table) for row in journal.games())
    except JournalError:
        return True


def saved(card: Card, files: Files, room: Path) -> int:
    """How many entries salvage brings back; LookupError if one of them never existed."""
    path = laid(files, room)
    salvage(path, room / "new")
    with Journal.look(room / "new") as journal:
        found = [entry for row in journal.games() for entry in journal.entries(row.table)]
    if found != card.truth[: len(found)]:
        raise LookupError("salvage brought back what never was")
    return len(found)


class Tally(Struct):
    cases: int = 0
    noticed: int = 0
    harmless: int = 0
    kept: int = 0
    """Entries that salvage brought back, of `whole` that were complete somewhere."""
    whole: int = 0
    wrong: list[str] = []


def run(cards: tuple[Card, ...], cases: int, seed: int, and_save: bool = True) -> Tally:
    tally = Tally(wrong=[])
    with tempfile.TemporaryDirectory(dir=in_memory()) as base:
        room = Path(base)
        for case in range(cases):
            dice = random.Random(f"{seed} {case}")
            card = cards[case % len(cards)]
            files, spans = damaged(card, dice)
            where = f"case {case}, {card.name}, {spans}"
            try:
                one(card, files, spans, room, tally, and_save)
            except LookupError as error:
                tally.wrong.append(f"{where}: {error}")
            tally.cases += 1
            if tally.cases % 500 == 0:
                print(f"{tally.cases} cases, {len(tally.wrong)} wrong", file=sys.stderr)
    return tally


def one(card: Card, files: Files, spans: dict[str, list[Span]], room: Path, tally: Tally, and_save: bool) -> None:
    if not is_noticed(card, files, room):
        tally.harmless += 1
    else:
        tally.noticed += 1
        if not is_told_by_check(files, room):
            raise LookupError("the start says that it is damaged, the check does not")
    if not and_save:
        return
    whole, kept = can_be_saved(card, spans), saved(card, files, room)
    tally.whole, tally.kept = tally.whole + whole, tally.kept + kept
    if kept < whole:
        raise LookupError(f"{whole} entries stand whole, salvage brought back {kept}")


@contextmanager
def without(*checks: str) -> Iterator[None]:
    """A build without these checks of the file."""
    usual = {name: getattr(file, name) for name in checks}
    for name in checks:
        setattr(file, name, lambda *args: None)
    try:
        yield
    finally:
        for name, check in usual.items():
            setattr(file, name, check)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--short", action="store_true", help="200 cases")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cases = 200 if options.short else options.cases
    cards = (
        taken_out("all in the log", 60, None),
        taken_out("some in the log", 120, 90),
        taken_out("one in the log", 60, 59),
        taken_out("switched off", 80, None, closed=True),
    )
    tally = run(cards, cases, options.seed)
    with without("_check_log", "_check_told"):
        before = run(cards, cases // 4, options.seed, and_save=False)
    with without("_check_told"):
        no_witness = run(cards, cases // 4, options.seed, and_save=False)
    print(
        f"{tally.cases} cases: {tally.noticed} noticed, {tally.harmless} changed nothing that is read, "
        f"{len(tally.wrong)} wrong. Salvage brought back {tally.kept} entries; {tally.whole} stood whole."
    )
    print(f"Control, as it was opened before: {silent(before)}. Without a witness: {silent(no_witness)}.")
    for line in tally.wrong[:10]:
        print("WRONG", line)
    return 1 if tally.wrong or not before.wrong or not no_witness.wrong else 0


def silent(control: Tally) -> str:
    return f"{len(control.wrong)} of {control.cases} missed in silence" if control.wrong else "NOT CAUGHT"


if __name__ == "__main__":
    sys.exit(main())
