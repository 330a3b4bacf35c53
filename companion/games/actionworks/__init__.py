"""ActionWorks: make, take and borrow parts, and ship what your customers demand."""

from __future__ import annotations

from typing import Final

from companion.core import Game, Option, phase
from companion.games.actionworks.rules.forced import COURSE

from .bot import choose
from .decide import layout, result
from .events import AnyEvent
from .fold import apply
from .mats import mats
from .prints import prints
from .rules import CORRECTIONS, RULE_IDS, VERBS
from .state import FEWEST, GAME_ID, MOST, PARTS, VERSION, Pack, State, describe, pieces, place, start
from .views import ICONS, foresee, headline, own, picture, series, stages, status

GAME: Final[Game[State, Pack]] = Game(
    id=GAME_ID,
    version=VERSION,
    seats=(FEWEST, MOST),
    options=(Option("new_type", "A.n", ("every-round", "by-choice")),),
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
    layout=layout,
    pieces=pieces,
    describe=describe,
    place=place,
    headline=headline,
    own=own,
    status=status,
    picture=picture,
    icons=ICONS,
    foresee=foresee,
    series=series,
    ranks="series.totals",
    stages=stages,
    phase=phase,
    bot=choose,
    cards=(PARTS,),
    mats=mats,
    prints=prints,
)
