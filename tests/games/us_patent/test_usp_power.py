"""The machine and its power; every possible machine against a brute-force count."""

from __future__ import annotations

from itertools import product

import pytest

from companion.core import TABLE, PlaceId
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    CHASSIS,
    PLANT,
    SLOTS,
    Hit,
    Machine,
    SelfRepair,
    capacity,
    draw,
    is_short,
    tables,
    with_machine,
)
from companion.games.us_patent.state.cards import SHIELD, WEAPON
from companion.games.us_patent.state.vocabulary import Counter, Drive, Robbery, Surplus, Thrift
from tests.games.us_patent.play import ADA, BEN, CLERK, PLAIN, Table, laid, machine, pack_with, piece

KNOWN = tables(PLAIN)
BY_RANK = {(card.slot, card.rank): card.id for card in PLAIN.upgrades}


def of(*ranks: tuple[int, bool] | None) -> Machine:
    """A machine by rank and state of each slot."""
    cards = [BY_RANK[slot, rank[0]] if rank else "" for slot, rank in zip(SLOTS, ranks, strict=True)]
    works = [bool(rank and rank[1]) for rank in ranks]
    return Machine(cards=tuple(piece(c) for c in cards), works=tuple(works))


def counted(ranks: dict[str, int]) -> tuple[int, int]:
    """The numbered rules, counted on fingers: ranks of the working cards only."""
    have = 5
    if "plant" in ranks:
        have += ranks["plant"]
        if ranks.get("chassis") == ranks["plant"]:
            have += 6
    return have, sum(rank for slot, rank in ranks.items() if slot != "plant")


@pytest.mark.rule("P8", "P9", "P.f")
def test_every_machine_agrees_with_a_brute_force_count() -> None:
    """Each slot empty, working or disabled with each rank: 25⁴ machines."""
    states: list[tuple[int, bool] | None] = [None, *product(range(1, 13), (True, False))]
    short = 0
    for ranks in product(states[:1] + states[1::3], states[:1] + states[2::3], states, states):
        own = of(*ranks)
        have, need = counted({slot: r[0] for slot, r in zip(SLOTS, ranks, strict=True) if r and r[1]})
        assert (capacity(KNOWN, own), draw(KNOWN, own)) == (have, need)
        assert is_short(KNOWN, own) == (need > have)
        short += need > have
    assert short > 1000, "both answers were met"


@pytest.mark.slow
@pytest.mark.rule("P8", "P9")
def test_every_single_machine_agrees() -> None:
    states: list[tuple[int, bool] | None] = [None, *product(range(1, 13), (True, False))]
    for ranks in product(states, repeat=4):
        own = of(*ranks)
        have, need = counted({slot: r[0] for slot, r in zip(SLOTS, ranks, strict=True) if r and r[1]})
        assert (capacity(KNOWN, own), draw(KNOWN, own)) == (have, need)


@pytest.mark.rule("P11")
@pytest.mark.parametrize("rank", range(1, 13))
def test_a_matched_pair_leaves_eleven(rank: int) -> None:
    own = of(None, None, (rank, True), (rank, True))
    assert capacity(KNOWN, own) - draw(KNOWN, own) == 11


@pytest.mark.rule("P5")
def test_a_card_goes_into_the_slot_of_its_own_type() -> None:
    table = laid(machine(gold=9), markets="thunder-jar")
    table.do(i.Buy(ADA, piece("thunder-jar")))
    assert table.now.machines[ADA].cards == ("thunder-jar", "", "", "")
    assert table.why(i.MoveCard(ADA, piece("fog-bell"), PlaceId("slot/0/weapon"))) == ("P5", "own-slot")
    assert table.why(i.MoveCard(ADA, piece("bee-cannon"), PlaceId("slot/0/weapon"))) == ("P5", "slot-free")


@pytest.mark.rule("P6")
def test_rank_is_price_power_and_patent_value() -> None:
    table = laid(machine(gold=6), markets="thunder-jar flying-bathtub")
    table.do(i.Buy(ADA, piece("flying-bathtub")))
    assert table.now.machines[ADA].gold == 0
    table = laid(machine("thunder-jar boiler-of-doubt", at="0/office", gold=0)).do(i.Patent(ADA, piece("thunder-jar")))
    assert table.now.machines[ADA].gold == 6
    assert draw(KNOWN, of((6, True), None, None, None)) == 6
    assert capacity(KNOWN, of(None, None, None, (6, True))) == 11


@pytest.mark.rule("P7")
@pytest.mark.parametrize("old", ["bee-cannon", "-bee-cannon"])
def test_the_old_card_goes_to_the_junkyard_working_or_not(old: str) -> None:
    table = laid(machine(old, gold=9), markets="thunder-jar", junkyard="fog-bell")
    table.do(i.Buy(ADA, piece("thunder-jar")))
    assert table.now.junkyard == ("bee-cannon", "fog-bell")
    assert table.now.machines[ADA].attached() == ("thunder-jar",)


