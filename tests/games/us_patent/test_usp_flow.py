"""How little hands must do: a die entered at once, tags on the board, and how many inputs a turn takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from companion.app.script import Report, read_file, run
from companion.app.script.lines import Line
from companion.core import TABLE, Pressed, Tapped, Turned
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import Inventing, Moving, turn_steps
from companion.games.us_patent.state.vocabulary import Drive
from companion.table import Snapshot
from tests.games.us_patent.play import ADA, BEN, CLERK, Table, go, laid, machine
from tests.games.us_patent.recorded import SLOTS_OF_ALL, Recording

FOLDER = Path(__file__).parents[3] / "companion" / "games" / "us_patent" / "playthroughs"
BY_HAND = frozenset({"tap", "press", "hold", "turn"})


def moving(at: str = "1/lab", cards: str = "", **effects: tuple[Drive, ...]) -> Table:
    """Ada is to move."""
    named = {name.replace("_", "-"): texts for name, texts in effects.items()}
    return laid(machine(cards, at=at), steps=(*turn_steps(ADA)[:2], Moving(ADA)), effects=named)


@pytest.mark.rule("P19")
def test_a_die_that_is_told_at_once_is_the_roll() -> None:
    table = moving().do(i.MoveRolled(TABLE, 4))
    assert [type(event) for event in table.events] == [e.RollBegun, e.MoveKnown]
    assert table.events[-1] == e.MoveKnown(ADA, 4)
    assert table.awaits() == ("go", (ADA,))
    asked = moving().do(i.Roll(ADA), i.MoveRolled(TABLE, 4))
    assert asked.now == table.now


@pytest.mark.rule("P19")
def test_a_die_told_at_once_obeys_the_chassis() -> None:
    quick = moving(cards="sedan-chair", sedan_chair=(Drive(dice=2, plus=1),))
    assert quick.why(i.MoveRolled(TABLE, 1)) == ("P19", "dice-sum")
    assert quick.do(i.MoveRolled(TABLE, 7)).events[-1] == e.MoveKnown(ADA, 8)


@pytest.mark.rule("P19", "P.aj")
def test_a_die_is_no_roll_once_the_move_is_done_or_waived() -> None:
    assert moving().do(i.Stay(ADA)).why(i.MoveRolled(TABLE, 3)) == ("P19", "move-die-due")
    gone = moving().do(i.MoveRolled(TABLE, 3), go(ADA, "1/market"))
    assert gone.why(i.MoveRolled(TABLE, 3)) == ("P19", "move-die-due")
    assert moving().why(i.MoveRolled(BEN, 3)) == ("P19", "move-die-due")


def test_every_space_and_slot_may_carry_a_tag() -> None:
    places = GAME.places(CLERK)
    assert len(set(places)) == len(places) == len(CLERK.spaces) + 1 + 8 * 4
    assert "bank" in places
    assert {space.id for space in CLERK.spaces} <= set(places)
    assert "slot/7/plant" in places


def played(name: str) -> tuple[Report, list[int], list[int]]:
    """A playthrough, and the inputs of its turns: taps, presses, the dial, dice and drawn cards included.

    First those of all turns, then of those in which nobody took a card out of a Lab.
    """
    turns: Counter[int] = Counter()
    labs: set[int] = set()
    at = 0

    def watch(line: Line, now: Snapshot) -> None:
        nonlocal at
        if isinstance(line.deed, Tapped | Pressed | Turned):
            turns[at] += 1
        at = now.state.turns
        labs.update([at] * any(isinstance(step, Inventing) for step in now.state.steps))

    report = run(read_file(FOLDER / f"{name}.txt"), watch=watch)
    assert not report.differences
    del turns[0]
    return report, list(turns.values()), [inputs for turn, inputs in turns.items() if turn not in labs]


def kinds(name: str) -> set[str]:
    """The kinds of lines of a playthrough, without its top and its expectations."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line[:1].islower()} - {"game", "seats", "chance", "expect"}


def test_a_whole_game_goes_by_taps_buttons_and_dial_alone() -> None:
    """A look into a Lab needs the card and an OK besides."""
    report, inputs, plain = played("taps-and-dial")
    assert report.last.result is not None
    assert kinds("taps-and-dial") <= BY_HAND
    chance = report.count.chance / report.count.turns
    print(
        f"median {median(inputs)} inputs a turn with dice and draws, {report.count.per_turn:.1f} without ({chance:.1f})"
    )
    assert median(plain) <= 6
    assert median(inputs) <= 7


@pytest.mark.slow
def test_with_readers_under_the_slots_it_is_less_still() -> None:
    """The same game twice: with one wand, and with a zone reader under each slot."""
    medians, sums = [], []
    for zones in ({}, SLOTS_OF_ALL):
        turns = by_turn(Recording(1, zones).lines())
        medians.append(median(turns))
        sums.append(sum(turns))
    print(f"inputs a turn: median {medians[0]} with one wand, {medians[1]} with readers under the slots")
    print(f"inputs of the game: {sums[0]} with one wand, {sums[1]} with readers under the slots")
    assert medians[1] <= medians[0] <= 7
    assert sums[1] < sums[0]


def by_turn(lines: Iterator[str]) -> list[int]:
    """The inputs of each turn of a recording except the first, which includes the set-up; an empty line ends a turn."""
    turns = [0]
    for line in lines:
        turns[-1] += line.startswith(("tap", "press", "turn"))
        if not line:
            turns.append(0)
    return turns[1:]


def test_five_missed_acts_are_caught_up_in_thirty_inputs() -> None:
    report, _, _ = played("catching-up")
    assert kinds("catching-up") <= BY_HAND
    corrections = [deed for deed in report.last.deeds.values() if type(deed.intent) in CORRECTING]
    assert len(corrections) == 5
    # The set-up, three Time Machines and one Research, took six.
    assert report.count.inputs - 6 <= 30


CORRECTING = tuple(verb.intent for verb in GAME.corrections)
