"""Hands on a mat with readers: moving a piece is the wish, what lies wrong is named, and the way back is shown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.app.kit.kit import Kit
from companion.box import stack
from companion.core import (
    REFEREE,
    Act,
    Asked,
    BelieveTable,
    BotChose,
    CheckPage,
    ChoosePage,
    Found,
    Intent,
    LetBot,
    PieceId,
    PlaceId,
    Pressed,
    ReaderBack,
    ReaderId,
    ReaderLost,
    Seat,
    SeatId,
    SitElsewhere,
    StepPage,
    TakeBack,
    TurnPage,
    is_correction,
    say,
    verb_of,
)
from companion.core.legality import carry_out
from companion.journal import Did
from companion.library import shelf
from companion.table import No
from companion.table.letters import Settled, handle
from companion.table.wishes import Done
from tests.campaigns._moving import MovedTable

OFF = PlaceId("beside the mat")


def table_of(game: str, mat: str, seed: int = 3) -> MovedTable:
    kit = Kit(shelf.open(game))
    seats = kit.seats()[1]
    there = next(each for each in kit.game.mats(seats) if each.name == mat)
    return MovedTable(kit.game, kit.setup(seats, seed), there, random.Random(seed))


@pytest.fixture
def bench() -> Iterator[MovedTable]:
    """ActionWorks with readers under the workbench, on which the first movable card lies."""
    with table_of("actionworks", "slots") as table:
        until_movable(table)
        yield table


def until_movable(table: MovedTable) -> None:
    """Play on without hands until pieces on the mat may be moved."""
    kit, chance = Kit(table.game), random.Random(5)
    while not visible(table):
        table.say(kit.sensible_pick(table.state, chance))
        table.follow()


def visible(table: MovedTable) -> list[Intent]:
    """What can be done now by moving a single piece on the mat."""
    watched = set(table.mat.zones().values())
    found = []
    for intent in table.legal():
        moved = moves_of(table, intent)
        if len(moved) == 1 and any(place in watched or table.lies[piece] in watched for piece, place in moved.items()):
            found.append(intent)
    return found


def moves_of(table: MovedTable, intent: Intent) -> dict[PieceId, PlaceId]:
    after = carry_out(table.game, table.state, verb_of(table.game, intent), intent)[1]
    return {piece: place for piece, place in table.layout(after).items() if table.lies[piece] != place}


def press(table: MovedTable, button: Any, *, held: bool = False) -> None:
    handle(table.desk, Pressed(button, held))
    table.desk.draw()


def ask(table: MovedTable, seat: SeatId, wish: Any) -> Any:
    scene = table.desk.snapshot
    asked = scene.asked[seat] if seat >= 0 else 0
    answer = handle(table.desk, Asked(f"command-{scene.beat}", seat, asked, wish))
    table.desk.draw()
    return answer


def act(intent: Intent) -> Act:
    return Act(msgspec.Raw(msgspec.json.encode(intent)))


def a_wrong_piece(table: MovedTable) -> PieceId:
    """A piece on the mat that no legal intent moves right now."""
    movable = {piece for intent in table.legal() for piece in moves_of(table, intent)}
    return next(piece for piece in sorted(table.on) if piece not in movable)


# What was moved is the wish


def test_a_moved_piece_is_the_wish(bench: MovedTable) -> None:
    intent = visible(bench)[0]
    bench.move(moves_of(bench, intent))
    bench.rest()
    if bench.desk.box.is_choosing:
        assert intent in bench.desk.box._stack[-1].among  # type: ignore[attr-defined]
        press(bench, "ok")
    assert bench.newest() == intent
    assert not bench.desk.hands.found


def test_a_piece_that_is_put_back_was_only_looked_at(bench: MovedTable) -> None:
    intent = visible(bench)[0]
    (piece, _place), *_ = moves_of(bench, intent).items()
    seq, was = bench.desk.referee.at.seq, bench.lies[piece]
    bench.swap([piece], [was])
    assert bench.desk.referee.at.seq == seq
    assert isinstance(bench.desk.snapshot.page, TurnPage)
    assert not bench.desk.hands.astray


def test_what_spends_is_shown_and_waits_for_ok_and_is_dropped_when_it_is_put_back() -> None:
    with table_of("one-false-step", "slots") as table:
        kit, chance = Kit(table.game), random.Random(5)
        while not (asks := [each for each in visible(table) if verb_of(table.game, each).asks]):
            table.say(kit.sensible_pick(table.state, chance))
            table.follow()
        before = dict(table.lies)
        moved = moves_of(table, asks[0])
        table.move(moved)
        table.rest()
        assert table.newest() != asks[0]
        assert table.desk.box.is_choosing
        assert not isinstance(table.desk.snapshot.page, TurnPage | StepPage)
        table.swap(list(moved), [before[piece] for piece in moved])
        assert not table.desk.box.is_choosing, "put back, it was not meant"


# Out of step


def astray(table: MovedTable) -> PieceId:
    """Somebody removes a card that nobody may remove now."""
    piece = a_wrong_piece(table)
    table.swap([piece], [OFF])
    return piece


def on_slots() -> MovedTable:
    return table_of("us-patent", "slots")


@pytest.fixture
def slots() -> Iterator[MovedTable]:
    """U.S. Patent with readers under the slots; somebody's machine has an Upgrade."""
    with on_slots() as table:
        kit, chance = Kit(table.game), random.Random(5)
        while len(table.on) < 2:
            table.say(kit.sensible_pick(table.state, chance))
            table.follow()
        yield table


