"""What people are told and shown: meter, number line, odds, the check, the picture."""

from __future__ import annotations

from itertools import product

import pytest

from companion.app.opening import load_texts
from companion.core import (
    PUBLIC,
    TABLE,
    UNKNOWN,
    Both,
    Card,
    Checks,
    Disc,
    Intent,
    PlaceId,
    Said,
    Standing,
    Stroke,
    Zone,
    say,
    words_of,
)
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import CALLED, NO_NUMBER, Acting, Ending, Moving, Upgrade, board_place
from companion.games.us_patent.state.cards import Words
from companion.games.us_patent.state.vocabulary import Counter, Robbery, Ward
from companion.games.us_patent.views.books import missing
from companion.games.us_patent.views.odds import Odds, odds
from companion.library import Lang, Speaker
from tests.games.us_patent.play import ADA, BEN, CLERK, INVENTORS, PLAIN, Table, drawn, laid, machine, piece

SET = "angry-goose fog-bell sedan-chair water-wheel"


def facts(said: Said) -> dict[str, object]:
    return dict(said.facts)


def told(table: Table, intent: Intent) -> dict[str, dict[str, object]]:
    return {said.key: facts(said) for said in GAME.foresee(table.view(intent.actor), intent)}


@pytest.mark.parametrize(("dice", "other"), [(2, 1), (1, 1), (3, 2), (0, 1), (2, 0)])
@pytest.mark.parametrize("lead", [-4, 0, 3])
def test_odds_agree_with_every_throw_there_is(dice: int, other: int, lead: int) -> None:
    miss = hit = heavy = 0
    for throw in product(range(1, 7), repeat=dice + other):
        margin = sum(throw[:dice]) + lead - sum(throw[dice:])
        miss += margin <= 0
        hit += 0 < margin < 5
        heavy += margin >= 5
    found = odds(dice, other, lead, 5)
    assert (found.miss, found.hit, found.heavy, found.of) == (miss, hit, heavy, 6 ** (dice + other))


@pytest.mark.parametrize(
    ("found", "lang", "words"),
    [
        (Odds(1, 215, 0, 216), "en", "Nothing under 1 %, disable over 99 %, destroy 0 % (215 of 216 hit)"),
        (Odds(1, 215, 0, 216), "fr", "Rien moins de 1 %, désactiver plus de 99 %, détruire 0 % (215 sur 216 touchent)"),
        (Odds(0, 0, 36, 36), "en", "Nothing 0 %, disable 0 %, destroy 100 % (36 of 36 hit)"),
        (Odds(35, 1, 0, 36), "en", "Nothing 97 %, disable 3 %, destroy 0 % (1 of 36 hit)"),
    ],
)
def test_only_what_cannot_happen_is_called_0_percent(found: Odds, lang: Lang, words: str) -> None:
    assert Speaker(load_texts(GAME), lang).say(found.said()).replace("\u00a0", " ") == words


@pytest.mark.rule("P27")
def test_an_attack_tells_its_exact_chances_before_the_dice() -> None:
    table = laid(machine("bee-cannon", at="4/a"), machine("brass-umbrella", at="4/a"))
    lines = told(table, i.Attack(ADA, BEN))
    assert lines["foresee.sides"] == {"dice": 2, "plus": 4, "defence": 1, "shield": 5}
    found = odds(2, 1, -1, 5)
    assert lines["foresee.odds"]["of"] == 216
    assert lines["foresee.odds"]["count"] == found.hit + found.heavy
    assert tuple(lines["foresee.odds"][part] for part in ("miss", "hit", "heavy")) == found.shares()
    assert sum(found.percents()) == 100
    effects = {"fog-bell": (Counter(), Ward("all")), "angry-goose": (Robbery(3),)}
    warded = laid(machine("angry-goose", at="4/a"), machine("fog-bell", at="4/a"), effects=effects)
    assert set(told(warded, i.Attack(ADA, BEN))) == {"foresee.stopped", "foresee.counter"}


def test_buying_tells_price_power_and_what_leaves() -> None:
    table = laid(machine("mirror-cloak flying-bathtub tide-dynamo", gold=6), markets="brass-umbrella")
    lines = told(table, i.Buy(ADA, piece("brass-umbrella")))
    assert lines["foresee.pays"] == {"price": 5, "left": 1}
    assert "foresee.scraps" in lines
    assert lines["power.meter"] == {"draw": 11, "capacity": 12, "left": 1}
    dear = laid(machine("fog-bell", gold=9), markets="arc-harpoon")
    assert "foresee.short" in told(dear, i.Buy(ADA, piece("arc-harpoon")))


