"""Legal intents performed as pure movements of pieces are read as what they are, or asked about; never as another.

    python tests/campaigns/movements.py [--acts N] [--short] [--only GAME] [--seed N]

For each game and each of its mats with readers under places, games are played with hands alone: every intent that
moves a piece on the mat is performed by lifting and landing just those pieces, in a random order, with tags that are
told twice and neighbours that read them for a moment; one that may pass by a tray passes there. What no antenna can see
is said, and is not counted. Afterwards table and record agree. Control: a build that takes the first candidate at once.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app.kit.kit import Kit, pick
from companion.box.choosing import Choosing
from companion.box.pointing import ending
from companion.core import (
    HowMany,
    Intent,
    Mat,
    More,
    PieceId,
    ReaderId,
    Ready,
    Token,
    evidence,
    mentions_it,
    verb_of,
    with_number,
)
from companion.core.evidence import Reading
from companion.core.legality import carry_out
from companion.library import shelf
from tests.campaigns._moving import MovedTable

GAMES: Final = ("us-patent", "timeline", "one-false-step", "actionworks")
SENSIBLE: Final = 0.7
"""How often the game's own bot chooses, so that games get somewhere."""
SEEN: Final = ("read", "asked", "said")
"""What became of an intent that moved something on the mat: done, asked about, or waited for until it was said."""
LONGEST: Final = 400
"""Acts in one game; then another one begins."""


def first_candidate(*given: Any, **named: Any) -> Reading:
    """A build that doesn't wait and doesn't ask."""
    reading = HONEST(*given, **named)
    return Reading(reading.intents[:1], open=False)


HONEST: Final = evidence.read


def same(done: Intent, meant: Intent, table: MovedTable) -> bool:
    """Whether they are the same except for a number that nobody could see."""
    if verb_of(table.game, meant).span is None or type(done) is not type(meant):
        return done == meant
    number = msgspec.structs.astuple(meant)[-1]
    return with_number(done, int(number)) == meant


def one_act(table: MovedTable, kit: Kit, chance: random.Random, counts: Counter[str]) -> str:
    """One legal intent, performed; "" unless something went wrong."""
    legal = list(table.legal())
    if not legal:
        return ""
    is_sensible = chance.random() < SENSIBLE
    meant = kit.sensible_pick(table.state, chance) if is_sensible else pick(chance, legal)
    meant = meant if is_sensible else kit.numbered(table.state, meant, chance)
    if (passed := by_tray(table, meant)) is not None:
        return past_tray(table, meant, passed, counts)
    seq, before = table.desk.referee.at.seq, table.layout(table.state)
    after = carry_out(table.game, table.state, verb_of(table.game, meant), meant)[1]
    moved = {piece: place for piece, place in table.layout(after).items() if before.get(piece) != place}
    watched, trays = set(table.desk.hands.sight.zones.values()), set(table.desk.trays.values())
    if not any(place in watched | trays or before[piece] in watched for piece, place in moved.items()):
        counts["unseen"] += 1
        table.say(meant)
        table.move(moved)
        return ""
    table.move(moved)
    table.rest()
    done = table.done_since(seq)
    if len(done) > 1 or (done and not same(done[0], meant, table)):
        return f"{meant} was read as {done}"
    if table.desk.hands.astray:
        return f"{meant} was taken for a mistake: {table.desk.hands.astray}"
    counts["read" if done else "asked" if table.desk.box.is_choosing else "said"] += 1
    if not done and not table.say(meant):
        return f"{meant} could not be said any more"
    table.do_what_is_owed()
    return f"{meant} left {table.desk.hands.found}" if table.desk.hands.found else ""