def test_a_piece_that_is_only_lifted_may_be_looked_at_for_a_while(slots: MovedTable) -> None:
    piece = astray(slots)
    assert not slots.desk.hands.astray
    assert slots.desk.hands.settles == 8
    handle(slots.desk, Settled())
    page = slots.desk.draw().page
    assert isinstance(page, StepPage)
    assert page.is_wrong
    assert [each.piece for each in slots.desk.hands.astray] == [piece]


def test_nothing_is_played_out_of_step_and_it_is_left_by_itself(slots: MovedTable) -> None:
    page_before = slots.desk.snapshot.page
    piece = astray(slots)
    home = slots.layout(slots.state)[piece]
    handle(slots.desk, Settled())
    slots.desk.draw()
    intent = next(iter(slots.legal()))
    seat = intent.actor
    refused = ask(slots, seat, act(intent)) if seat >= 0 else No(None)  # type: ignore[arg-type]
    assert isinstance(refused, No)
    if seat >= 0:
        assert (refused.refusal.rule, refused.refusal.key) == ("C14", "out-of-step")
    slots.swap([piece], [home])
    assert not slots.desk.hands.astray
    assert slots.desk.snapshot.page == page_before, "what was pending is shown again"
    assert slots.desk.snapshot.signal == "accepted"


def test_two_swapped_cards_are_two_repairs_each_ticked_off_as_it_is_seen(slots: MovedTable) -> None:
    one, other = sorted(slots.on)[:2]
    places = [slots.lies[one], slots.lies[other]]
    slots.swap([one, other], places[::-1])
    assert len(slots.desk.snapshot.repairs) == 2
    slots.swap([one], [OFF])
    slots.swap([other], [places[1]])
    slots.rest()
    assert len(slots.desk.hands.found) == 1, "one is where it belongs"
    slots.swap([one], [places[0]])
    assert not slots.desk.snapshot.repairs


def test_held_ok_believes_the_table_by_corrections_that_are_recorded(slots: MovedTable) -> None:
    piece = astray(slots)
    handle(slots.desk, Settled())
    slots.desk.draw()
    home = slots.layout(slots.state)[piece]
    press(slots, "ok")
    assert slots.layout(slots.state)[piece] == home, "a short press believes nothing"
    press(slots, "ok", held=True)
    assert slots.layout(slots.state)[piece] != home
    assert not slots.desk.hands.astray
    newest = slots.desk.referee.history[-1].body
    assert isinstance(newest, Did)
    assert newest.correction
    assert slots.desk.referee.replay().state == slots.state


def test_a_player_may_not_believe_the_table_and_the_referee_may(slots: MovedTable) -> None:
    astray(slots)
    handle(slots.desk, Settled())
    slots.desk.draw()
    refused = ask(slots, SeatId(0), BelieveTable())
    assert isinstance(refused, No)
    assert refused.refusal.key == "not-your-seat"
    assert isinstance(ask(slots, REFEREE, BelieveTable()), Done)
    assert not slots.desk.hands.astray


def test_a_correction_is_possible_out_of_step(slots: MovedTable) -> None:
    astray(slots)
    handle(slots.desk, Settled())
    offered = next(i for v in slots.game.corrections for i in v.arguments(slots.state, SeatId(-1)))
    assert is_correction(slots.game, offered)


# What hands do now


def acts_by_phone(table: MovedTable) -> Intent:
    """On its phone, a seat does something that would move a piece on the mat."""
    kit, chance = Kit(table.game), random.Random(8)
    while True:
        watched = set(table.mat.zones().values())
        for intent in table.legal():
            moved = moves_of(table, intent)
            if intent.actor >= 0 and any(at in watched or table.lies[p] in watched for p, at in moved.items()):
                assert isinstance(ask(table, intent.actor, act(intent)), Done)
                return intent
        table.say(kit.sensible_pick(table.state, chance))
        table.follow()