def hit(own: str, *, effects: dict[str, tuple[Surplus | Thrift, ...]] | None = None) -> Table:
    """Ada has just hit Ben, who has these cards, by 6."""
    table = laid(machine("", at="4/a"), machine(own, at="4/a"), effects=effects or {})
    return table.do(i.Attack(ADA, BEN)).rolls(12, 1)


@pytest.mark.rule("P10", "P12", "P.d")
def test_losing_the_plant_starts_a_cascade_that_the_owner_settles() -> None:
    table = hit("thunder-jar glass-carriage tide-dynamo -brass-umbrella")
    table.do(i.Destroy(ADA, piece("tide-dynamo")))
    assert table.awaits() == ("short", (BEN,))
    assert table.why(i.SwitchOff(ADA, piece("thunder-jar")))[0] == "P10"
    assert table.why(i.TakeGold(ADA))[0] in {"P10", "P20"}
    table.do(i.SwitchOff(BEN, piece("thunder-jar")))
    assert table.works(BEN) == set(), "7 > 5 still: the Chassis goes by itself, nothing else is left"
    assert table.happened(e.SwitchedOff)[-1].card == "glass-carriage"


@pytest.mark.rule("P12", "P.f")
def test_losing_the_matching_chassis_costs_the_bonus() -> None:
    table = hit("arc-harpoon hedgehog-coat glass-carriage tide-dynamo")
    assert table.works(BEN) == {"arc-harpoon", "hedgehog-coat", "glass-carriage", "tide-dynamo"}
    table.do(i.Disable(ADA, piece("glass-carriage")))
    assert table.works(BEN) == {"arc-harpoon", "hedgehog-coat", "tide-dynamo"}, "11 of 12 suffices"
    table = hit("arc-harpoon polite-aura glass-carriage tide-dynamo")
    table.do(i.Disable(ADA, piece("tide-dynamo")))
    assert table.awaits() == ("short", (BEN,))
    assert sorted(n.card for n in table.may(i.SwitchOff, BEN)) == ["arc-harpoon", "glass-carriage", "polite-aura"]


@pytest.mark.rule("P12")
@pytest.mark.parametrize("way", ["patented", "replaced", "stolen"])
def test_every_way_of_losing_the_plant_counts(way: str) -> None:
    cards = "thunder-jar brass-umbrella -sedan-chair tide-dynamo"
    if way == "patented":
        table = laid(machine(cards, at="0/office")).do(i.Patent(ADA, piece("tide-dynamo")))
        assert table.awaits() == ("short", (ADA,))
    elif way == "replaced":
        table = laid(machine(cards, at="0/junkyard"), junkyard="pet-star").do(i.Salvage(ADA, piece("pet-star")))
        assert table.awaits() == ("short", (ADA,))
    else:
        table = laid(machine("angry-goose", at="4/a"), machine(cards, at="4/a"), effects={"angry-goose": (Robbery(),)})
        table.do(i.Attack(ADA, BEN)).rolls(12, 1).do(i.Steal(ADA, piece("tide-dynamo")))
        assert table.awaits() == ("short", (BEN,))


@pytest.mark.rule("P13")
def test_a_disabled_card_stays_does_nothing_and_is_public() -> None:
    effects = {"tuning-fork": (Counter(), Drive(dice=3), Surplus(9))}
    own = machine("-tuning-fork", at="4/a")
    table = laid(own, effects=effects)
    assert capacity(tables(table.now.setup.pack), own) == 5
    assert draw(tables(table.now.setup.pack), own) == 0
    assert table.view(BEN).machines[ADA].cards[WEAPON] == "tuning-fork"
    lies = next(lies for lies in GAME.layout(table.now) if lies.piece == "tuning-fork")
    assert (lies.place, lies.facing) == ("slot/0/weapon", "down")
    table.do(i.MoveAgain(ADA))
    assert table.why(i.MoveRolled(TABLE, 7))[1] == "dice-sum"
    assert table.why(i.TurnCard(ADA, piece("fog-bell"))) == ("P13", "attached")


@pytest.mark.rule("P14", "P.q", "P.at", "P.d")
def test_installing_is_always_legal_and_the_owner_chooses_what_goes_off() -> None:
    table = laid(machine("fog-bell sedan-chair", gold=12), markets="arc-harpoon thunder-jar")
    table.do(i.Buy(ADA, piece("arc-harpoon")))
    assert table.now.machines[ADA].gold == 4, "full price all the same"
    assert sorted(n.card for n in table.may(i.SwitchOff)) == ["arc-harpoon", "fog-bell", "sedan-chair"]
    table.do(i.SwitchOff(ADA, piece("arc-harpoon")))
    assert table.down(ADA) == {"arc-harpoon"}
    table = laid(machine("fog-bell", gold=12, at="1/market"), markets="angry-goose")
    table.do(i.Buy(ADA, piece("angry-goose")))
    assert table.works(ADA) == {"fog-bell", "angry-goose"}, "3 of 5: nobody is asked, nothing goes in disabled"


