"""What people read at a glance matches the books."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import PUBLIC, TABLE, Bar, Checks, Duel, Meter, SeatId, Slots, Stages, Standing, Track
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.bot import choose
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.forced import has_won
from companion.games.us_patent.state import CALLED, NO_NUMBER, Leap, capacity, draw, known, turn_steps
from companion.games.us_patent.state.vocabulary import Surplus, Thrift
from companion.games.us_patent.views.odds import odds
from tests.games.us_patent.play import ADA, BEN, CLERK, Table, drawn, in_lab, laid, machine, piece, playout
from tests.games.us_patent.test_usp_fight import duel


def panel(table: Table, kind: type) -> object:
    return next(each for each in GAME.own(table.view(ADA), ADA) if isinstance(each, kind))


def total(bar: Bar, *looks: str) -> int:
    return sum(part.size for part in bar.parts if part.look in looks)


@pytest.mark.rule("P5", "P8", "P13")
def test_slots_show_ranks_what_lies_face_down_and_the_pair() -> None:
    found = panel(laid(machine("thunder-jar -fog-bell glass-carriage tide-dynamo")), Slots)
    assert isinstance(found, Slots)
    assert [cell.number for cell in found.cells] == [6, 1, 7, 7]
    assert [cell.down for cell in found.cells] == [False, True, False, False]
    assert [cell.tied for cell in found.cells] == [False, False, False, True]
    apart = panel(laid(machine("glass-carriage steam-abbot")), Slots)
    assert isinstance(apart, Slots)
    assert [cell.name is None for cell in apart.cells] == [True, True, False, False]
    assert not any(cell.tied for cell in apart.cells)


@pytest.mark.rule("P8", "P9", "P10")
@pytest.mark.parametrize(
    ("cards", "effects"),
    [
        ("", {}),
        ("thunder-jar glass-carriage tide-dynamo", {}),
        ("thunder-jar -glass-carriage tide-dynamo", {}),
        ("thunder-jar tide-dynamo", {"thunder-jar": (Thrift(2),)}),
        ("fog-bell tide-dynamo", {"tide-dynamo": (Surplus(3),)}),
        ("fog-bell tide-dynamo", {"tide-dynamo": (Surplus(-2),)}),
        ("arc-harpoon fog-bell", {}),
    ],
)
def test_the_meter_is_as_long_as_capacity_and_draw(
    cards: str, effects: dict[str, tuple[Thrift | Surplus, ...]]
) -> None:
    table = laid(machine(cards), effects=effects)
    tables, own = known(table.now), table.now.machines[ADA]
    found = panel(table, Meter)
    assert isinstance(found, Meter)
    have, need = found.bars
    assert total(have, "plain", "extra") == capacity(tables, own)
    assert total(need, "used") == draw(tables, own)
    assert total(need, "left") == max(0, capacity(tables, own) - draw(tables, own))


@pytest.mark.rule("P12")
def test_the_meter_warns_only_where_the_plant_is_needed() -> None:
    for cards, warns in (("thunder-jar tide-dynamo", True), ("fog-bell tide-dynamo", False), ("fog-bell", False)):
        found = panel(laid(machine(cards)), Meter)
        assert isinstance(found, Meter)
        assert (found.warning is not None) == warns, cards


@pytest.mark.rule("P42", "P17")
@pytest.mark.parametrize(("number", "stop"), [(6, "6"), (1, "1"), (CALLED, "!"), (NO_NUMBER, None)])
def test_the_counter_stands_on_its_number(number: int, stop: str | None) -> None:
    found = panel(laid(machine(number=number)), Track)
    assert isinstance(found, Track)
    assert (None if found.at is None else found.stops[found.at]) == stop


@pytest.mark.parametrize("is_over", [False, True])
def test_nobody_is_called_any_more_once_the_game_is_over(is_over: bool) -> None:
    table = laid(machine(number=5))
    if is_over:
        table.now = replace(table.now, steps=(), winner=BEN)
    found = panel(table, Track)
    assert isinstance(found, Track)
    assert (found.note is None) == is_over


@pytest.mark.rule("P30", "P39", "P44", "P17")
def test_all_conditions_are_kept_exactly_when_the_seat_would_win() -> None:
    """In any game, in the check as well as on your own phone."""
    for state, _, _ in (step for seed in range(6) for step in playout(3, seed, 220, {"easier": "on"}, pack=CLERK)):
        for seat in map(SeatId, range(3)):
            if not state.machines[seat].card:
                continue
            found = next(each for each in GAME.own(state, seat) if isinstance(each, Checks))
            assert all(check.kept for check in found.checks) == has_won(state, seat) == (not found.words)
            told = [each for each in GAME.status(state).facts if isinstance(each, Standing) and each.seat == seat]
            assert [each.checks for each in told] == [found.checks]
    ready = laid(machine("angry-goose fog-bell sedan-chair eternal-candle", at="0/office", number=CALLED))
    assert all(check.kept for each in GAME.own(ready.now, ADA) if isinstance(each, Checks) for check in each.checks)


@pytest.mark.rule("P10")
def test_the_check_shows_what_is_drawn_too_much() -> None:
    short = laid(machine("arc-harpoon fog-bell"))
    found = next(each for each in GAME.status(short.view(PUBLIC)).facts if isinstance(each, Standing))
    assert found.bar is not None
    assert (total(found.bar, "used"), total(found.bar, "over"), total(found.bar, "left")) == (5, 4, 0)


@pytest.mark.rule("P17", "P18", "P19", "P20")
def test_the_stages_of_a_turn_follow_it() -> None:
    def at(table: Table) -> int:
        found = GAME.stages(table.view(PUBLIC))
        assert isinstance(found, Stages)
        return found.at

    assert GAME.stages(drawn(3).now) is None
    table = laid(machine(), steps=turn_steps(ADA))
    assert at(table) == 1
    assert at(table.do(i.Drew(TABLE, piece("oak-door")))) == 1
    assert at(table.do(in_lab(ADA, 1))) == 2
    assert at(table.do(i.Roll(ADA))) == 2
    assert at(table.rolls(3)) == 2
    assert at(table.goes(ADA, "4/market")) == 3
    assert at(table.do(i.ResearchAgain(ADA))) == 3, "an Action"
    assert GAME.stages(laid(steps=()).now) is None


@pytest.mark.rule("P29", "P32")
def test_a_bot_with_a_full_set_takes_a_number_and_does_not_leap_away() -> None:
    """It once left the Office forever, by a Chassis that leaps."""
    own = machine("angry-goose fog-bell thought-slipper eternal-candle", at="0/office")
    for goal in ("lab", "market", "library"):
        table = laid(own, machine(at="4/a"), effects={"thought-slipper": (Leap(goal),)})
        assert choose(table.view(ADA), ADA, table.legal(ADA), 0) == i.TakeNumber(ADA)


def came_of(table: Table) -> str:
    if table.happened(e.AttackMissed):
        return "foresee.throw-miss"
    return "foresee.throw-heavy" if table.may(i.Destroy) else "foresee.throw-hit"


@pytest.mark.rule("P27")
@pytest.mark.parametrize("attack", [2, 4, 7, 12])
def test_each_key_of_the_last_die_says_what_comes_of_it(attack: int) -> None:
    table = duel("bee-cannon", "brass-umbrella water-wheel").do(i.Attack(ADA, BEN))
    assert {GAME.foresee(table.view(PUBLIC), throw) for throw in table.legal(TABLE)} == {()}, "a die is still to come"
    table.rolls(attack)
    for throw in table.legal(TABLE):
        told = [line.key for line in GAME.foresee(table.view(PUBLIC), throw)]
        assert told == [came_of(Table(table.now).do(throw))]


@pytest.mark.rule("P27", "P34")
def test_the_chances_that_are_left_are_those_of_the_dice_that_are_due() -> None:
    table = duel("bee-cannon", "brass-umbrella water-wheel")
    assert not any(isinstance(each, Duel) for each in GAME.own(table.view(ADA), ADA))
    table.do(i.Attack(ADA, BEN))
    before = panel(table, Duel)
    assert isinstance(before, Duel)
    assert before.chances is not None
    assert [part.size for part in before.chances.parts] == list(odds(2, 1, 4 - 5, 5).percents())
    after = panel(table.rolls(9), Duel)
    assert isinstance(after, Duel)
    assert after.chances is not None
    assert [part.size for part in after.chances.parts] == [0, 50, 50], "13 against a die and 5: up to a three by five"
    table.rolls(1)
    assert not any(isinstance(each, Duel) for each in GAME.own(table.view(ADA), ADA)), "what it came to, all are shown"