def test_an_act_on_a_phone_leaves_steps_that_readers_tick_off(slots: MovedTable) -> None:
    acts_by_phone(slots)
    page = slots.desk.snapshot.page
    assert isinstance(page, StepPage)
    assert not page.is_wrong
    owed = tuple(slots.desk.hands.owed)
    assert owed
    assert not slots.desk.hands.astray, "the record went on; nobody did wrong"
    slots.do_what_is_owed()
    assert not slots.desk.hands.owed
    assert len(slots.desk.snapshot.to_do) == len(slots.desk.hands.errands)


def test_what_no_reader_sees_is_ticked_off_by_ok_and_all_of_it_by_back(slots: MovedTable) -> None:
    acts_by_phone(slots)
    slots.do_what_is_owed()
    errands = len(slots.desk.hands.errands)
    assert errands, "what was paid, and the card that left for another place"
    press(slots, "ok")
    assert len(slots.desk.snapshot.to_do) == errands - 1
    press(slots, "back")
    assert not slots.desk.snapshot.to_do
    assert not isinstance(slots.desk.snapshot.page, StepPage)


def test_the_next_act_is_not_held_up(slots: MovedTable) -> None:
    acts_by_phone(slots)
    before = slots.desk.hands.owed.copy()
    assert before
    assert slots.say(next(iter(slots.legal())))
    assert before.keys() <= slots.desk.hands.owed.keys(), "and what is owed is not forgotten"


def test_what_is_owed_and_was_laid_wrong_is_only_owed_again_once_it_is_put_back(slots: MovedTable) -> None:
    acts_by_phone(slots)
    hands, before = slots.desk.hands, slots.desk.hands.owed.copy()
    piece = next(iter(before))
    was, taken = slots.lies[piece], next(iter(slots.on.values()))
    slots.tap(piece, taken)
    assert not hands.astray, (
        "in a slot in which another lies it was astray; now it lies as it lay when nobody waited for it"
    )
    assert hands.owed == before
    slots.do_what_is_owed()
    assert not hands.owed
    slots.swap([piece], [was])
    slots.rest()
    assert hands.astray, "it was carried: now it is missing"


def test_taking_back_leaves_steps_too(slots: MovedTable) -> None:
    to = slots.desk.referee.at.seq
    acts_by_phone(slots)
    slots.do_what_is_owed()
    assert isinstance(ask(slots, REFEREE, TakeBack(to)), Done)
    assert slots.desk.snapshot.to_do
    slots.do_what_is_owed()
    assert not slots.desk.hands.found


def test_with_a_wand_alone_a_phone_leaves_nothing_and_a_bot_does() -> None:
    with table_of("us-patent", "wand") as table:
        kit, chance = Kit(table.game), random.Random(5)
        for _ in range(60):
            intent = kit.sensible_pick(table.state, chance)
            if intent.actor >= 0:
                assert isinstance(ask(table, intent.actor, act(intent)), Done)
                assert not table.desk.snapshot.to_do
            else:
                table.say(intent)


# The check, and readers that die


def test_the_check_names_each_piece_that_lies_elsewhere(slots: MovedTable) -> None:
    one, other = sorted(slots.on)[:2]
    slots.swap([one, other], [slots.lies[other], slots.lies[one]])
    scene = slots.desk.snapshot
    opened = stack.press(scene, stack.REST, "check", False)[0]
    page = stack.page(msgspec.structs.replace(scene, repairs=()), opened)
    assert isinstance(page, CheckPage)
    assert page.is_problem
    assert page.said.key == "check.lies-elsewhere"
    assert page.of >= 2


def test_a_reader_that_dies_is_believed_and_comes_back_without_a_question(slots: MovedTable) -> None:
    piece = min(slots.on)
    reader = slots.on[piece]
    page = slots.desk.snapshot.page
    handle(slots.desk, ReaderLost(reader))
    assert slots.desk.draw().troubles, "people are told"
    assert not slots.desk.hands.astray
    assert not slots.desk.hands.found
    handle(slots.desk, ReaderBack(reader))
    handle(slots.desk, Found(reader, (slots._uid(piece),)))
    assert slots.desk.draw().page == page
    assert not slots.desk.snapshot.troubles
    assert not slots.desk.hands.found


def test_what_was_taken_off_a_dead_reader_is_missed_when_it_is_back(slots: MovedTable) -> None:
    piece = a_wrong_piece(slots)
    reader = slots.on[piece]
    handle(slots.desk, ReaderLost(reader))
    handle(slots.desk, ReaderBack(reader))
    handle(slots.desk, Found(reader, ()))
    handle(slots.desk, Settled())
    slots.desk.draw()
    assert [each.piece for each in slots.desk.hands.astray] == [piece]