def test_ends_and_numbers_are_foreseen() -> None:
    win = laid(machine(SET, at="0/office", number=CALLED))
    assert "foresee.wins" in told(win, i.EndTurn(ADA))
    assert "foresee.replaces-called" in told(win, i.TakeNumber(ADA))
    lose = laid(machine(SET, at="0/mechanic", number=CALLED))
    assert {"foresee.loses-number", "missing.office"} <= set(told(lose, i.EndTurn(ADA)))
    assert told(laid(machine(at="0/office", number=4)), i.TakeNumber(ADA))["foresee.replaces"] == {"number": 4}
    assert told(lose, i.TakeGold(ADA))["foresee.gold"] == {"gold": 5, "left": 6}


def test_moves_and_hits_are_foreseen() -> None:
    steps = (Ending(ADA), Acting(ADA), Moving(ADA))
    table = laid(machine(at="4/a"), machine(at="4/market"), markets="thunder-jar", steps=steps)
    assert told(table, i.Roll(ADA))["foresee.reach"] == {"low": 1, "high": 6}
    table.do(i.Roll(ADA)).rolls(3)
    lines = told(table, i.Go(ADA, board_place(4), PlaceId("4/market")))
    assert lines["foresee.cards-there"] == {"n": 1}
    assert "foresee.meets" in lines
    fight = laid(machine(at="4/a"), machine("thunder-jar brass-umbrella tide-dynamo", at="4/a"))
    fight.do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert "foresee.cascade" in told(fight, i.Destroy(ADA, piece("tide-dynamo")))
    assert "foresee.cascade" not in told(fight, i.Disable(ADA, piece("thunder-jar")))
    fight.do(i.Destroy(ADA, piece("tide-dynamo")))
    assert told(fight, i.SwitchOff(BEN, piece("thunder-jar")))["power.meter"] == {"draw": 5, "capacity": 5, "left": 0}


@pytest.mark.rule("P12")
def test_the_meter_tells_what_hangs_on_the_plant() -> None:
    table = laid(machine("thunder-jar glass-carriage tide-dynamo"))
    lines = {said.key: facts(said) for said in words_of(GAME.own(table.view(ADA), ADA))}
    assert lines["power.meter"] == {"draw": 13, "capacity": 18, "left": 5}
    assert lines["power.pair"] == {"bonus": 6}
    assert lines["power.plant-fails"] == {"capacity": 5, "draw": 13, "over": 8}
    safe = laid(machine("fog-bell water-wheel"))
    assert "power.plant-safe" in {said.key for said in words_of(GAME.own(safe.view(ADA), ADA))}


@pytest.mark.rule("P30", "P44", "P17")
def test_the_check_names_each_missing_condition_by_its_rule() -> None:
    table = laid(machine("angry-goose -fog-bell sedan-chair", at="4/a", number=2))
    found = [(m.rule, m.said.key) for m in missing(table.now, ADA)]
    assert found == [
        ("P30", "missing.disabled"),
        ("P30", "missing.empty"),
        ("P30", "missing.office"),
        ("P17", "missing.turns"),
    ]
    assert ("P44", "missing.number") in [(m.rule, m.said.key) for m in missing(table.now, BEN)]
    ready = laid(machine(SET, at="0/office", number=1))
    assert "status.wins-next" in {said.key for said in GAME.status(ready.view(PUBLIC)).words}
    called = laid(machine(SET, at="0/office", number=CALLED))
    assert "status.wins" in {said.key for said in GAME.status(called.view(PUBLIC)).words}
    easier = laid(machine("angry-goose fog-bell sedan-chair", at="0/office", number=CALLED), easier="on")
    assert missing(easier.now, ADA) == ()


def alarms(table: Table) -> list[str]:
    """What the referee check warns of, about anybody; what it draws and what it says are the same."""
    status = GAME.status(table.view(PUBLIC))
    drawn = [each.alarm.key for each in status.facts if isinstance(each, Standing) and each.alarm]
    assert drawn == [said.key for said in status.words if said.key.startswith("status.wins")]
    return drawn


