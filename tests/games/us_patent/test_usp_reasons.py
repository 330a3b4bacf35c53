"""The reason that people are given: true, the most basic one, and of what they meant."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from companion.core import (
    PUBLIC,
    TABLE,
    Basis,
    Blocked,
    ChoosePage,
    End,
    Idle,
    Intent,
    More,
    Piece,
    Place,
    PlaceId,
    Ready,
    Refusal,
    RefusedPage,
    RuleId,
    Seat,
    SeatId,
    Token,
    Verb,
    Word,
    argument_kinds,
    known_pieces,
    select,
)
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import VERBS
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import CALLED, Acting, Ending, Going, Leap, Moving, Rolling, State, turn_steps
from companion.games.us_patent.state.vocabulary import AnyEffect, Counter, Robbery
from companion.phones import offers
from tests.games.us_patent.play import ADA, BEN, CLEO, Table, go, in_lab, in_market, laid, machine, piece, playout
from tests.games.us_patent.test_usp_laying import evening, shown
from tests.games.us_patent.test_usp_views import SET

RESEARCH, MOVE = turn_steps(ADA), (Ending(ADA), Acting(ADA), Moving(ADA))
IN_ANY_TURN = (i.CloseLook, i.CounterAttack, i.LetGo, i.SwitchOff)
OF_SEATS = [verb for verb in VERBS if not verb.chance]


def told(rule: str, key: str, **facts: Any) -> Refusal:
    return Refusal(RuleId(rule), key, tuple(facts.items()))


def tapped(table: Table, *tokens: Token, actors: tuple[SeatId, ...] = (ADA,)) -> End:
    """What the box makes of these tags."""
    view = table.view(PUBLIC)
    known = known_pieces(GAME, view)
    return select(GAME, table.now, view, actors, tokens, known=known, verbs=GAME.verbs)


def reason(end: End) -> Refusal:
    assert isinstance(end, Blocked), end
    return end.refused.refusals[0]


def place(name: str) -> Token:
    return Token("place", name)


def card(name: str) -> Token:
    return Token("piece", name)


def thinkable(verb: Verb[Any, Any], state: State, actor: SeatId) -> list[Intent]:
    """The first few things that somebody could mean by a verb."""
    return list((verb.thinkable or verb.arguments)(state, actor))[:5]


# The moment


@pytest.mark.rule("P3")
@pytest.mark.parametrize("steps", [RESEARCH, MOVE, (Ending(ADA), Acting(ADA))])
def test_in_anothers_turn_that_is_the_reason_and_it_says_whose(steps: Any) -> None:
    table = laid(machine(), machine(at="4/market"), markets="thunder-jar", steps=steps)
    for wish in (i.TakeGold(BEN), i.Buy(BEN, piece("thunder-jar")), i.Roll(BEN), go(BEN, "4/a"), i.EndTurn(BEN)):
        assert table.no(wish) == told("P3", "your-turn", seat=Seat(ADA))


@pytest.mark.rule("P30")
@pytest.mark.parametrize("verb", OF_SEATS, ids=lambda verb: verb.name)
def test_after_the_end_the_game_is_over_and_nothing_else_is_said(verb: Verb[Any, Any]) -> None:
    table = laid(machine(SET, at="0/office", number=CALLED), markets="thunder-jar").do(i.EndTurn(ADA))
    assert table.now.winner == ADA
    anything: dict[str, Any] = {"piece": "thunder-jar", "place": "4/market", "seat": BEN, "number": 1}
    for seat in (ADA, BEN):
        wish = verb.intent(seat, *(anything[kind] for _, kind in argument_kinds(verb.intent)))
        assert table.no(wish) == told("P30", "running")


@pytest.mark.rule("P2")
def test_before_the_first_turn_time_machines_are_drawn() -> None:
    table = Table(GAME.start(laid().now.setup))
    for wish in (i.TakeGold(ADA), i.Roll(BEN), i.EndTurn(CLEO), in_lab(ADA, 1)):
        assert table.no(wish) == told("P2", "machines-dealt")


@pytest.mark.rule("P18", "P19", "P20")
def test_each_step_of_ones_own_turn_says_what_comes_first_or_is_past() -> None:
    research, move = laid(steps=RESEARCH), laid(steps=MOVE)
    rolling, going = laid(steps=(*MOVE[:2], Rolling(ADA, 1, 0))), laid(steps=(*MOVE[:2], Going(ADA, 4)))
    act, done = laid(), laid(steps=(Ending(ADA),))
    goes = go(ADA, "1/lab")
    expected = {
        i.Roll(ADA): ("researched", None, "die-down", "not-rolled", "move-left", "move-left"),
        i.Stay(ADA): ("researched", None, "die-down", "not-rolled", "move-left", "move-left"),
        goes: ("researched", "rolled", "die-down", None, "move-left", "move-left"),
        i.TakeGold(ADA): ("act-step", "act-step", "act-step", "act-step", None, "action-unspent"),
        i.EndTurn(ADA): ("end-step", "end-step", "end-step", "end-step", None, None),
    }
    for wish, keys in expected.items():
        for table, key in zip((research, move, rolling, going, act, done), keys, strict=True):
            assert (wish in table.legal(ADA)) == (key is None), (wish, table.now.steps)
            if key is not None:
                assert table.why(wish)[1] == key


def a_hit() -> Table:
    """Ada has hit Ben, who could strike back."""
    effects: dict[str, tuple[AnyEffect, ...]] = {"hedgehog-coat": (Counter(),), "magnet-glove": (Robbery(),)}
    own, his = machine("magnet-glove", at="4/a"), machine("hedgehog-coat water-wheel", at="4/a")
    return laid(own, his, effects=effects).do(i.Attack(ADA, BEN)).rolls(12, 1)


@pytest.mark.rule("P.t", "P27", "P35", "P36")
def test_an_attack_is_settled_before_the_turn_goes_on_and_the_reason_names_by_whom() -> None:
    duel = laid(machine(at="4/a"), machine("hedgehog-coat", at="4/a")).do(i.Attack(ADA, BEN))
    dice = told("P.t", "fight-over", seat=Seat(ADA), what=Word("awaited.attack-dice"))
    assert duel.no(i.EndTurn(ADA)) == duel.no(i.TakeGold(ADA)) == dice
    assert dict(duel.rolls(12).no(i.EndTurn(ADA)).facts)["what"] == Word("awaited.defence-die")
    hit = a_hit()
    for wish in (i.EndTurn(ADA), i.TakeGold(ADA), i.Roll(ADA), go(ADA, "4/market")):
        assert hit.no(wish) == told("P.t", "fight-over", seat=Seat(ADA), what=Word("awaited.hit"))
    hit.do(i.Steal(ADA, piece("water-wheel")))
    assert hit.no(i.EndTurn(ADA)) == told("P.t", "fight-over", seat=Seat(ADA), what=Word("awaited.loot"))
    hit.do(i.ThrowAway(ADA))
    assert hit.no(i.EndTurn(ADA)) == told("P.t", "fight-over", seat=Seat(BEN), what=Word("awaited.counter"))


@pytest.mark.rule("P23", "P29", "P10")
def test_a_look_a_number_and_a_lack_of_power_come_first_too() -> None:
    look = laid(machine(at="1/lab"), labs="fog-bell").do(i.LookInLab(ADA))
    for wish in (i.EndTurn(ADA), i.TakeGold(ADA), i.Roll(ADA), i.CloseLook(ADA)):
        assert look.no(wish) == told("P23", "lab-closed", seat=Seat(ADA))
    number = laid(machine(at="0/office")).do(i.TakeNumber(ADA))
    assert number.no(i.EndTurn(ADA)) == told("P29", "number-thrown", seat=Seat(ADA))
    short = laid(machine(), machine("angry-goose fog-bell oak-door -sedan-chair")).now
    assert short.short == (BEN,)
    for other in (i.EndTurn(ADA), i.TakeGold(ADA), i.SwitchOff(ADA, piece("oak-door"))):
        assert Table(short).no(other) == told("P10", "powered", seat=Seat(BEN))
    assert Table(short).no(i.MoveRolled(TABLE, 3)) == told("P10", "powered", seat=Seat(BEN))


MORE = [pytest.param(seats, seed, marks=pytest.mark.slow) for seats, seed in ((4, 2), (6, 3))]


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), *MORE])
def test_wherever_a_game_stands_the_first_reason_is_the_most_basic_of_all(seats: int, seed: int) -> None:
    """Anybody who isn't on turn and isn't asked is told so; nobody hears of a step while something else must be
    settled.
    """
    settled = 0
    for state, _, _ in islice(playout(seats, seed, 600), 0, None, 4):
        asked = GAME.decisions(state)[-1].seats
        for seat in (s for s in range(seats) if s not in (*asked, state.turn) and state.turns):
            for verb in (v for v in OF_SEATS if v.intent not in IN_ANY_TURN):
                for wish in thinkable(verb, state, SeatId(seat)):
                    assert Table(state).why(wish) == ("P3", "your-turn")
        if GAME.decisions(state)[-1].kind in ("hit", "loot", "counter", "attack-dice", "defence-die", "short"):
            settled += 1
            assert Table(state).why(i.EndTurn(state.turn))[0] in ("P.t", "P10")
    assert settled


# What was meant


@pytest.mark.rule("P19")
def test_the_tag_of_a_market_out_of_reach_says_how_far_it_is() -> None:
    table = laid(machine(at="4/market"), steps=(*MOVE[:2], Going(ADA, 4)))
    far = reason(tapped(table, place("6/market")))
    assert far == told("P19", "in-reach", reach=4, far=6)
    assert isinstance(tapped(table, place("4/lab")), Ready)


def test_on_the_map_a_far_market_says_the_same() -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/lab", kind="place")
        tap("4", kind="number")
        may, closed = offers.concerning(now.now.seen_by(ADA), place("6/market"))
        assert may == ()
        assert [(row.refusal.rule, row.refusal.key) for row in closed] == [("P19", "in-reach")]
        tap("6/market", kind="place")
        page = shown(now)
        assert isinstance(page, RefusedPage)
        assert page.refusal.key == "in-reach"


def test_before_the_die_and_after_the_move_the_map_says_that() -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/lab", kind="place")
        _, closed = offers.concerning(now.now.seen_by(ADA), place("6/market"))
        assert [row.refusal.key for row in closed] == ["rolled"]
        tap("1/lab", kind="place")
        _, closed = offers.concerning(now.now.seen_by(ADA), place("6/market"))
        assert [row.refusal.key for row in closed] == ["move-left"]


@pytest.mark.rule("P18")
def test_ones_own_researched_card_asks_lab_or_market() -> None:
    with evening("water-wheel") as (now, tap):
        tap("water-wheel")
        page = shown(now)
        assert isinstance(page, ChoosePage)
        assert [item.key for item in page.items] == ["intent.place-in-lab", "intent.place-in-market"]
    table = laid(steps=RESEARCH).do(i.Drew(TABLE, piece("water-wheel")))
    assert isinstance(tapped(table, card("water-wheel")), More)
    assert tapped(table, card("water-wheel"), place("1/market")) == Ready(in_market(ADA, 1), asks=True)


@pytest.mark.rule("P22")
def test_a_card_in_another_market_says_in_which() -> None:
    table = laid(machine(at="4/market", gold=12), markets="thunder-jar water-wheel")
    there = told("P22", "this-market", card=Piece(piece("water-wheel")), place=Place(PlaceId("1/market")))
    assert reason(tapped(table, card("water-wheel"))) == there
    elsewhere = laid(machine(at="4/a", gold=12), markets="thunder-jar water-wheel")
    assert reason(tapped(elsewhere, card("water-wheel"))) == told("P22", "on-market")
    early = laid(machine(at="4/market"), markets="thunder-jar", steps=RESEARCH)
    assert reason(tapped(early, card("thunder-jar"), actors=(TABLE,))) == told("P20", "act-step")


@pytest.mark.rule("P23", "P45")
def test_a_card_face_down_says_the_same_wherever_it_lies() -> None:
    """A Lab, the deck or a hand: a refusal must not tell which."""
    table = laid(machine(at="1/lab"), labs="fog-bell", deck="oak-door pet-star")
    first, second = reason(tapped(table, card("fog-bell"))), reason(tapped(table, card("pet-star")))
    assert first == second == told("P23", "inventing")


def test_a_thing_that_nobody_could_mean_anything_by_is_just_told() -> None:
    table = laid(machine("thunder-jar", at="4/a"), machine("fog-bell"))
    for thing in (card("pawn-1"), card("quill-1814")):
        assert isinstance(tapped(table, thing), Idle), thing


@pytest.mark.rule("P27", "P28", "P32")
def test_other_cards_and_places_mean_what_can_be_done_with_them() -> None:
    table = laid(machine("angry-goose sedan-chair", at="4/lab"), machine("fog-bell"), junkyard="oak-door", labs="")
    assert reason(tapped(table, card("angry-goose"))) == told("P28", "on-office"), "one's own: patent it"
    assert reason(tapped(table, card("oak-door"))) == told("P25", "on-junkyard")
    assert reason(tapped(table, card("fog-bell"))) == told("P27", "hit-open"), "another's: after a hit"
    assert reason(tapped(table, place("4/lab"))) == told("P.aa", "lab-stocked"), "the space underfoot: look into it"
    assert reason(tapped(table, place("4/market"))) == told("P19", "move-left")
    leaping = laid(machine("sedan-chair", at="4/a"), effects={"sedan-chair": (Leap("lab"),)})
    assert reason(tapped(leaping, place("4/market"))).key == "leaps-there"


@pytest.mark.rule("P22", "P23", "P24", "P26", "P28")
def test_the_tag_of_the_space_underfoot_lists_what_is_done_there() -> None:
    market = laid(machine(at="4/market", gold=12), markets="thunder-jar bee-cannon")
    assert tapped(market, place("4/market")) == Ready(i.Buy(ADA, piece("thunder-jar")), asks=True)
    lab = laid(machine(at="1/lab"), labs="fog-bell")
    assert tapped(lab, place("1/lab")) == Ready(i.LookInLab(ADA), asks=True)
    library = laid(machine(at="2/library"), labs="fog-bell")
    assert tapped(library, place("2/library")) == Ready(i.Study(ADA), asks=True)
    mechanic = laid(machine("-fog-bell", at="0/mechanic"))
    assert tapped(mechanic, place("0/mechanic")) == Ready(i.Mend(ADA), asks=True)
    office = tapped(laid(machine("fog-bell", at="0/office")), place("0/office"))
    assert isinstance(office, More)
    assert [choice.token.value for choice in office.choices] == ["take-number", "patent"]


@pytest.mark.rule("P35", "P36")
def test_loot_and_the_attacker_are_pointed_at() -> None:
    table = a_hit().do(i.Steal(ADA, piece("water-wheel")))
    assert isinstance(tapped(table, card("water-wheel")), More), "install it, or throw it away"
    table.do(i.ThrowAway(ADA))
    assert tapped(table, Token("seat", ADA), actors=(BEN,)) == Ready(i.CounterAttack(BEN), asks=True)


def test_every_rule_says_what_it_is_about() -> None:
    """Turns before settling, settling before steps; prices last."""
    prices = {rule.key for verb in VERBS for rule in (*verb.guards, *verb.rules) if rule.basis == Basis.PRICE}
    turns = {rule.key for verb in VERBS for rule in verb.guards if rule.basis == Basis.TURN}
    over = {rule.key for verb in VERBS for rule in verb.guards if rule.basis == Basis.OVER}
    assert (prices, turns) == ({"can-pay", "can-pay-mechanic"}, {"your-turn"})
    assert over == {"running", "machines-dealt", "seat-there"}
