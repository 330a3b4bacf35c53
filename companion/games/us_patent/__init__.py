"""U.S. Patent Number One: be called in the Patent Office of 1790 with a time machine that works."""

from __future__ import annotations

from typing import Final

from companion.core.game import Game, Option

from .bot import choose
from .cards import PAWNS, Pack, describe, pieces, place, places
from .course import COURSE
from .decide import layout, result
from .events import AnyEvent
from .fold import apply
from .mats import mats
from .owning import OWNED
from .playable import unplayable
from .rules import CORRECTIONS, RULE_IDS, VERBS, describing, phase, weight
from .spreads import spreads
from .state import FEWEST, GAME_ID, MOST, VERSION, State, pack_now, start
from .views import about, foresee, headline, own, picture, series, stages, status, undescribed
from .views.icons import ICONS

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
    icons=ICONS,
    foresee=foresee,
    about=about,
    series=series,
    stages=stages,
    phase=phase,
    bot=choose,
    cards=OWNED,
    describing=describing,
    pack_now=pack_now,
    undescribed=undescribed,
    unplayable=unplayable,
    mats=mats,
    spreads=spreads,
    beside=lambda _pack: PAWNS,
)
