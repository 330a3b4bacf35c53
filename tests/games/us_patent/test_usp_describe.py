"""Owners of the printed game: blank cards, and cards described on the spot while the game goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.kit.kit import plain
from companion.core import (
    PUBLIC,
    TABLE,
    UNKNOWN,
    Accepted,
    Both,
    PieceId,
    SeatId,
    SetupError,
    Word,
    facts_of,
    fold,
    judge,
    label,
    mask,
    mentions,
    told,
)
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.owning import INVENTORS, LINKS, SPACES, UPGRADES
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.describe import describing
from companion.games.us_patent.state import (
    Inventor,
    Link,
    Pack,
    Ranged,
    Space,
    Upgrade,
    known,
    own_name,
    start,
    text_of,
    turn_steps,
    upgrade_of,
)
from companion.games.us_patent.state.cards import Words
from companion.games.us_patent.state.vocabulary import Drive
from companion.library import InBoth, OwnPacks, shelf
from companion.library.card_forms import fields_of, read, typed
from companion.library.own_packs import NotOurs
from tests.games.us_patent import naive
from tests.games.us_patent.play import (
    ADA,
    BEN,
    CLEO,
    CLERK,
    Table,
    drawn,
    in_lab,
    in_market,
    laid,
    machine,
    piece,
    playout,
    setup_for,
    setup_with,
)

BLANK: Pack = shelf.pack(GAME, "blank", Path())
COIL = Upgrade("weapon-3", "weapon", 3, 6, Words("Tesla Coil", "Bobine Tesla"), (Ranged("time"),), "Hums.")
NOTE = InBoth("Ours.", "À nous.")


def described(table: Table, seat: SeatId, card: Upgrade) -> Table:
    return table.do(describing(seat, piece(card.id), card))


def researched() -> Table:
    """Ada has drawn a card of a blank pack and looks at it."""
    table = drawn(3, "quill-1814", "lampwright-1857", "velocipedist-1889", pack=BLANK)
    return table.do(i.Drew(TABLE, piece("weapon-3")))


@pytest.mark.rule("P45", "P18")
def test_a_card_that_nobody_has_described_is_described_by_who_draws_it_and_goes_where_it_belongs() -> None:
    table = described(researched(), ADA, COIL).do(in_market(ADA, 6))
    assert table.now.markets[6] == ("weapon-3",)
    assert known(table.now).cards[piece("weapon-3")].period == 6
    name = dict(GAME.describe(GAME.pack_now(table.now), piece("weapon-3")).facts)["name"]
    assert name == Both("Tesla Coil", "Bobine Tesla")


@pytest.mark.rule("P45")
def test_a_description_is_as_secret_as_its_card() -> None:
    table = described(researched(), ADA, COIL)
    for audience in (PUBLIC, BEN):
        view = table.view(audience)
        assert [hidden.value for hidden in view.described] == [UNKNOWN]
        assert GAME.pack_now(view) == BLANK
        assert "weapon-3" not in repr([told(GAME, view, event, audience) for event in table.events])
        assert "Tesla" not in repr([told(GAME, view, event, audience) for event in table.events])
    assert GAME.pack_now(table.view(ADA)).upgrades[2] == COIL
    laid_open = table.do(in_market(ADA, 6))
    assert GAME.pack_now(laid_open.view(PUBLIC)).upgrades[2] == COIL


@pytest.mark.rule("P45")
def test_in_a_lab_it_stays_secret_until_the_card_is_installed() -> None:
    table = described(researched(), ADA, replace(COIL, period=1)).do(in_lab(ADA, 1), i.Stay(ADA))
    assert GAME.pack_now(table.view(BEN)) == BLANK
    table.do(i.LookInLab(ADA), i.Invent(ADA, piece("weapon-3")))
    assert GAME.pack_now(table.view(BEN)).upgrades[2] == replace(COIL, period=1)


@pytest.mark.rule("P45")
def test_only_who_sees_a_card_describes_it() -> None:
    table = researched()
    assert table.why(describing(BEN, piece("weapon-3"), COIL)) == ("P45", "card-seen")
    assert table.why(describing(TABLE, piece("weapon-3"), COIL)) == ("P45", "card-seen")
    hidden = replace(COIL, id="weapon-4")
    assert table.why(describing(ADA, piece("weapon-4"), hidden)) == ("P45", "card-seen")
    table.do(i.TellPeriod(ADA, 6), in_market(ADA, 6))
    described(table, BEN, COIL)
    described(table, TABLE, COIL)


@pytest.mark.rule("P23", "P.ai")
def test_who_looks_or_remembers_sees_it_too() -> None:
    card = next(up for up in CLERK.upgrades if up.id == "fog-bell")
    looking = laid(machine(at="1/lab"), labs="fog-bell").do(i.LookInLab(ADA))
    described(looking, ADA, replace(card, rank=2))
    kept = laid(machine(at="1/lab"), labs="fog-bell", lab_memory="on").do(i.LookInLab(ADA), i.InventNothing(ADA))
    described(kept, ADA, replace(card, rank=2))
    assert kept.why(describing(CLEO, piece("fog-bell"), card)) == ("P45", "card-seen")


@pytest.mark.rule("P4", "P5", "P6")
def test_what_describes_no_card_is_refused() -> None:
    table = laid(machine("thunder-jar eternal-candle"))
    jar = next(up for up in CLERK.upgrades if up.id == "thunder-jar")
    assert table.why(i.Describe(ADA, piece("nonsense"), "")) == ("P4", "an-upgrade-of-the-pack")
    for text in ("", "{}", '"x"', text_of(replace(jar, id="full-stop")), "[" * 5000):
        assert table.why(i.Describe(ADA, piece("thunder-jar"), text)) == ("P6", "readable")
    whole = json.loads(text_of(jar))
    for name, value in (("rank", 21), ("rank", -1), ("period", 9), ("slot", "wheel")):
        assert table.why(i.Describe(ADA, piece("thunder-jar"), json.dumps(whole | {name: value}))) == ("P6", "readable")
    for rank in (0, 20):
        Table(table.now).do(i.Describe(ADA, piece("thunder-jar"), json.dumps(whole | {"rank": rank})))
    assert table.why(describing(ADA, piece("thunder-jar"), replace(jar, slot="shield"))) == ("P5", "slot-stays")
    described(table, ADA, replace(jar, rank=7))
    loose = laid(junkyard="thunder-jar")
    described(loose, ADA, replace(jar, slot="shield"))
    assert known(loose.now).cards[piece("thunder-jar")].slot == 1


@pytest.mark.rule("P6", "P10")
def test_a_rank_that_was_wrong_may_leave_a_machine_short() -> None:
    table = laid(machine("angry-goose fog-bell"))
    goose = next(up for up in CLERK.upgrades if up.id == "angry-goose")
    described(table, BEN, replace(goose, rank=5))
    assert table.awaits() == ("short", (ADA,))
    again = described(laid(machine("angry-goose")), BEN, replace(goose, rank=9))
    assert again.happened(e.SwitchedOff) == [e.SwitchedOff(ADA, piece("angry-goose"))]
    assert len(described(table, BEN, replace(goose, rank=1)).now.described) == 1
    assert table.awaits() == ("act", (ADA,))


@pytest.mark.rule("P30")
def test_nothing_is_described_once_the_game_is_over() -> None:
    table = laid(machine("thunder-jar"), steps=())
    jar = next(up for up in CLERK.upgrades if up.id == "thunder-jar")
    assert table.why(describing(ADA, piece("thunder-jar"), jar)) == ("P30", "running")


def test_what_is_typed_is_no_part_of_a_label_and_nothing_points_at_it() -> None:
    wish = describing(ADA, piece("weapon-3"), COIL)
    called = label(GAME, researched().view(PUBLIC), wish, frozenset())
    assert "Tesla" not in repr(called) + repr(facts_of(wish)) + repr(mentions(wish))
    assert GAME.describing is not None
    assert GAME.describing(ADA, piece("weapon-3"), COIL) == wish
    assert upgrade_of(wish.upgrade) == COIL


# Packs of one's own


def test_a_blank_card_says_that_it_is_not_described_yet() -> None:
    assert own_name(BLANK.upgrades[0]) == Word("card.unnamed")
    assert own_name(CLERK.upgrades[0]) == Word(f"card.{CLERK.upgrades[0].id}")
    assert own_name(replace(BLANK.upgrades[0], name=Words("", ""))) == Word("card.unnamed")


def test_owners_copy_the_blank_pack_fill_in_a_card_and_give_it_on(tmp_path: Path) -> None:
    own = OwnPacks(tmp_path)
    assert own.names(GAME.id) == ("blank",)
    assert not own.may_change(GAME.id, "blank")
    name = own.copy(GAME, "blank", "My box", "Ada", NOTE)
    pack = own.load(GAME, name)
    typed_in = typed(UPGRADES, pack.upgrades[2]) | {"name.en": "Tesla Coil", "period": "6", "effects.0.is": "drive"}
    card, wrongs = read(UPGRADES, typed_in | {"effects.0.dice": "2", "effects.0.plus": "0"}, pack.upgrades[2])
    assert wrongs == ()
    assert card == Upgrade("weapon-3", "weapon", 3, 6, Words("Tesla Coil", ""), (Drive(dice=2),))
    cards = (*pack.upgrades[:2], card, *pack.upgrades[3:])
    own.change(GAME, name, UPGRADES.write(pack, cards), own.mark(GAME, name))
    again = own.take_in(GAME, own.text(GAME, name))
    assert own.load(GAME, again).upgrades[2] == card
    with pytest.raises(NotOurs):
        own.throw_away(GAME, "blank")


def test_a_card_is_entered_in_few_inputs() -> None:
    """Type, rank, period, name and one effect: six choices, two numbers at most and one name are under 20 seconds."""
    fields = fields_of(UPGRADES)
    assert [field.name for field in fields] == ["slot", "rank", "period", "name", "effects", "text"]
    assert [field.name for field in fields if field.needed] == ["slot", "rank", "period"]


@pytest.mark.rule("P.aq", "P.ak", "P2")
def test_what_does_not_fit_the_rest_of_the_pack_is_told_beside_its_field() -> None:
    first = CLERK.inventors[0]
    assert INVENTORS.wrong(CLERK, first) == ()
    moved: Any = replace(first, year=CLERK.inventors[1].year, start="3/cellar")
    assert [wrong.field for wrong in INVENTORS.wrong(CLERK, moved)] == ["year", "start"]
    assert [wrong.field for wrong in SPACES.wrong(CLERK, Space("1/lab"))] == ["id"]
    assert SPACES.wrong(CLERK, Space("1/c")) == ()
    assert [wrong.field for wrong in LINKS.wrong(CLERK, Link("1/x", "1/y"))] == ["a", "b"]
    assert LINKS.wrong(CLERK, Link("1/lab", "8/lab")) == ()


@pytest.mark.rule("P2")
def test_a_space_taken_off_the_map_takes_its_links_along_and_a_start_must_be_there() -> None:
    rest = tuple(space for space in CLERK.spaces if space.id != "1/lab")
    pack = SPACES.write(CLERK, rest)
    assert all("1/lab" not in (link.a, link.b) for link in pack.links)
    with pytest.raises(SetupError, match="starts at 1/lab"):
        start(setup_for(3, pack))
    elsewhere = tuple(replace(m, start="1/market") if m.start == "1/lab" else m for m in CLERK.inventors)
    assert start(setup_for(3, INVENTORS.write(pack, elsewhere))).machines
    assert isinstance(elsewhere[0], Inventor)
    assert PieceId(elsewhere[0].id) == "quill-1814"


@pytest.mark.slow
def test_the_second_referee_agrees_about_descriptions() -> None:
    """Every card in a game in full swing, described rightly and wrongly by everybody."""
    asked = allowed = 0
    setup = plain(setup_with(3, CLERK, {"lab_memory": "on"}))
    for before, _, _ in playout(3, 5, 120, {"lab_memory": "on"}):
        moment = plain(before)
        for card in CLERK.upgrades[::5]:
            for told_so in (card, replace(card, slot="weapon"), CLERK.upgrades[0]):
                for seat in (ADA, CLEO, TABLE):
                    wish = i.Describe(seat, piece(card.id), text_of(told_so))
                    may = isinstance(judge(GAME, before, wish), Accepted)
                    assert may == naive.legal(setup, moment, plain(wish)), (wish, before.steps)
                    asked, allowed = asked + 1, allowed + may
    assert 0 < allowed < asked


@pytest.mark.rule("P6")
def test_a_description_has_at_most_two_thousand_characters() -> None:
    assert upgrade_of(text_of(COIL).ljust(2000)) == COIL
    assert upgrade_of(text_of(COIL).ljust(2001)) is None


@pytest.mark.rule("P6")
def test_each_described_card_keeps_its_description_until_it_is_told_anew() -> None:
    table = laid(machine("thunder-jar fog-bell"), machine("water-wheel"))
    ranks = {"thunder-jar": 3, "fog-bell": 2, "water-wheel": 5}
    for name, rank in (("thunder-jar", 4), *ranks.items()):
        card = next(up for up in CLERK.upgrades if up.id == name)
        described(table, ADA, replace(card, rank=rank))
    assert {name: known(table.now).cards[piece(name)].rank for name in ranks} == ranks
    assert len(table.now.described) == 3


@pytest.mark.rule("P45")
@pytest.mark.parametrize("first", [True, False], ids=["seen-first", "secret-first"])
def test_who_may_not_know_one_description_keeps_the_others(first: bool) -> None:
    table = laid(machine("fog-bell"), steps=turn_steps(ADA)).do(i.Drew(TABLE, piece("thunder-jar")))
    cards = [next(up for up in CLERK.upgrades if up.id == name) for name in ("fog-bell", "thunder-jar")]
    for card in cards if first else cards[::-1]:
        view = table.view(BEN)
        described(table, ADA, card)
        assert fold(GAME, view, tuple(mask(event, BEN) for event in table.events)) == table.view(BEN)
    assert len(table.view(BEN).described) == 2


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    ("name", "slot"), [("thunder-jar", "shield"), ("fog-bell", "weapon"), ("water-wheel", "weapon")]
)
@pytest.mark.parametrize("seat", [ADA, BEN])
def test_a_card_on_any_machine_stays_in_its_slot(name: str, slot: Any, seat: SeatId) -> None:
    full = machine("thunder-jar fog-bell water-wheel")
    table = laid(full) if seat == ADA else laid(machine(), full)
    card = next(up for up in CLERK.upgrades if up.id == name)
    assert table.why(describing(CLEO, piece(name), replace(card, slot=slot))) == ("P5", "slot-stays")


def test_a_name_in_one_language_is_a_name() -> None:
    assert own_name(replace(BLANK.upgrades[0], name=Words("", "Bobine"))) == Both("", "Bobine")
    assert own_name(replace(BLANK.upgrades[0], name=Words("Coil", ""))) == Both("Coil", "")
