"""Where a rule is easily off by one: the smallest margin that works, the seat before, the step not yet open."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from companion.core import (
    TABLE,
    Hidden,
    Intent,
    PieceId,
    Place,
    PlaceId,
    Refusal,
    Refused,
    RuleId,
    Seat,
    SeatId,
    Word,
    is_seat,
    judge,
)
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.chance import ways
from companion.games.us_patent.state import (
    CALLED,
    NOTHING,
    Acting,
    Drawing,
    Ending,
    Going,
    Inventing,
    Inventor,
    Leap,
    Machine,
    Moving,
    Placing,
    Ranged,
    Repair,
    board_place,
    capacity,
    describe,
    draw,
    is_pair,
    known,
    look_of,
    machine_of,
    start,
)
from companion.games.us_patent.state.vocabulary import Drive, Robbery
from tests.games.us_patent.play import ADA, BEN, CLEO, CLERK, Table, go, in_lab, laid, machine, piece, setup_for
from tests.games.us_patent.test_usp_fight import duel


def broken(table: Table, intent: Intent) -> list[tuple[str, str]]:
    """Every rule that an intent breaks."""
    verdict = judge(GAME, table.now, intent)
    assert isinstance(verdict, Refused)
    return [(refusal.rule, refusal.key) for refusal in verdict.refusals]


@pytest.mark.rule("P27")
def test_sums_of_dice_are_as_likely_as_they_are() -> None:
    assert ways(1) == dict.fromkeys(range(1, 7), 1)
    assert [ways(2)[n] for n in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert (sum(ways(3).values()), ways(3)[3], ways(3)[10], min(ways(3)), max(ways(3))) == (216, 1, 27, 3, 18)


@pytest.mark.rule("P27")
def test_people_are_told_which_dice_are_due_and_what_is_added() -> None:
    table = duel("bee-cannon", "brass-umbrella").do(i.Attack(ADA, BEN))
    told = dict(GAME.decisions(table.now)[-1].facts)
    assert (told["seat"], told["dice"], told["plus"]) == (Seat(ADA), 2, 4)
    told = dict(GAME.decisions(table.rolls(7).now)[-1].facts)
    assert (told["seat"], told["dice"], told["plus"]) == (Seat(BEN), 1, 5)


@pytest.mark.rule("P8", "P9")
def test_only_equal_ranks_make_a_pair() -> None:
    ranked = {(card.slot, card.rank): card.id for card in CLERK.upgrades}
    for plant, chassis in product(range(1, 13), repeat=2):
        own = machine(f"{ranked['plant', plant]} {ranked['chassis', chassis]}")
        pair = plant == chassis
        tables = known(laid(own).now)
        assert is_pair(tables, own) == pair
        assert (capacity(tables, own), draw(tables, own)) == (5 + plant + 6 * pair, chassis)


@pytest.mark.rule("P.al", "P16")
def test_nothing_is_no_card_that_is_off() -> None:
    effects = {"water-wheel": (Repair("one", "free"),)}
    table = laid(machine("water-wheel -fog-bell"), effects=effects)
    assert broken(table, i.RepairOne(ADA, piece("water-wheel"), NOTHING)) == [("P.al", "is-off")]
    own = table.now.machines[ADA]
    assert not own.is_off(NOTHING)
    assert not own.is_on(NOTHING)
    assert own.slot_of(NOTHING) == -1


@pytest.mark.rule("P27", "P3")
def test_who_sits_before_may_be_attacked_as_who_sits_behind() -> None:
    table = laid(machine(at="4/a"), machine(at="4/a"), machine(at="4/a"), turn=BEN)
    assert [n.seat for n in table.may(i.Attack, BEN)] == [ADA, CLEO]
    assert table.do(i.Attack(BEN, ADA)).awaits() == ("attack-dice", (TABLE,))


@pytest.mark.rule("P36", "P.s")
@pytest.mark.parametrize(("need", "margin", "may"), [(1, 1, True), (5, 4, False), (5, 5, True), (5, 6, True)])
def test_a_robbery_needs_its_margin_and_no_more(need: int, margin: int, may: bool) -> None:
    table = duel("sedan-chair", "water-wheel", effects={"sedan-chair": (Robbery(need),)})
    table.do(i.Attack(ADA, BEN)).rolls(margin + 2, 2)
    assert bool(table.may(i.Steal)) == may
    if not may:
        assert table.why(i.Steal(ADA, piece("water-wheel"))) == ("P36", "steal-margin")


@pytest.mark.rule("P.b")
@pytest.mark.parametrize(("by", "may"), [(4, i.Disable), (5, i.Destroy)])
def test_where_heavy_hits_must_destroy_five_is_heavy(by: int, may: type[Intent]) -> None:
    table = duel("", "water-wheel", margin="destroy").do(i.Attack(ADA, BEN)).rolls(by + 1, 1)
    assert {type(n) for n in table.legal(ADA)} == {may, i.Spare}


@pytest.mark.rule("P.y", "P36")
@pytest.mark.parametrize("result", ["steal", "destroy"])
def test_a_ranged_attack_that_steals_or_destroys_does_so_by_one(result: str) -> None:
    effects = {"magnet-glove": (Ranged("time", plus=1, result=result),)}  # type: ignore[arg-type]
    table = duel("magnet-glove", "water-wheel", effects=effects).do(i.Shoot(ADA, piece("magnet-glove"), BEN))
    table.rolls(2, 5)
    assert table.happened(e.AttackHit) == [e.AttackHit(ADA, BEN, 2 + 3 + 1, 5)], "dice, rank and what its text adds"
    assert {type(n) for n in table.legal(ADA)} == {i.Steal if result == "steal" else i.Destroy, i.Spare}


@pytest.mark.rule("P18", "P.al")
@pytest.mark.parametrize("step", [Placing(ADA, Hidden(PieceId("oak-door"), (ADA,))), Drawing(ADA)])
def test_a_free_repair_waits_until_the_turn_has_come_to_a_choice(step: Placing | Drawing) -> None:
    effects = {"water-wheel": (Repair("one", "free"),)}
    table = laid(machine("water-wheel -fog-bell"), effects=effects, steps=(Ending(ADA), Acting(ADA), Moving(ADA), step))
    mend = i.RepairOne(ADA, piece("water-wheel"), piece("fog-bell"))
    assert broken(table, mend) == [("P18", "researched")]
    table.now = laid(machine("water-wheel -fog-bell"), effects=effects).now
    assert table.do(mend).down(ADA) == set()


@pytest.mark.rule("P.ai", "P45")
@pytest.mark.parametrize(("memory", "knowers"), [("off", ()), ("on", (ADA,))])
def test_what_is_told_of_a_researched_card_is_as_secret_as_the_card(memory: str, knowers: tuple[SeatId, ...]) -> None:
    steps = (Ending(ADA), Acting(ADA), Moving(ADA), Drawing(ADA))
    table = laid(machine(), steps=steps, lab_memory=memory).do(i.Drew(TABLE, piece("oak-door")))
    assert table.happened(e.CardResearched)[0].card.known_by == knowers
    table.do(in_lab(ADA, 1))
    assert table.happened(e.PutInLab)[0].card.known_by == knowers
    assert [hidden.known_by for lab in table.now.labs for hidden in lab] == [knowers]


@pytest.mark.rule("P22")
@pytest.mark.parametrize("at", ["4/lab", "4/a", "4/library", "0/junkyard", "0/office"])
def test_a_card_of_this_board_is_bought_on_its_market_alone(at: str) -> None:
    table = laid(machine(at=at, gold=12), markets="thunder-jar")
    assert broken(table, i.Buy(ADA, piece("thunder-jar"))) == [("P22", "on-market")]
    assert laid(machine(at="4/market", gold=12), markets="thunder-jar").may(i.Buy)


@pytest.mark.rule("P3", "P.ae")
def test_a_round_begins_with_who_began_and_with_nobody_else() -> None:
    table = laid(machine(), machine(), machine())
    rounds = []
    for seat in (ADA, BEN, CLEO, ADA, BEN):
        table.now = laid(turn=seat).now
        rounds.append(table.do(i.EndTurn(seat)).now.round)
    assert rounds == [3, 3, 4, 3, 3], "Ada was the first"
    later = laid(turn=CLEO)
    later.now = replace(later.now, first=BEN)
    assert later.do(i.EndTurn(CLEO)).now.round == 3, "Ada's turn comes before that of Ben, who began"


@pytest.mark.rule("P45", "P.n")
def test_a_card_that_is_moved_leaves_the_others_before_the_eyes() -> None:
    table = laid(machine(at="4/library"), labs="oak-door fog-bell water-wheel").do(i.Study(ADA))
    before = table.now.looks[ADA].value
    assert len(before) >= 2
    table.do(i.MoveCard(BEN, before[0], board_market(before[0])))
    assert table.now.looks[ADA].value == before[1:]


def board_market(card: PieceId) -> PlaceId:
    period = next(up.period for up in CLERK.upgrades if up.id == card)
    return PlaceId(f"{period}/market")


def test_a_turn_that_is_set_is_a_new_turn() -> None:
    table = laid(machine())
    turns = table.now.turns
    assert table.do(i.SetTurn(ADA, CLEO)).now.turns == turns + 1
    assert table.do(i.SetTurn(ADA, ADA)).now.turns == turns + 2


@pytest.mark.rule("P20")
def test_a_turn_is_set_between_acts_also_before_research() -> None:
    whole = (Ending(ADA), Acting(ADA), Moving(ADA), Drawing(ADA))
    assert laid(machine(), steps=whole).do(i.SetTurn(BEN, BEN)).now.turn == BEN
    again = laid(machine(), steps=(*whole, Drawing(ADA)))
    assert again.why(i.SetTurn(BEN, BEN)) == ("P20", "between-acts")
    assert laid(machine(), steps=(Ending(ADA), Going(ADA, 3))).why(i.SetTurn(BEN, BEN)) == ("P20", "between-acts")


@pytest.mark.rule("P.o", "P42", "P27")
def test_bounds_of_what_is_set_belong_to_it() -> None:
    table = laid(machine())
    for number in (0, 199):
        assert table.do(i.SetGold(ADA, BEN, number)).now.machines[BEN].gold == number
    for number in (0, 6):
        assert table.do(i.SetNumber(ADA, BEN, number)).now.machines[BEN].number == number
    assert table.why(i.SetGold(ADA, BEN, -1)) == ("P.o", "in-span")
    steps = (Ending(ADA), Acting(ADA), Moving(ADA))
    rolled = laid(machine(), steps=steps).do(i.MoveRolled(TABLE, 3))
    for number in (1, 6):
        assert rolled.do(i.SetDie(ADA, number)).now.steps[-1] == Going(ADA, number)
    assert rolled.why(i.SetDie(ADA, 0)) == ("P19", "dice-sum")


def test_only_what_is_a_pawn_is_called_one() -> None:
    assert describe(CLERK, PieceId("pawn-3")).key == "piece.pawn"
    for stranger in ("pawn-x", "queen7", "rook-7", "pawn-"):
        assert describe(CLERK, PieceId(stranger)).key == "piece.unknown"


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("board/3", "place.board"),
        ("hand/1", "place.hand"),
        ("machine/1", "place.machine"),
        ("deck", "place.deck"),
        ("3/lab", "place.lab"),
        ("3/a", "place.space"),
        ("slot/2/plant", "place.slot"),
    ],
)
def test_places_by_name(place: str, key: str) -> None:
    assert GAME.place(PlaceId(place)).key == key


def test_a_place_of_a_seat_names_it_and_a_board_its_number() -> None:
    assert GAME.place(PlaceId("slot/2/plant")).facts == (("seat", Seat(CLEO)), ("slot", Word("slot.plant")))
    assert GAME.place(PlaceId("machine/1")).facts == (("seat", Seat(BEN)),)
    assert GAME.place(PlaceId("board/3")).facts == (("board", 3),)


@pytest.mark.rule("P23", "P.n")
def test_a_look_that_is_part_of_an_action_is_not_closed_by_itself() -> None:
    table = laid(machine(at="4/lab"), labs="thunder-jar").do(i.LookInLab(ADA))
    assert isinstance(table.now.steps[-1], Inventing)
    assert not table.may(i.CloseLook)
    assert table.why(i.CloseLook(ADA)) == ("P23", "lab-closed")


@pytest.mark.rule("P.ak", "P32")
@pytest.mark.parametrize("board", [2, 4])
def test_a_leap_names_the_board_of_its_space(board: int) -> None:
    table = laid(machine("sedan-chair"), effects={"sedan-chair": (Leap("lab"),)})
    assert table.no(i.LeapTo(ADA, board_place(board), PlaceId("3/lab"))) == Refusal(
        RuleId("P.ak"), "space-there", (("space", Place(PlaceId("3/lab"))),)
    )
    lost = table.no(i.LeapTo(ADA, board_place(board), PlaceId("3/moon")))
    assert lost.facts == (("space", Place(PlaceId("nowhere"))),)
    assert table.do(i.LeapTo(ADA, board_place(3), PlaceId("3/lab"))).now.machines[ADA].at == "3/lab"


@pytest.mark.rule("P30", "P39")
def test_more_than_the_set_wins_the_easier_game_too() -> None:
    whole = machine("angry-goose brass-umbrella sedan-chair eternal-candle", at="0/office", number=CALLED)
    table = laid(whole, win="action", easier="on")
    assert len(table.now.machines[ADA].working()) == 4
    assert table.do(i.ClaimPatent(ADA)).now.winner == ADA
    assert laid(whole, easier="on").do(i.EndTurn(ADA)).now.winner == ADA


@pytest.mark.rule("P30")
@pytest.mark.parametrize("at", ["0/mechanic", "4/a", "1/lab"])
def test_nobody_wins_outside_the_office(at: str) -> None:
    whole = machine("angry-goose brass-umbrella sedan-chair eternal-candle", at=at, number=CALLED)
    assert laid(whole).do(i.EndTurn(ADA)).now.winner == TABLE


@pytest.mark.rule("P22", "P.aa")
def test_an_empty_market_sells_nothing_though_others_do() -> None:
    table = laid(machine(at="5/market", gold=12), markets="thunder-jar")
    assert broken(table, i.Buy(ADA, piece("thunder-jar"))) == [("P22", "this-market"), ("P.aa", "market-stocked")]


@pytest.mark.rule("P21", "P18")
@pytest.mark.parametrize(("deck", "may"), [("", False), ("oak-door", True)])
def test_the_last_card_of_the_deck_is_researched_too(deck: str, may: bool) -> None:
    assert bool(laid(machine(), deck=deck).may(i.ResearchAgain)) == may


@pytest.mark.rule("P2", "P39")
@pytest.mark.parametrize("inventor", CLERK.inventors, ids=lambda inventor: inventor.id)
def test_the_easier_game_gives_four_gold_more_to_everyone(inventor: Inventor) -> None:
    for easier, more in (("off", 0), ("on", 4)):
        table = Table(start(setup_for(3, easier=easier))).do(i.DrewMachine(TABLE, PieceId(inventor.id)))
        assert table.now.machines[ADA].gold == inventor.gold + more


@pytest.mark.rule("P19", "P33")
@pytest.mark.parametrize(("plus", "roll", "reach"), [(1, 3, 4), (3, 1, 4), (-1, 4, 3), (-3, 2, 0)])
def test_what_a_chassis_adds_is_added_to_the_die(plus: int, roll: int, reach: int) -> None:
    steps = (Ending(ADA), Acting(ADA), Moving(ADA))
    effects = {"sedan-chair": (Drive(1, plus),)}
    table = laid(machine("sedan-chair"), steps=steps, effects=effects).do(i.Roll(ADA), i.MoveRolled(TABLE, roll))
    assert table.events[0] == e.MoveKnown(ADA, reach)


def facts(table: Table, intent: Intent, key: str) -> dict[str, object]:
    """What a broken rule shows."""
    verdict = judge(GAME, table.now, intent)
    assert isinstance(verdict, Refused)
    return dict(next(refusal for refusal in verdict.refusals if refusal.key == key).facts)


@pytest.mark.rule("P27", "P19", "P36")
def test_a_refusal_shows_the_numbers_that_dice_and_hits_are_judged_by() -> None:
    rolling = laid(machine(), steps=(Ending(ADA), Acting(ADA), Moving(ADA)))
    assert facts(rolling, i.MoveRolled(TABLE, 7), "dice-sum") == {"low": 1, "high": 6}
    fight = duel("sedan-chair", "water-wheel", effects={"sedan-chair": (Robbery(7),)}).do(i.Attack(ADA, BEN))
    for beyond in (1, 13):
        assert facts(fight, i.AttackRolled(TABLE, beyond), "dice-sum") == {"low": 2, "high": 12}
    fight.rolls(6, 2)
    assert facts(fight, i.Destroy(ADA, piece("water-wheel")), "heavy-hit") == {"margin": 4, "need": 5}
    assert facts(fight, i.Steal(ADA, piece("water-wheel")), "steal-margin") == {"margin": 4, "need": 7}
    going = laid(machine(at="4/market"), steps=(Ending(ADA), Acting(ADA), Going(ADA, 1)))
    far = facts(going, go(ADA, "8/lab"), "in-reach")
    assert far["reach"] == 1
    assert far["far"] == known(going.now).distances[PlaceId("4/market")][PlaceId("8/lab")]


@pytest.mark.rule("P.ag", "P26", "P30", "P.o")
def test_a_refusal_shows_gold_and_what_is_needed() -> None:
    shop = laid(machine(at="4/market", gold=2), markets="thunder-jar")
    assert facts(shop, i.Buy(ADA, piece("thunder-jar")), "can-pay") == {"price": 6, "gold": 2}
    mend = laid(machine("-fog-bell", at="0/mechanic", gold=0))
    assert facts(mend, i.Mend(ADA), "can-pay-mechanic") == {"price": 1, "gold": 0}
    win = laid(machine("fog-bell", at="0/office", number=CALLED), win="action")
    assert facts(win, i.ClaimPatent(ADA), "full-set") == {"have": 1, "need": 4}
    assert facts(win, i.SetGold(ADA, BEN, 500), "in-span") == {"low": 0, "high": 199}
    rolled = laid(machine(), steps=(Ending(ADA), Acting(ADA), Moving(ADA))).do(i.MoveRolled(TABLE, 3))
    assert facts(rolled, i.SetDie(ADA, 9), "dice-sum") == {"low": 1, "high": 6}


STRANGERS = [TABLE, SeatId(3), SeatId(4)]


@pytest.mark.rule("P3", "P30", "P40")
@pytest.mark.parametrize("stranger", STRANGERS)
def test_who_does_not_sit_here_has_nothing_and_does_nothing(stranger: SeatId) -> None:
    table = laid(*(machine("fog-bell", at="2/lab", gold=9) for _ in range(3)), labs="hedgehog-coat", turn=CLEO)
    table.do(i.LookInLab(CLEO))
    assert not is_seat(table.now, stranger)
    assert machine_of(table.now, stranger) == Machine()
    assert look_of(table.now, stranger) == ()
    assert look_of(table.now, CLEO) == ("hedgehog-coat",)
    acting = laid(turn=CLEO)
    assert broken(acting, i.TakeGold(stranger)) == [("P40", "seat-there"), ("P3", "your-turn")]
    assert facts(acting, i.SetGold(ADA, stranger, 2), "seat-there") == {}


@pytest.mark.rule("P3")
@pytest.mark.parametrize("early", [ADA, CLEO])
def test_the_seats_around_wait_for_whose_turn_it_is(early: SeatId) -> None:
    assert broken(laid(turn=BEN), i.TakeGold(early)) == [("P3", "your-turn")]


@pytest.mark.rule("P30")
def test_a_game_that_is_over_goes_on_for_nobody() -> None:
    assert ("P30", "running") in broken(laid(steps=()), i.TakeGold(ADA))


@pytest.mark.rule("P2")
def test_only_the_table_draws_and_rolls() -> None:
    table = laid(machine(), steps=(Ending(ADA), Acting(ADA), Moving(ADA), Drawing(ADA)))
    for actor in (ADA, SeatId(-2)):
        assert table.why(i.Drew(actor, piece("fog-bell"))) == ("P18", "research-due")


@pytest.mark.rule("P25")
@pytest.mark.parametrize("name", ["bee-cannon", "hedgehog-coat", "siege-piano"])
def test_what_is_salvaged_leaves_the_rest_of_the_junkyard(name: str) -> None:
    three = ("bee-cannon", "hedgehog-coat", "siege-piano")
    table = laid(machine(at="0/junkyard"), junkyard=" ".join(three)).do(i.Salvage(ADA, piece(name)))
    assert table.now.junkyard == tuple(card for card in three if card != name)


@pytest.mark.rule("P20", "P22")
@pytest.mark.parametrize(("turn", "actor"), [(ADA, BEN), (BEN, ADA)])
def test_in_advise_an_action_out_of_turn_leaves_the_action_of_whose_turn_it_is(turn: SeatId, actor: SeatId) -> None:
    shops = [machine(at="4/market", gold=9) for _ in range(3)]
    table = laid(*shops, markets="thunder-jar", turn=turn, advise=True).do(i.Buy(actor, piece("thunder-jar")))
    assert table.now.steps[-1] == Acting(turn)
