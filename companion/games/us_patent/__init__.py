"""U.S. Patent Number One: be called to the Patent Office of 1790 with a working time machine."""

from __future__ import annotations

from typing import Final

from companion.core import Game, Option
from companion.games.us_patent.rules.forced import COURSE

from .bot import choose
from .decide import layout, result
from .events import AnyEvent
from .fold import apply
from .mats import mats
from .owning import OWNED
from .playable import unplayable
from .practice import PRACTICE
from .prints import prints, spreads
from .rules import CORRECTIONS, RULE_IDS, VERBS, describing, phase, rolls_on, weight
from .state import (
    FEWEST,
    GAME_ID,
    MOST,
    PAWNS,
    TRAYS,
    VERSION,
    Pack,
    State,
    describe,
    pack_now,
    pawn_of,
    pieces,
    place,
    places,
    start,
)
from .views import (
    ICONS,
    about,
    badge,
    foresee,
    headline,
    landscape,
    own,
    picture,
    series,
    showdown,
    stages,
    status,
    undescribed,
)

GAME: Final[Game[State, Pack]] = Game(
    id=GAME_ID,
    version=VERSION,
    seats=(FEWEST, MOST),
    options=(
        Option("win", "P.a", ("end-of-turn", "action")),
        Option("margin", "P.b", ("choose", "destroy")),
        Option("disarmed_counter", "P.l", ("allowed", "barred")),
        Option("easier", "P.af", ("by-seats", "off", "on")),
        Option("lab_memory", "P.ai", ("off", "on")),
    ),
    rules=RULE_IDS,
    pack=Pack,
    state=State,
    event=AnyEvent,
    verbs=VERBS,
    corrections=CORRECTIONS,
    start=start,
    decisions=COURSE.decisions,
    forced=COURSE.forced,
    apply=apply,
    result=result,
    weight=weight,
    layout=layout,
    pieces=pieces,
    describe=describe,
    place=place,
    places=places,
    headline=headline,
    own=own,
    status=status,
    picture=picture,
    landscape=landscape,
    icons=ICONS,
    foresee=foresee,
    badge=badge,
    about=about,
    series=series,
    bgg=2297,
    showdown=showdown,
    stages=stages,
    phase=phase,
    bot=choose,
    cards=OWNED,
    describing=describing,
    pack_now=pack_now,
    undescribed=undescribed,
    unplayable=unplayable,
    mats=mats,
    prints=prints,
    spreads=spreads,
    beside=lambda _pack: PAWNS,
    pawn=pawn_of,
    trays=lambda _pack: TRAYS,
    rolls_on=rolls_on,
    practice=PRACTICE,
)
