"""Moving a card needs no OK: the tag of the space where a card lies, and a zone reader under a slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from companion.app.script import read
from companion.app.script.evening import Evening
from companion.box import hands
from companion.core import (
    ConfirmPage,
    Intent,
    Lifted,
    Page,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Pressed,
    ReaderId,
    RefusedPage,
    StepPage,
    Tapped,
    Token,
    say,
    verb_of,
)
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import VERBS
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import Ending, Loot, Pack
from companion.library import PieceTag, pretend_uid
from tests.games.us_patent.play import ADA, BEN, CLERK, laid, machine

TOP = "game us-patent\nseats Ada, Ben, Chloé\nchance typed\n"
AT_SLOT, AT_OTHERS = ReaderId("ada-plant"), ReaderId("ben-plant")
ZONES = {AT_SLOT: PlaceId("slot/0/plant"), AT_OTHERS: PlaceId("slot/1/plant")}
DEALT = ("quill-1814", "aviatrix-1926", "astronaut-1969")
Tap = Callable[..., None]


def shown(now: Evening) -> Page:
    """What the display shows first of all."""
    return now.now.flash or now.now.page


@contextmanager
def evening(*cards: str, pack: Pack = CLERK) -> Iterator[tuple[Evening, Tap]]:
    """Ada, of 1814, begins; she taps these cards one after another."""
    header = read(TOP, "laying").header
    with Evening(replace(header, setup=replace(header.setup, pack=pack)), ZONES) as now:

        def tap(what: str, reader: str = "", kind: str = "piece") -> None:
            value = int(what) if kind == "number" else what
            uid = pretend_uid(hands.tag_of(GAME.id, Token(kind, value)))  # type: ignore[arg-type]
            now.give(Tapped(uid, ReaderId(reader or "left")))

        for card in (*DEALT, *cards):
            tap(card)
        yield now, tap


@pytest.mark.rule("P18")
def test_the_tag_of_the_lab_says_where_the_researched_card_went() -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/lab", kind="place")
        assert [hidden.value for hidden in now.now.state.labs[1]] == ["water-wheel"]


@pytest.mark.rule("P18")
def test_the_tag_of_its_market_shows_the_card() -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/market", kind="place")
        assert now.now.state.markets[1] == ("water-wheel",)


@pytest.mark.rule("P19")
def test_the_tag_of_the_space_underfoot_is_to_stay() -> None:
    with evening("water-wheel") as (now, tap):
        tap("1/lab", kind="place")
        tap("1/lab", kind="place")
        assert now.now.decisions[-1].kind == "act"
        assert now.now.state.machines[ADA].at == "1/lab"


@contextmanager
def at_the_market() -> Iterator[tuple[Evening, Tap]]:
    """Ada stands on the Market of 1, where the Water Wheel is on sale."""
    with evening("water-wheel") as (now, tap):
        tap("1/market", kind="place")
        tap("6", kind="number")
        tap("1/market", kind="place")
        assert now.now.decisions[-1].kind == "act"
        yield now, tap


@pytest.mark.rule("P22")
def test_a_bought_card_is_laid_into_its_slot_and_that_is_all() -> None:
    with at_the_market() as (now, tap):
        tap("water-wheel", AT_SLOT)
        assert now.now.state.machines[ADA].cards[3] == "water-wheel"
        assert now.now.state.machines[ADA].gold == 8 - 3


@pytest.mark.rule("P22")
def test_on_a_wand_it_asks_first() -> None:
    with at_the_market() as (now, tap):
        tap("water-wheel", "left")
        assert isinstance(shown(now), ConfirmPage)
        assert now.now.state.machines[ADA].cards[3] == ""
        now.give(Pressed("ok"))
        assert now.now.state.machines[ADA].cards[3] == "water-wheel"


@pytest.mark.rule("P22")
def test_in_the_slot_of_another_the_table_is_out_of_step_until_it_lies_right() -> None:
    with at_the_market() as (now, tap):
        tap("water-wheel", AT_OTHERS)
        back = say("hands.piece", piece=Piece(PieceId("water-wheel")), place=Place(PlaceId("1/market")))
        assert now.now.page == StepPage(say("step.astray"), back, 1, 1, is_wrong=True)
        now.give(Pressed("ok"))
        assert now.now.state.machines[ADA].cards[3] == "", "nothing is played meanwhile"
        now.give(Lifted(pretend_uid(PieceTag(GAME.id, PieceId("water-wheel"))), AT_OTHERS))
        assert not now.now.repairs
        tap("water-wheel", AT_SLOT)
        assert now.now.state.machines[ADA].cards[3] == "water-wheel"


@pytest.mark.rule("P22")
def test_the_slots_tag_alone_buys_nothing() -> None:
    with at_the_market() as (now, tap):
        tap("slot/0/plant", kind="place")
        assert now.now.state.machines[ADA].gold == 8
        assert isinstance(shown(now), ConfirmPage)


@pytest.mark.rule("P22")
def test_what_may_not_lie_there_is_refused_as_on_a_wand() -> None:
    pages = []
    for reader in ("left", AT_SLOT):
        with evening("water-wheel") as (now, tap):
            tap("1/market", kind="place")
            tap("water-wheel", reader)
            pages.append(shown(now))
            assert now.now.state.machines[ADA].cards[3] == ""
    assert isinstance(pages[0], RefusedPage)
    assert pages[0] == pages[1]


LANDING = (
    (i.Buy(BEN, PieceId("water-wheel")), "slot/1/plant"),
    (i.Salvage(BEN, PieceId("thunder-jar")), "slot/1/weapon"),
    (i.Invent(ADA, PieceId("oak-door")), "slot/0/shield"),
    (i.InstallLoot(ADA), "slot/0/chassis"),
    (i.Stay(BEN), "4/market"),
)


@pytest.mark.parametrize(("intent", "place"), LANDING)
@pytest.mark.rule("P5", "P7")
def test_every_card_that_comes_onto_a_machine_lands_in_its_slot(intent: Intent, place: str) -> None:
    steps = (Ending(ADA), Loot(ADA, PieceId("sedan-chair"), True))
    table = laid(machine(), machine(), steps=steps)
    lands = verb_of(GAME, intent).lands
    assert lands is not None
    assert lands(table.now, intent) == (place,)


def test_nothing_else_lands_anywhere() -> None:
    lands = {verb.intent for verb in VERBS if verb.lands is not None}
    assert lands == {i.PlaceInLab, i.PlaceInMarket, *(type(intent) for intent, _ in LANDING)}