@pytest.mark.rule("P15", "P25")
def test_junk_is_free_and_comes_disabled() -> None:
    table = laid(machine(at="0/junkyard", gold=0), junkyard="fog-bell pet-star").do(i.Salvage(ADA, piece("fog-bell")))
    assert table.down(ADA) == {"fog-bell"}
    assert table.now.machines[ADA].gold == 0
    assert table.now.junkyard == ("pet-star",)


@pytest.mark.rule("P16")
def test_nothing_disabled_comes_back_by_itself() -> None:
    table = laid(machine("-fog-bell", at="4/a"), effects={"mangolds-robot": (SelfRepair(),)})
    assert table.why(i.Revive(ADA, piece("fog-bell"))) == ("P16", "mends-itself")
    assert not table.may(i.RepairAll)
    assert table.why(i.Mend(ADA)) == ("P26", "on-mechanic")
    table = laid(machine("-mangolds-robot boiler-of-doubt", at="4/a"), effects={"mangolds-robot": (SelfRepair(),)})
    table.do(i.Revive(ADA, piece("mangolds-robot")))
    assert table.works(ADA) == {"mangolds-robot", "boiler-of-doubt"}


@pytest.mark.rule("P.e")
def test_cards_go_off_one_at_a_time_and_never_by_choice() -> None:
    table = laid(machine("angry-goose fog-bell", at="4/a"))
    assert table.why(i.SwitchOff(ADA, piece("fog-bell"))) == ("P10", "short-open")
    table = hit("thunder-jar brass-umbrella sedan-chair pet-star").do(i.Destroy(ADA, piece("pet-star")))
    table.do(i.SwitchOff(BEN, piece("thunder-jar")))
    assert table.awaits() == ("short", (BEN,))
    table.do(i.SwitchOff(BEN, piece("sedan-chair")))
    assert table.works(BEN) == {"brass-umbrella"}, "5 of 5: the cascade stops"
    assert table.awaits()[0] != "short"


@pytest.mark.rule("P.p")
def test_the_plant_is_never_switched_off_and_a_matched_chassis_may_be() -> None:
    table = laid(machine("-weather-mortar rubber-parlour glass-carriage tide-dynamo", at="0/mechanic"))
    table.do(i.Mend(ADA))
    assert sorted(n.card for n in table.may(i.SwitchOff)) == ["glass-carriage", "rubber-parlour", "weather-mortar"]
    assert table.why(i.SwitchOff(ADA, piece("tide-dynamo"))) == ("P.p", "can-go-off")
    table.do(i.SwitchOff(ADA, piece("glass-carriage")))
    assert table.awaits() == ("short", (ADA,)), "without the pair 18 > 12"


@pytest.mark.rule("P.r")
def test_a_new_plant_does_not_trip_over_the_gap() -> None:
    table = laid(machine("thunder-jar polite-aura water-wheel", at="1/market", gold=9), markets="eternal-candle")
    table.do(i.Buy(ADA, piece("eternal-candle")))
    assert not table.happened(e.SwitchedOff)
    assert table.works(ADA) == {"thunder-jar", "polite-aura", "eternal-candle"}
    assert table.now.junkyard == ("water-wheel",)


@pytest.mark.rule("P33", "P41")
def test_surplus_and_thrift_change_the_count() -> None:
    pack = pack_with({"thunder-jar": (Thrift(4),), "fog-bell": (Surplus(3),), "lemon-battery": (Surplus(5),)})
    known = tables(pack)
    own = machine("thunder-jar fog-bell lemon-battery")
    assert (capacity(known, own), draw(known, own)) == (5 + 1 + 3 + 5, 2 + 1)
    own = machine("thunder-jar -fog-bell -lemon-battery")
    assert (capacity(known, own), draw(known, own)) == (5, 2)
    assert draw(tables(pack_with({"fog-bell": (Thrift(9),)})), machine("fog-bell")) == 0


def test_losing_a_surplus_is_a_shortage_too() -> None:
    effects = {"fog-bell": (Surplus(3),)}
    table = laid(machine("", at="4/a"), machine("bee-cannon fog-bell kite-velocipede", at="4/a"), effects=effects)
    table.do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert isinstance(table.now.steps[-1], Hit)
    table.do(i.Disable(ADA, piece("fog-bell")))
    assert table.awaits() == ("short", (BEN,))


def test_shortness_is_kept_with_every_change_of_a_machine() -> None:
    table = laid(machine("thunder-jar"))
    assert table.now.short == (ADA,)
    fine = with_machine(table.now, ADA, machine("fog-bell"))
    assert fine.short == ()
    assert (SHIELD, CHASSIS, PLANT) == (1, 2, 3)
    assert len(CLERK.upgrades) == 48
