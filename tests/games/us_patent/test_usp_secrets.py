"""What lies in a Lab, and who knows it. The kit checks that nobody can tell apart what they were never shown."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.core import (
    PUBLIC,
    Event,
)
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from tests.games.us_patent.play import ADA, BEN, laid, machine, piece


def test_an_event_of_every_kind_is_a_member_of_the_union() -> None:
    declared = {c for c in vars(e).values() if isinstance(c, type) and issubclass(c, Event) and c is not Event}
    assert declared == set(get_args(GAME.event))


@pytest.mark.rule("P45")
def test_a_lab_card_laid_on_the_box_is_not_given_away_before_ok() -> None:
    """Ada may still say no: until she installs it, nobody else learns what the card would do."""
    table = laid(machine(at="1/lab"), labs="fog-bell water-wheel", effects={})
    table.do(i.LookInLab(ADA))
    wishes = [i.Invent(ADA, piece(name)) for name in ("fog-bell", "water-wheel")]
    assert all(GAME.foresee(table.view(audience), wish) == () for audience in (PUBLIC, BEN) for wish in wishes)
    assert all(GAME.foresee(table.view(ADA), wish) for wish in wishes)


@pytest.mark.rule("P23", "P.n")
def test_who_looks_into_a_lab_knows_its_cards_by_name_and_nobody_else_does() -> None:
    table = laid(machine(at="1/lab"), labs="fog-bell water-wheel").do(i.LookInLab(ADA))
    in_lab = {lies.piece for lies in GAME.layout(table.view(ADA)) if lies.place == "1/lab" and lies.facing == "down"}
    assert in_lab == {"fog-bell", "water-wheel"}
    assert not in_lab & {lies.piece for audience in (PUBLIC, BEN) for lies in GAME.layout(table.view(audience))}
    everywhere = [lies.piece for lies in GAME.layout(table.now)]
    assert len(everywhere) == len(set(everywhere))