def forecast(table: Table, intent: Intent) -> list[str]:
    return [said.key for said in GAME.foresee(table.view(ADA), intent)]


@pytest.mark.rule("P.a", "P.ac")
def test_where_winning_is_an_action_nothing_says_that_the_end_of_the_turn_wins() -> None:
    table = laid(machine(SET, at="0/office", number=CALLED), win="action")
    assert alarms(table) == ["status.wins-by-action"]
    assert forecast(table, i.ClaimPatent(ADA)) == ["foresee.wins"]
    assert forecast(table, i.EndTurn(ADA)) == ["foresee.loses-number", "foresee.claim-first", "foresee.next"]
    assert forecast(table, i.TakeGold(ADA))[:2] == ["foresee.loses-number", "foresee.claim-first"]
    assert forecast(table, i.TakeNumber(ADA)) == ["foresee.replaces-called"], "P.h: that one is not lost"
    assert table.do(i.EndTurn(ADA)).now.machines[ADA].number == NO_NUMBER, "and so it is"
    waiting = laid(machine(SET, at="0/office", number=1), win="action")
    assert alarms(waiting) == ["status.wins-next-by-action"]


@pytest.mark.rule("P.ac")
def test_a_spent_action_ends_the_hope_of_who_must_win_by_one() -> None:
    spent = laid(machine(SET, at="0/office", number=CALLED), win="action", steps=(Ending(ADA),))
    assert alarms(spent) == []
    assert [(m.rule, m.said.key) for m in missing(spent.now, ADA)] == [("P.ac", "missing.action")]
    assert forecast(spent, i.EndTurn(ADA)) == ["foresee.loses-number", "missing.action", "foresee.next"]
    checks = next(each for each in GAME.own(spent.view(ADA), ADA) if isinstance(each, Checks)).checks
    assert [(check.rule, check.kept) for check in checks][-1] == ("P.ac", False)
    by_turn = laid(machine(SET, at="0/office", number=CALLED), steps=(Ending(ADA),))
    assert (alarms(by_turn), forecast(by_turn, i.EndTurn(ADA))) == (["status.wins"], ["foresee.wins"])
    assert forecast(laid(machine(SET, at="0/office", number=CALLED)), i.TakeGold(ADA)) == ["foresee.gold"]


@pytest.mark.rule("P30", "P31")
def test_who_was_called_out_of_turn_does_not_win_as_anothers_turn_ends() -> None:
    table = laid(machine(), machine(SET, at="0/office", number=1)).do(i.SetNumber(ADA, BEN, CALLED))
    assert alarms(table) == ["status.wins-next"]
    assert table.do(i.EndTurn(ADA)).now.winner == TABLE
    assert alarms(table) == ["status.wins"]


@pytest.mark.rule("P30")
@pytest.mark.parametrize("win", ["end-of-turn", "action"])
def test_once_the_game_is_over_nobody_wins_any_more_and_nothing_is_missing(win: str) -> None:
    table = laid(machine(SET, at="0/office", number=CALLED), machine(SET, at="0/office", number=1), win=win)
    table.do(i.ClaimPatent(ADA) if win == "action" else i.EndTurn(ADA))
    assert GAME.result(table.now) is not None
    words = [said.key for said in GAME.status(table.view(PUBLIC)).words]
    assert alarms(table) == []
    assert not [key for key in words if key.startswith("missing.")]
    assert not [each for seat in (ADA, BEN) for each in GAME.own(table.view(seat), seat) if isinstance(each, Checks)]


def test_the_check_lists_prices_deck_labs_and_who_is_awaited() -> None:
    table = laid(machine(), markets="thunder-jar fog-bell", labs="mangolds-robot", junkyard="pet-star", deck="oak-door")
    said = GAME.status(table.view(PUBLIC)).words
    prices = [facts(line)["price"] for line in said if line.key == "status.price"]
    assert prices == [1, 6]
    assert say("status.lab", board=3, n=1) in said
    assert say("status.deck", n=1) in said
    assert {"status.junk", "status.awaited"} <= {line.key for line in said}
    findings = GAME.status(table.view(PUBLIC)).findings
    assert [f.rule for f in findings] == ["P4"], "42 cards are missing from this position"
    short = laid(machine("thunder-jar"))
    assert "P10" in [f.rule for f in GAME.status(short.view(PUBLIC)).findings]


