"""One False Step for Mankind: mayors of the Gold Rush buy cities, stake claims and shoot for the Moon."""

from __future__ import annotations

from typing import Final

from companion.core import Game, Intent, Option, phase
from companion.games.one_false_step.rules.forced import COURSE

from .bot import choose
from .decide import layout, result
from .editing import CLAIMS, EXITS, LINES, ROCKETS, TOWNS
from .events import AnyEvent
from .fold import apply
from .mats import mats
from .prints import prints
from .rules import CORRECTIONS, RULE_IDS, VERBS
from .rules.intents import ShotRolled
from .state import FEWEST, GAME_ID, MOST, VERSION, Pack, State, describe, pieces, place, places, start
from .views import ICONS, foresee, headline, landscape, own, picture, series, showdown, stages, status


def weight(state: State, intent: Intent) -> int:
    """How many of 36 throws of two dice give this sum; everything else is equally likely."""
    return 6 - abs(7 - intent.number) if isinstance(intent, ShotRolled) else 1


GAME: Final[Game[State, Pack]] = Game(
    id=GAME_ID,
    version=VERSION,
    seats=(FEWEST, MOST),
    options=(
        Option("rocket_table", "F.a", ("corrected", "printed", "printed-prices", "printed-targets")),
        Option("population", "F36", ("off", "on")),
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
    series=series,
    ranks="series.score",
    showdown=showdown,
    stages=stages,
    bot=choose,
    phase=phase,
    cards=(TOWNS, CLAIMS, LINES, EXITS, ROCKETS),
    mats=mats,
    prints=prints,
)