def by_tray(table: MovedTable, meant: Intent) -> tuple[PieceId, ReaderId] | None:
    """The tray that this may pass over, and what is laid on it: the card that means it, or the actor's pawn."""
    verb, state, pawn = verb_of(table.game, meant), table.state, table.game.pawn(meant.actor)
    also = () if verb.also is None else verb.also(state, meant)
    pieces = [PieceId(str(token.value)) for token in also if token.kind == "piece"]
    for reader, place in table.desk.trays.items():
        token = Token("place", place)
        if mentions_it(meant, token) or verb.stands_for(state, meant, token):
            laid = pieces[0] if pieces else pawn
            stands = laid is not None and table.layout(state)[laid] == place
            return None if laid is None or stands else (laid, reader)
    return None


def past_tray(table: MovedTable, meant: Intent, passed: tuple[PieceId, ReaderId], counts: Counter[str]) -> str:
    """It is done, or asked about; nothing else is."""
    seq = table.desk.referee.at.seq
    table.tap(*passed)
    done = table.done_since(seq)
    if done and done != [meant]:
        return f"{meant} past a tray was read as {done}"
    if not done and not could_be(table, meant):
        return f"{meant} past a tray was not understood"
    counts["read" if done else "asked"] += 1
    if not done and not table.say(meant):
        return f"{meant} could not be said any more"
    table.follow()
    table.do_what_is_owed()
    return ""


def could_be(table: MovedTable, meant: Intent) -> bool:
    """Whether what the box asks may still end in it."""
    opened = table.box.stack[-1]
    if not isinstance(opened, Choosing):
        return False
    end = ending(table.desk.snapshot, opened)
    return end.intent == meant if isinstance(end, Ready) else isinstance(end, More | HowMany)


def play(kit: Kit, mat: Mat, seats: int, acts: int, chance: random.Random) -> tuple[Counter[str], list[str]]:
    counts, wrong = Counter[str](), list[str]()
    seed = 0
    while sum(counts[how] for how in SEEN) < acts:
        seed += 1
        with MovedTable(kit.game, kit.setup(seats, seed), mat, chance) as table:
            for _ in range(LONGEST):
                if not table.desk.referee.at.decisions or sum(counts[how] for how in SEEN) >= acts:
                    break
                trouble = one_act(table, kit, chance, counts)
                if trouble:
                    wrong.append(trouble)
                    break
    return counts, wrong


def with_build(read: Callable[..., Reading], run: Callable[[], tuple[Counter[str], list[str]]]) -> list[str]:
    evidence.read = read
    try:
        return run()[1]
    finally:
        evidence.read = HONEST


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=int, default=10_000, help="for each game and mat")
    parser.add_argument("--short", action="store_true", help="a few seconds in all")
    parser.add_argument("--only", default="", metavar="GAME", help="one game; the control may then catch nothing")
    parser.add_argument("--seed", type=int, default=18)
    options = parser.parse_args()
    acts = 60 if options.short else options.acts
    bad = caught = 0
    for name in GAMES if not options.only else (options.only,):
        kit = Kit(shelf.open(name))
        for mat in kit.game.mats(kit.seats()[1]):
            if not mat.zones():
                continue
            seed = f"{options.seed}{name}{mat.name}"
            wrong = looked_at(kit, mat, acts, seed)
            bad += len(wrong)
            run = partial(play, kit, mat, kit.seats()[1], min(acts, 500), random.Random(seed))
            caught += len(with_build(first_candidate, run))
    print(f"Control, the first candidate at once: caught {caught} times.")
    return 1 if bad or not (caught or options.only) else 0


def looked_at(kit: Kit, mat: Mat, acts: int, seed: str) -> list[str]:
    """Play it, and report the result."""
    start = time.monotonic()
    counts, wrong = play(kit, mat, kit.seats()[1], acts, random.Random(seed))
    seen = ", ".join(f"{counts[how]} {how}" for how in SEEN)
    told = f"{kit.game.id:15} {mat.name:6} {len(mat.zones()):2} readers: {seen}; {len(wrong)} wrong"
    print(f"{told}; {time.monotonic() - start:.0f} s", flush=True)
    for each in wrong[:5]:
        print("  ", each)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
