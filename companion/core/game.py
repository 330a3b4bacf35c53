"""What a game gives to the table: one declarative object."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from .errors import UnknownVerb
from .facts import NO_FACTS, Facts, Finding, Said
from .ids import TABLE, GameId, PieceId, PlaceId, SeatId
from .mats import ONE_WAND, Mat
from .pictures import Duel, Icon, Picture, Shown, Stages, Words, words_of
from .practice import Practice
from .prints import Prints, Spread
from .rules import Event, Intent, Verb

S = TypeVar("S", bound=Struct)
P = TypeVar("P")
C = TypeVar("C", bound=Struct)

Facing = Literal["up", "down"]


class Option(Struct, frozen=True):
    """A switch of the set-up. The first choice is the default; `rule` is the rule or ruling it belongs to."""

    name: str
    rule: str
    choices: tuple[str, ...]


class Setup(Struct, Generic[P], frozen=True):
    """Everything fixed when a game begins, including its pack, so that an old game can always be explained."""

    game: GameId
    version: int
    seats: int
    options: tuple[tuple[str, str], ...]
    pack: P

    def option(self, name: str) -> str:
        for named, choice in self.options:
            if named == name:
                return choice
        raise KeyError(f"{self.game} has no option {name!r}: see its list of options")

    def everyone(self) -> tuple[SeatId, ...]:
        return tuple(SeatId(i) for i in range(self.seats))

    def left_of(self, seat: SeatId) -> SeatId:
        return SeatId((seat + 1) % self.seats)


class Decision(Struct, frozen=True, gc=False):
    """What the game waits for now, and every seat it waits for (or the table, for chance).

    `subject` tells two decisions of one kind apart (whose turn, which city), so that an answer to an old one is
    recognised. If it `corrects`, people do something no rule covers and set right what that changes before they answer.
    """

    kind: str
    seats: tuple[SeatId, ...]
    subject: str = ""
    facts: Facts = NO_FACTS
    corrects: bool = False

    @property
    def is_chance(self) -> bool:
        return self.seats == (TABLE,)


class Lies(Struct, frozen=True, gc=False):
    """One piece of the layout: where it should be on the real table, and how."""

    piece: PieceId
    place: PlaceId
    facing: Facing


class Status(Struct, frozen=True):
    """The referee check: named facts and named problems, as one audience may know them."""

    facts: tuple[Shown, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def words(self) -> Words:
        return words_of(self.facts)


class Result(Struct, frozen=True):
    """How a game ended."""

    winners: tuple[SeatId, ...]
    said: Said


class Line(Struct, frozen=True):
    """One number over time for the report: a value per seat, or one for the table; None where there is none yet."""

    key: str
    values: tuple[int | None, ...]


class Game(Struct, Generic[S, P], frozen=True, kw_only=True, eq=False):
    """One game on the shelf. All functions are pure; those that make something for people read a view, never a state.

    Anything with a default may be left out; `companion.core.usual` has what most games share.

    Rules: `forced` gives what follows by itself after an event, () while the game waits for someone. `corrections` are
    verbs that set public facts right; only physical rules bind them. `phase` is a coarse public fact of the moment that
    saves testing verbs of other phases (`Verb.phases`). `rolls_on` is whether the box, where it rolls the dice, may do
    so now without being asked, because nobody would want to do anything else first. `unplayable` says why a pack could
    never be played to the end, for the log and for people; it is asked when a game begins, never during one.

    Words: `describe` names a piece of the setup's pack, `place` a place. `about` tells more than a piece's name and
    place to a seat or, on the box (PUBLIC), to whoever's turn it is. `seen` rewords what is said of intents, events,
    pieces and places as eyes see that table: “the card above yours” instead of the card's name. `own` tells a seat's
    private or personal things for its phone, `stages` how far the turn has come. `showdown` is what two seats are
    settling between them or have just settled, shown to all until something else is done; it is given what everybody
    may know of the last acts, newest first.

    Pictures: `landscape` is a `picture` for screens that are wider than high. `icons` are the small drawings that
    pictures and panels name, as SVG in a square of 24. `badge` is a number shown on a drawn thing, such as its
    distance, while touching it may do this intent.

    Cards: `cards` are the kinds that owners of the game may describe themselves. Describing one during a game is an
    intent like any other: `describing` makes it from the filled-in form of the first of `cards`, `pack_now` is the pack
    with all descriptions so far, and `undescribed` is the card that a seat must describe before the game goes on.
    `prints` is what can be printed of a pack; by default a plain card for each piece and a counter for each place.
    `spreads` are the printed sheets, for this many seats, on which cards lie side by side, so that a photo tells what
    lies in which slot.

    Readers: `places` are the places that may carry a tag. `mats` are the ways to put readers under the table for this
    many seats. Pieces `beside` stand next to the readers of their places, as pawns do, and are never looked for there.
    `trays` are places with readers where the record never has anything: laying a piece there means that place, as if
    its tag were tapped next; the `pawn` of a seat says who means it.

    Playing: `bot` is a sensible player that picks one of the legal intents, given the view of its seat; the number
    picks among equals. `practice` is a position in which a newcomer learns the game; without one, they learn in their
    first game. `ranks` is the key of the number in `series` by which the others are ranked behind the winners, most
    first; without it the rules know only winners. `bgg` is the game's number at BoardGameGeek, 0 if unknown.
    """

    id: GameId
    version: int
    seats: tuple[int, int]
    rules: tuple[str, ...]
    pack: type[P]
    state: type[S]
    event: Any
    verbs: tuple[Verb[S, Any], ...]

    start: Callable[[Setup[P]], S]
    decisions: Callable[[S], tuple[Decision, ...]]
    apply: Callable[[S, Any], S]
    result: Callable[[S], Result | None]
    layout: Callable[[S], tuple[Lies, ...]]

    pieces: Callable[[P], tuple[PieceId, ...]]
    describe: Callable[[P, PieceId], Said]
    place: Callable[[PlaceId], Said]

    headline: Callable[[S], Said]
    status: Callable[[S], Status]
    picture: Callable[[S], Picture]

    landscape: Callable[[S], Picture] | None = None
    options: tuple[Option, ...] = ()
    corrections: tuple[Verb[S, Any], ...] = ()
    forced: Callable[[S], tuple[Event, ...]] = lambda _state: ()
    weight: Callable[[S, Intent], int] = lambda _state, _intent: 1
    own: Callable[[S, SeatId], tuple[Shown, ...]] = lambda _view, _seat: ()
    foresee: Callable[[S, Intent], tuple[Said, ...]] = lambda _view, _intent: ()
    badge: Callable[[S, Intent], int | None] = lambda _view, _intent: None
    series: Callable[[S], tuple[Line, ...]] = lambda _state: ()
    ranks: str = ""
    showdown: Callable[[S, Iterable[tuple[Event, ...]]], Duel | None] = lambda _view, _recent: None
    bot: Callable[[S, SeatId, tuple[Intent, ...], int], Intent] = lambda _view, _seat, legal, number: legal[
        number % len(legal)
    ]
    icons: dict[Icon, str] = {}
    phase: Callable[[S], Hashable] = lambda _state: None
    stages: Callable[[S], Stages | None] = lambda _view: None
    cards: tuple[CardKind[P, Any], ...] = ()
    places: Callable[[P], tuple[PlaceId, ...]] = lambda _pack: ()
    describing: Callable[[SeatId, PieceId, Any], Intent] | None = None
    about: Callable[[S, PieceId, SeatId], tuple[Said, ...]] = lambda _view, _piece, _audience: ()
    seen: Callable[[S, Said], Said] | None = None
    pack_now: Callable[[S], P] = lambda state: state.setup.pack  # type: ignore[attr-defined]
    undescribed: Callable[[S, SeatId], PieceId | None] = lambda _view, _seat: None
    unplayable: Callable[[P], tuple[tuple[str, Said], ...]] = lambda _pack: ()
    beside: Callable[[P], frozenset[PieceId]] = lambda _pack: frozenset()
    pawn: Callable[[SeatId], PieceId | None] = lambda _seat: None
    trays: Callable[[P], frozenset[PlaceId]] = lambda _pack: frozenset()
    rolls_on: Callable[[S], bool] = lambda _state: False
    mats: Callable[[int], tuple[Mat, ...]] = lambda _seats: (ONE_WAND,)
    spreads: Callable[[int], tuple[Spread, ...]] = lambda _seats: ()
    prints: Callable[[Setup[P]], Prints] | None = None
    practice: Practice | None = None
    bgg: int = 0


def verb_of(game: Game[Any, Any], intent: Intent) -> Verb[Any, Any]:
    try:
        return _verbs(game)[type(intent)]
    except KeyError:
        raise UnknownVerb(f"{game.id} has no verb for {intent!r}; see its list of verbs") from None


def wide_picture(game: Game[S, Any], view: S) -> Picture:
    """The table as drawn for a landscape screen."""
    return game.picture(view) if game.landscape is None else game.landscape(view)


def is_correction(game: Game[Any, Any], intent: Intent) -> bool:
    return any(type(intent) is verb.intent for verb in game.corrections)


@cache
def _verbs(game: Game[Any, Any]) -> dict[type[Intent], Verb[Any, Any]]:
    return {verb.intent: verb for verb in (*game.verbs, *game.corrections)}


class Wrong(Struct, frozen=True):
    """What is wrong with one field of a card, for people; `field` is "" if it is the card as a whole."""

    field: str
    said: Said


class CardKind(Struct, Generic[P, C], frozen=True, kw_only=True, eq=False):
    """One kind of card that owners may describe: how to get its cards out of a pack and put them back.

    `write(pack, read(pack)) == pack`. `said` names a card in lists. `kept` are fields that people do not see, such as
    an id. `blank` is what a new card starts as; without it, cards can be changed but not added or removed. `count`
    names the field that says how many identical ones there are; they are listed once, with their number. `wrong` is
    asked about a card whose fields are each valid; `pack` is then the one without that card.
    """

    name: str
    card: type[C]
    read: Callable[[P], tuple[C, ...]]
    write: Callable[[P, tuple[C, ...]], P]
    said: Callable[[C], Said]
    wrong: Callable[[P, C], tuple[Wrong, ...]] = lambda _pack, _card: ()
    kept: tuple[str, ...] = ()
    blank: C | None = None
    count: str = ""