@pytest.mark.rule("P13")
def test_the_picture_shows_boards_pawns_and_machines_with_face_down_cards_marked() -> None:
    table = laid(machine("thunder-jar -fog-bell boiler-of-doubt"), markets="arc-harpoon", labs="mangolds-robot")
    picture = GAME.picture(table.view(PUBLIC))
    shapes = picture.shapes
    tokens = [(s.token, s.down) for s in shapes if isinstance(s, Card) and s.token is not None]
    cards = {token.value: down for token, down in tokens if token.kind == "piece"}
    face_down = {"thunder-jar": False, "fog-bell": True, "boiler-of-doubt": False}
    assert cards == face_down
    assert sum(isinstance(s, Stroke) for s in shapes) == len(table.now.setup.pack.links)
    assert [s.seat for s in shapes if isinstance(s, Disc)] == [0, 1, 2]
    boards = [s for s in shapes if isinstance(s, Zone) and s.head is not None]
    assert [s.head for s in boards] == [(year, board) for board, year in enumerate(CLERK.years)]
    assert [s.head[1] for s in boards if s.head and s.marked] == [4], "Ada is on turn at the Market of board 4"
    empty = [s for s in shapes if isinstance(s, Card) and s.face is not None and s.face.number is None]
    assert len(empty) == 1 + 4 + 4
    assert [s.token.value for s in empty if s.token][:2] == ["slot/0/chassis", "slot/1/weapon"], "a card may go there"
    assert all(s.x >= 0 and s.x + s.w <= picture.width for s in shapes if isinstance(s, Card | Zone))


def test_the_headline_says_whose_turn_and_who_is_called() -> None:
    assert GAME.headline(laid(machine()).now).key == "headline.turn"
    assert GAME.headline(laid(machine(number=CALLED)).now).key == "headline.called"
    over = laid(machine(SET, at="0/office", number=CALLED)).do(i.EndTurn(ADA))
    assert GAME.headline(over.now).key == "headline.over"
    assert GAME.headline(Table(GAME.start(over.now.setup)).now).key == "headline.setup"


def test_free_text_is_shown_as_not_enforced_and_an_owners_name_is_kept() -> None:
    from msgspec.structs import replace

    own = Upgrade("thunder-jar", "weapon", 6, 4, name=Words("Tesla Coil", "Bobine Tesla"), text="Hums when it rains.")
    pack = replace(PLAIN, upgrades=tuple(own if c.id == own.id else c for c in PLAIN.upgrades))
    table = laid(machine("thunder-jar boiler-of-doubt"), pack=pack)
    assert any(said.key == "effect.free-text" for said in words_of(GAME.own(table.view(ADA), ADA)))
    name = dict(GAME.describe(pack, piece("thunder-jar")).facts)["name"]
    assert name == Both("Tesla Coil", "Bobine Tesla")
    assert GAME.describe(pack, piece("nothing-such")) == say("piece.unknown")


def test_every_place_has_a_name() -> None:
    names = {
        place: GAME.place(PlaceId(place)).key
        for place in ("3/lab", "0/office", "3/a", "slot/0/weapon", "machine/1", "hand/2", "deck", "box", "board/3")
    }
    assert list(names.values()) == [
        "place.lab",
        "place.office",
        "place.space",
        "place.slot",
        "place.machine",
        "place.hand",
        "place.deck",
        "place.box",
        "place.board",
    ]


def test_the_report_has_a_line_for_gold_set_and_number() -> None:
    lines = {line.key: line.values for line in GAME.series(laid(machine("fog-bell", gold=7, number=3)).now)}
    assert lines["series.gold"][0] == 7
    assert lines["series.working"] == (1, 0, 0)
    assert lines["series.number"] == (3, None, None)


def test_a_seat_sees_its_researched_card_and_others_see_that_there_is_one() -> None:
    table = drawn(3, *INVENTORS[:3]).do(i.Drew(TABLE, piece("fog-bell")))
    for audience, shown in ((ADA, "fog-bell"), (BEN, UNKNOWN), (PUBLIC, UNKNOWN)):
        shapes = GAME.picture(table.view(audience)).shapes
        (card,) = (s for s in shapes if isinstance(s, Card) and s.said.key != "picture.empty")
        assert (UNKNOWN if card.token is None else card.token.value) == shown
        assert card.down == (card.face is None) == (shown == UNKNOWN)
