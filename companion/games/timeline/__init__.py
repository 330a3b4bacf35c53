"""TimeLine: take counters where they are cheap, slide history, and sell where its lines now lead."""

from __future__ import annotations

from typing import Final

from companion.core import Game, Option, phase
from companion.games.timeline.rules.forced import COURSE

from .bot import choose
from .decide import layout, result
from .events import AnyEvent
from .fold import apply
from .mats import mats
from .prints import prints
from .rules import CORRECTIONS, RULE_IDS, VERBS
from .state import (
    ENDS,
    FACES,
    FEWEST,
    GAME_ID,
    MOST,
    TRAYS,
    VERSION,
    Pack,
    State,
    describe,
    pawn_of,
    pieces,
    place,
    start,
)
from .views import ICONS, foresee, headline, own, picture, seen, series, stages, status

GAME: Final[Game[State, Pack]] = Game(
    id=GAME_ID,
    version=VERSION,
    seats=(FEWEST, MOST),
    options=(
        Option("slide", "T.i", ("column", "card-and-above")),
        Option("second_copies", "T.j", ("as-drawn", "turned")),
        Option("blanks", "T.p", ("deck", "stand-ins")),
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
    ranks="series.gold",
    stages=stages,
    bot=choose,
    phase=phase,
    seen=seen,
    cards=(FACES, ENDS),
    mats=mats,
    pawn=pawn_of,
    trays=lambda _pack: TRAYS,
    prints=prints,
)
