"""What the contract asks of any game, and how to play one without knowing it.

Nothing here names a game. What only a game's own tests can know is found by its place, `tests/games/<folder>/` for our
games, else `$KIT_TESTS` or the folder `tests` in the current one: `naive.py` (a second referee), `perft.toml` (counted
trees), `alike.py` (which pieces may stand for each other; without it, those that lie together when the first of them
lies face down).
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import islice, product
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

import hw
from companion.core import (
    PUBLIC,
    TABLE,
    Accepted,
    Game,
    Intent,
    PieceId,
    PlaceId,
    SeatId,
    Setup,
    Verb,
    allowed,
    argument_kinds,
    judge,
    known_pieces,
    legal,
    mask,
)
from companion.library import Lang, Names, Speaker, Texts, shelf
from companion.table.record import bare

AnyGame = Game[Any, Any]
Json = dict[str, Any]
Naive = Callable[[Json, Json, Json], bool]
Broken = Callable[[Json, Json, Json], list[tuple[str, str]]]
Meant = Callable[[Json, Json, Json, tuple[str, str | int]], bool]

ROOT: Final = Path(__file__).parents[3]
TESTS: Final = "KIT_TESTS"
GAMES: Final = "KIT_GAMES"
SOON = 60
"""By this many steps into a game, anything it ever hides has been hidden once."""
PEOPLE = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Félix", "Gwen", "Hugo")


class Kit:
    """One game on the shelf with its pack, ready to be played by anybody."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.pack = shelf.pack(game)
        self.module = shelf.module(game.id)
        self.folder = shelf.folder(game.id)
        self.is_ours = self.module.startswith("companion.games.")
        away = Path(os.environ.get(TESTS, "tests")).absolute()
        self.tests = ROOT / "tests" / "games" / self.folder.name if self.is_ours else away

    def seats(self) -> tuple[int, ...]:
        """The fewest, a few, the most."""
        low, high = self.game.seats
        return tuple(sorted({low, min(low + 1, high), high}))

    def setups(self, seats: int) -> Iterator[Setup[Any]]:
        """Setups with every combination of options."""
        for choices in product(*(option.choices for option in self.game.options)):
            names = (option.name for option in self.game.options)
            yield Setup(self.game.id, self.game.version, seats, tuple(zip(names, choices, strict=True)), self.pack)

    def setup(self, seats: int, seed: int = 0) -> Setup[Any]:
        every = tuple(self.setups(seats))
        return every[seed % len(every)]

    def playout(self, seats: int, seed: int, steps: int) -> Iterator[Step]:
        """Random legal play by everyone: seats, chance and, now and then, a correction."""
        game, chance = self.game, random.Random(f"{game_key(self.game)}{seats}.{seed}")
        state = game.start(self.setup(seats, seed))
        for number in range(steps):
            asked = game.decisions(state)
            if not asked:
                return
            corrections = number % 25 == 24
            intent = self.correction(state, chance) if corrections else None
            if intent is None:
                intent = self.pick(state, pick(chance, asked[-1].seats), chance)
            verdict = judge(game, state, intent)
            assert isinstance(verdict, Accepted), verdict
            yield Step(state, intent, verdict)
            state = verdict.after

    def pick(self, state: Any, seat: SeatId, chance: random.Random) -> Intent:
        intents = legal(self.game, state, seat)
        assert intents, f"a dead end: {self.game.decisions(state)}"
        return self.numbered(state, pick(chance, intents), chance)

    def numbered(self, state: Any, intent: Intent, chance: random.Random) -> Intent:
        """An intent with a span, with any number in it that the rules allow; the lowest always is."""
        verb = next(v for v in (*self.game.verbs, *self.game.corrections) if v.intent is type(intent))
        if verb.span is None:
            return intent
        low, high = verb.span(state, intent)
        numbered = replace(intent, **{argument_kinds(verb.intent)[-1][0]: chance.randint(low, high)})
        return numbered if isinstance(judge(self.game, state, numbered), Accepted) else intent

    def correction(self, state: Any, chance: random.Random) -> Intent | None:
        offered = [intent for verb in self.game.corrections for intent in allowed(verb, state, SeatId(0))]
        return self.numbered(state, pick(chance, offered), chance) if offered else None

    def sensible(self, seats: int, seed: int) -> Iterator[Step]:
        """A game played by the game's own bots, each reading only its view."""
        chance = random.Random(seed)
        state = self.game.start(self.setup(seats, seed))
        while self.game.decisions(state):
            verdict = judge(self.game, state, self.sensible_pick(state, chance))
            assert isinstance(verdict, Accepted), verdict
            yield Step(state, verdict.intent, verdict)
            state = verdict.after

    def sensible_pick(self, state: Any, chance: random.Random) -> Intent:
        """What a bot does now, or chance."""
        game, seat = self.game, self.game.decisions(state)[-1].seats[0]
        if seat == TABLE:
            intents = legal(game, state, TABLE)
            return chance.choices(intents, [game.weight(state, intent) for intent in intents])[0]
        view = mask(state, seat)
        return game.bot(view, seat, legal(game, view, seat), chance.getrandbits(30))

    def hides(self, state: Any) -> bool:
        """Whether something lies face down for all; before that there is nothing to find out."""
        known = known_pieces(self.game, mask(state, PUBLIC))
        return any(lies.piece not in known for lies in self.game.layout(state))

    def opening(self, seats: int, seed: int) -> list[Intent]:
        """How the game's own bots get to where something is first hidden; most games start there."""
        if self.hides(self.game.start(self.setup(seats, seed))):
            return []
        way = list[Intent]()
        for step in islice(self.sensible(seats, seed), SOON):
            way.append(step.intent)
            if self.hides(step.verdict.after):
                return way
        return []

    @cached_property
    def hides_anything(self) -> bool:
        """Whether something ever lies face down for all."""
        return any(
            self.hides(state)
            for seats in self.seats()
            for state in (
                self.game.start(self.setup(seats)),
                *(step.verdict.after for step in self.playout(seats, 0, SOON)),
            )
        )

    @cached_property
    def keeps_secrets(self) -> bool:
        """Whether some ever know what others do not; otherwise everything is open, except what is face down for all."""
        return any(
            some_know_more(self.game, step.verdict.after, seats)
            for seats in self.seats()
            for step in self.playout(seats, 0, SOON)
        )

    # What a stranger may send

    def wild(self, state: Any, seats: int, chance: random.Random) -> Intent:
        """Any intent of the game, mostly nonsense, by any actor."""
        verb: Verb[Any, Any] = pick(chance, (*self.game.verbs, *self.game.corrections))
        actor = SeatId(chance.randint(-1, seats))
        if chance.random() < 0.5 and (asked := self.game.decisions(state)):
            actor = pick(chance, asked[-1].seats)
        values = [self.wild_value(kind, state, seats, chance) for _, kind in argument_kinds(verb.intent)]
        wish: Intent = verb.intent(actor, *values)
        return wish

    def wild_value(self, kind: str, state: Any, seats: int, chance: random.Random) -> Any:
        match kind:
            case "piece":
                lying = [lies.piece for lies in self.game.layout(state)]
                return pick(chance, (*lying, *lying, PieceId("?"), PieceId("nonsense"), PieceId("")))
            case "place":
                places = sorted({lies.place for lies in self.game.layout(state)})
                return pick(chance, (*places, *places, PlaceId("nowhere"), PlaceId("")))
            case "text":
                return chance.choice(("", "{}", "[1]", "?", "a card"))
            case "seat":
                return SeatId(chance.randint(-2, seats + 1))
            case _:
                return chance.choice((-1, 0, 1, 2, chance.randint(-500, 500)))

    # What the game's tests add

    @property
    def naive(self) -> Naive | None:
        """Whether the second referee allows an intent."""
        legal_there: Naive | None = self._second_referee("legal")
        return legal_there

    @property
    def broken(self) -> Broken | None:
        """Every condition that an intent breaks, each as what it is about and its rule id."""
        broken_there: Broken | None = self._second_referee("broken")
        return broken_there

    @property
    def meant(self) -> Meant | None:
        """Whether pointing at a thing could mean an intent."""
        meant_there: Meant | None = self._second_referee("meant")
        return meant_there

    def _second_referee(self, name: str) -> Any:
        return getattr(self.added("naive"), name, None)

    def alike(self, one: PieceId, other: PieceId, opened: Any) -> bool:
        """Whether two pieces may stand for each other as long as nobody sees them; `opened` is where secrets begin."""
        if (found := self.added("alike")) is not None:
            return bool(found.alike(self.pack, one, other))
        lying = {lies.piece: lies.place for lies in self.game.layout(opened)}
        return lying[one] == lying[other]

    def added(self, name: str) -> ModuleType | None:
        """A module that the game's tests add, if they do."""
        path = self.tests / f"{name}.py"
        if not path.exists():
            return None
        if self.is_ours:
            return importlib.import_module(f"tests.games.{self.tests.name}.{name}")
        return _module(self.game.id, path)

    # Words

    def speaker(self, lang: Lang) -> Speaker:
        names = Names(PEOPLE, lambda piece: self.game.describe(self.pack, piece), self.game.place)
        return Speaker(self.texts, lang, names)

    @property
    def texts(self) -> Texts:
        return _texts(self.game)


class Step(NamedTuple):
    before: Any
    intent: Intent
    verdict: Accepted


def pick(chance: random.Random, things: Any) -> Any:
    """One of them, the same under every Python."""
    return things[int(chance.random() * len(things))]


def some_know_more(game: AnyGame, state: Any, seats: int) -> bool:
    """Whether a piece is known by name to one seat and not to another."""
    return len({known_pieces(game, mask(state, SeatId(seat))) for seat in range(seats)}) > 1


def game_key(game: AnyGame) -> str:
    return f"{game.id}."


def plain(value: Any) -> Json:
    """A state (without its setup), an intent or a setup as plain dictionaries."""
    found: Json = msgspec.to_builtins(bare(value) if hasattr(value, "setup") else value)
    return found


def accepts(game: AnyGame, state: Any, intent: Intent) -> bool:
    return isinstance(judge(game, state, intent), Accepted)


@cache
def _module(game_id: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{game_id}.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # It may import its neighbours.
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


@cache
def _texts(game: AnyGame) -> Texts:
    return Texts.load(*shelf.texts_folders(game.id), Path(hw.__file__).parent / "texts")


@cache
def kit_of(game_id: str) -> Kit:
    return Kit(shelf.open(game_id))