def test_a_game_taken_up_again_is_laid_out_again_step_by_step(slots: MovedTable) -> None:
    """The readers of a freshly started box report what lies there: that is neither a play nor anybody's mistake."""
    desk, lying = slots.desk, dict(slots.on)
    desk.hands.sight = msgspec.structs.replace(desk.hands.sight, on=frozenset(), heard=frozenset())
    desk.hands.owed.clear()
    for reader in slots.mat.zones():
        handle(desk, Found(reader, ()))
    assert len(desk.draw().to_do) == len(lying)
    assert not desk.hands.astray
    for piece, reader in lying.items():
        slots._presence = msgspec.structs.replace(slots._presence, lying=())
        slots.on.pop(piece)
        slots._land(piece, slots.lies[piece])
        assert reader in slots.mat.zones()
    assert not desk.snapshot.to_do


def bot_moves(table: MovedTable) -> SeatId:
    """Play on without hands until a bot moves something; returns the seat it plays for."""
    kit, chance = Kit(table.game), random.Random(5)
    while not ((intent := kit.sensible_pick(table.state, chance)).actor >= 0 and moves_of(table, intent)):
        table.say(intent)
        table.follow()
    ask(table, intent.actor, LetBot(on=True))
    handle(table.desk, BotChose(intent.actor, table.desk.snapshot.asked[intent.actor], act(intent).intent))
    table.desk.draw()
    return intent.actor


@pytest.mark.parametrize("mat", ["wand", "slots"])
def test_a_bot_is_played_by_hands_at_the_table(mat: str) -> None:
    with table_of("us-patent", mat) as table:
        seat = bot_moves(table)
        page = table.desk.snapshot.page
        assert isinstance(page, StepPage)
        assert page.title == say("step.hands-for", seat=Seat(seat)), "it says whose pieces these are"
        assert table.desk.snapshot.to_do
        assert table.desk.snapshot.served == seat


def test_where_no_reader_watches_what_a_bot_leaves_is_in_nobodys_way() -> None:
    with table_of("us-patent", "wand") as table:
        bot_moves(table)
        handle(table.desk, Pressed("ok"))
        assert isinstance(table.desk.draw().page, ChoosePage), "OK is for whoever is next"
        handle(table.desk, Pressed("back"))
        assert isinstance(table.desk.draw().page, StepPage), "still there to be read"
        kit, chance = Kit(table.game), random.Random(5)
        table.say(kit.sensible_pick(table.state, chance))
        assert not table.desk.snapshot.to_do, "the next act takes its place"
        assert table.desk.snapshot.served is None


def test_whoever_acts_at_the_table_is_served_by_nobody(slots: MovedTable) -> None:
    kit, chance = Kit(slots.game), random.Random(5)
    slots.say(kit.sensible_pick(slots.state, chance))
    assert slots.desk.snapshot.served is None


def test_readers_of_places_are_told_apart_from_wands(slots: MovedTable) -> None:
    assert ReaderId("r01") not in slots.desk.hands.sight.zones


def test_when_the_game_is_over_the_table_may_be_cleared() -> None:
    with table_of("us-patent", "slots") as table:
        kit, chance = Kit(table.game), random.Random(5)
        while table.desk.referee.at.decisions:
            table.say(kit.sensible_pick(table.state, chance))
            table.follow()
        assert table.on, "machines are full of Upgrades"
        for piece in tuple(table.on):
            table.swap([piece], [OFF])
        assert not table.desk.hands.astray
        assert not table.desk.snapshot.to_do


def test_once_the_game_is_over_nobody_has_to_move_anything() -> None:
    with table_of("us-patent", "slots") as table:
        kit, chance = Kit(table.game), random.Random(5)
        while table.desk.referee.at.decisions:
            table.follow()
            intent = kit.sensible_pick(table.state, chance)
            if intent.actor >= 0:
                ask(table, intent.actor, act(intent))
            else:
                table.say(intent)
        assert table.desk.hands.to_do, "the last act, on a phone, left something"
        assert not table.desk.snapshot.to_do
        assert table.desk.snapshot.served is None


def test_for_somebody_elsewhere_hands_at_the_table_move_also_with_a_wand_alone() -> None:
    with table_of("us-patent", "wand") as table:
        kit, chance = Kit(table.game), random.Random(5)
        while not ((intent := kit.sensible_pick(table.state, chance)).actor >= 0 and moves_of(table, intent)):
            table.say(intent)
            table.follow()
        assert isinstance(ask(table, intent.actor, SitElsewhere(on=True)), Done)
        assert table.desk.referee.replay().chairs[intent.actor].elsewhere, "the record keeps it"
        assert isinstance(ask(table, intent.actor, act(intent)), Done)
        assert isinstance(table.desk.snapshot.page, StepPage)
        assert table.desk.snapshot.to_do
        assert isinstance(ask(table, intent.actor, SitElsewhere(on=False)), Done)
        assert not table.desk.snapshot.chairs[intent.actor].elsewhere
