"""What a sensible player makes of cards that lie face down: Labs, Libraries, and what must be where."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import Intent, PlaceId
from companion.games.us_patent.bot import choose
from companion.games.us_patent.bot.labs import FaceDown
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import Acting, Ending, Going
from tests.games.us_patent.play import ADA, CLERK, Table, go, laid, machine

NO_WEAPON = "fog-bell sedan-chair eternal-candle"
OTHERS = "hedgehog-coat gossip-engine boiler-of-doubt"
"""Of periods 2, 3 and 3."""


def chosen(table: Table) -> Intent:
    return choose(table.view(ADA), ADA, table.legal(ADA), 0)


def going(table: Table, reach: int) -> Table:
    table.now = replace(table.now, turn=ADA, steps=(Ending(ADA), Acting(ADA), Going(ADA, reach)))
    return table


def thinks(table: Table, *, of_use: str) -> FaceDown:
    """Ada's thoughts if only these cards were of use to her."""
    return FaceDown(table.view(ADA), ADA, lambda card: 10.0 * (card in of_use.split()))


@pytest.mark.rule("P24", "P.ai")
def test_a_bot_looks_from_a_library_if_its_phone_remembers_and_only_then() -> None:
    """A Weapon may lie in each of three Labs: one look tells where, and a player who forgets it has wasted an
    Action.
    """
    own = machine(NO_WEAPON, at="4/library")
    labs = f"{OTHERS} oak-door"
    assert chosen(laid(own, labs=labs, lab_memory="on")) == i.Study(ADA)
    assert chosen(laid(own, labs=labs, lab_memory="off")) == i.TakeGold(ADA)
    full = machine(f"angry-goose {NO_WEAPON}", at="4/library")
    assert chosen(laid(full, labs=labs, lab_memory="on")) != i.Study(ADA), "nothing could be of use"


@pytest.mark.rule("P24", "P45")
@pytest.mark.parametrize(("weapon", "lab"), [("pepper-bellows", "3/lab"), ("bee-cannon", "2/lab")])
def test_a_bot_goes_where_it_saw_a_card_of_use(weapon: str, lab: str) -> None:
    table = laid(machine(NO_WEAPON, at="4/library"), labs=f"{OTHERS} {weapon}", lab_memory="on").do(i.Study(ADA))
    assert chosen(going(table, 12)) == go(ADA, lab)


@pytest.mark.rule("P18", "P45")
@pytest.mark.parametrize(("weapon", "lab"), [("pepper-bellows", "3/lab"), ("bee-cannon", "2/lab")])
def test_once_the_deck_is_gone_a_bot_knows_what_a_lab_must_hold(weapon: str, lab: str) -> None:
    """Its view says “?”, but a card that is nowhere in sight must lie in the Lab of its own period."""
    hidden = f"{OTHERS} {weapon}"
    on_sale = " ".join(c.id for c in CLERK.upgrades if c.id not in f"{NO_WEAPON} {hidden}".split())
    table = laid(machine(NO_WEAPON, at="4/a", gold=0), labs=hidden, markets=on_sale, deck="")
    assert chosen(going(table, 12)) == go(ADA, lab)


@pytest.mark.rule("P18", "P45")
def test_the_chance_of_a_lab_counts_the_cards_of_its_period_that_may_be_there() -> None:
    """Six of each period; of the third, two are in sight and one is useful."""
    table = laid(machine("gossip-engine"), labs="mangolds-robot", markets="boiler-of-doubt")
    assert thinks(table, of_use="pepper-bellows").guess(3) == pytest.approx((1 / 4, 10.0))
    assert thinks(table, of_use="pepper-bellows iron-opinion").guess(3) == pytest.approx((1 / 2, 10.0))
    two = laid(machine("gossip-engine"), labs="mangolds-robot iron-opinion", markets="boiler-of-doubt")
    assert thinks(two, of_use="pepper-bellows").guess(3) == pytest.approx((1 / 2, 10.0)), "two cards, four candidates"
    for vain in ("boiler-of-doubt", "angry-goose", ""):
        assert thinks(table, of_use=vain).guess(3) == (0.0, 0.0), "on sale, of another period, none at all"
    assert thinks(table, of_use="angry-goose").guess(1) == (0.0, 0.0), "an empty Lab"


@pytest.mark.rule("P24", "P.ai")
def test_a_library_is_worth_more_the_more_earlier_labs_may_hold_something() -> None:
    own, of_use = machine(at="4/a"), "angry-goose bee-cannon pepper-bellows second-guesser"
    worth = {
        labs: thinks(laid(own, labs=labs, lab_memory="on"), of_use=of_use).study(PlaceId("4/library"), 3.5)
        for labs in ("full-stop", "oak-door", "oak-door hedgehog-coat", "oak-door hedgehog-coat iron-opinion")
    }
    assert list(worth.values()) == sorted(worth.values())
    assert worth["full-stop"] == 0, "a later Lab is not shown"
    assert thinks(laid(own, labs="oak-door"), of_use=of_use).study(PlaceId("4/library"), 3.5) == 0, "it forgets"
    seen = laid(machine(at="4/library"), labs="oak-door", lab_memory="on").do(i.Study(ADA))
    assert thinks(seen, of_use=of_use).study(PlaceId("4/library"), 3.5) == 0, "nothing new to see"


@pytest.mark.rule("P23", "P45")
def test_a_card_known_to_lie_in_a_lab_is_worth_all_it_would_improve() -> None:
    seen = laid(machine(at="4/library"), labs="pepper-bellows oak-door", lab_memory="on").do(i.Study(ADA))
    assert thinks(seen, of_use="pepper-bellows").promise(3) == 10
    assert thinks(seen, of_use="iron-opinion").promise(3) == 0
    unseen = laid(machine(at="4/library"), labs="pepper-bellows oak-door", lab_memory="on")
    assert 0 < thinks(unseen, of_use="pepper-bellows").promise(3) < 10
