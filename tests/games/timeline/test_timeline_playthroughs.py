"""Whole games as readable text, for every number of seats and every option: what is told, line by line.

Written anew by `python tests/games/timeline/test_timeline_playthroughs.py`; read the difference before keeping it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from companion import shelf
from companion.core.ids import PUBLIC, TABLE
from companion.core.judge import Accepted, judge, legal
from companion.core.secrets import mask
from companion.core.telling import known_pieces, label, told
from companion.games.timeline import GAME
from companion.games.timeline.bot import choose
from companion.texts import Names, Speaker, Texts
from tests.games.timeline.board import PACK, setup_for

FOLDER = Path(__file__).parents[2] / "golden" / "timeline"
PEOPLE = ("Ada", "Ben", "Chloé", "Dan", "Eve")
GAMES: dict[str, tuple[int, int, dict[str, str]]] = {
    "two-seats": (2, 11, {}),
    "three-seats": (3, 12, {}),
    "four-seats": (4, 13, {}),
    "five-seats": (5, 14, {}),
    "slide-card-and-above": (3, 15, {"slide": "card-and-above"}),
    "second-copies-turned": (2, 16, {"second_copies": "turned"}),
    "blanks-stand-ins": (4, 17, {"blanks": "stand-ins"}),
}


def lines(seats: int, seed: int, options: dict[str, str]) -> Iterator[str]:
    """A game of sensible players as everyone in the room follows it."""
    names = Names(PEOPLE[:seats], lambda piece: GAME.describe(PACK, piece), GAME.place)
    speak = Speaker(Texts.load(*shelf.texts_folders(GAME.id)), "en", names)
    rng, state = Random(seed), GAME.start(setup_for(seats, **options))
    for _ in range(600):
        decisions = GAME.decisions(state)
        if not decisions:
            break
        actor = decisions[-1].seats[0]
        intents = legal(GAME, state, actor)
        view = mask(state, actor)
        intent = rng.choice(intents) if actor == TABLE else choose(view, actor, intents, rng.randrange(1 << 20))
        verdict = judge(GAME, state, intent)
        assert isinstance(verdict, Accepted)
        known = known_pieces(GAME, mask(verdict.after, PUBLIC))
        who = "table" if actor == TABLE else PEOPLE[actor]
        yield f"{who}: {speak.say(label(intent, known))}  [{len(intents)} legal]"
        yield from (f"    {speak.say(told(event, PUBLIC))}" for event in verdict.events)
        state = verdict.after
        yield f"    = {speak.say(GAME.headline(mask(state, PUBLIC)))}"
    result = GAME.result(state)
    yield speak.say(result.said) if result else "(not ended)"
    yield from (f"    {speak.say(said)}" for said in GAME.status(mask(state, PUBLIC)).facts)


@pytest.mark.parametrize("name", GAMES)
def test_the_playthrough_is_as_it_was(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert "\n".join(lines(*GAMES[name])) + "\n" == kept


if __name__ == "__main__":
    for name, game in GAMES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(lines(*game)) + "\n", encoding="utf-8")
