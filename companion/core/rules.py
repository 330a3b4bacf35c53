"""Verbs and their rules: one list that refuses, offers, explains and is checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from .facts import NO_FACTS, Fact, Facts, Piece, Place, Seat
from .ids import PieceId, PlaceId, RuleId, SeatId


def kebab(name: str) -> str:
    """`EndTurn` → `end-turn`: the tag of a class in JSON, text keys and URLs."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


class Intent(Struct, frozen=True, tag_field="verb", tag=kebab, gc=False):
    """What an actor wants, complete for one step. Fields after `actor` are its arguments."""

    actor: SeatId


Concern = Literal["hands", "books", "course"]
"""What an event is about: things that hands now move, take or pay; what is counted or known; or just the course of the
game, which the box's next page tells anyway."""


class Event(Struct, frozen=True, tag_field="event", tag=kebab, gc=False):
    """What became true. Each field says how it is seen (see secrets)."""

    reveals: ClassVar[bool] = False
    """Something was shown or rolled: from here on, taking back is up to the referee."""
    concerns: ClassVar[Concern] = "books"


S = TypeVar("S", bound=Struct)
X = TypeVar("X")
I = TypeVar("I", bound=Intent)  # noqa: E741
TokenKind = Literal["actor", "verb", "piece", "place", "seat", "number", "text"]


class Basis(IntEnum):
    """What a rule is about, the most basic first. Of several broken rules, people are told the most basic.

    Nobody cares about the price of a card when it is not their turn.
    """

    OVER = 0
    """The game is over, or has not begun."""
    TURN = 1
    """It is somebody else's turn."""
    SETTLING = 2
    """Something else must be settled first."""
    STEP = 3
    """The turn has not come this far yet, or is past it."""
    PLACE = 4
    """The actor is elsewhere, or it is too far."""
    THING = 5
    """There is no such thing there, or it is the wrong kind."""
    PRICE = 6
    """It cannot be paid."""


class Rule(Struct, Generic[S, X], frozen=True, eq=False):
    """A condition with an id. `broken` gives the facts that show it broken, or None while it is kept.

    A `physical` rule binds in every mode, since hands could not break it. What `broken` says must be true on its own,
    whatever else is broken.
    """

    id: RuleId
    key: str
    broken: Callable[[S, X], Facts | None]
    physical: bool = False
    basis: Basis = Basis.THING


class Verb(Struct, Generic[S, I], frozen=True, eq=False):
    """A kind of intent: when it is open, for what, and what follows.

    `guards` are tested once per actor before any argument. `arguments` lists the candidates worth testing; `rules`
    decide about each. With `span`, the intent's last field is a number within those bounds, and `arguments` lists each
    candidate once, with the lowest number. `asks` marks what reveals, rolls or spends: a tap alone does not do it, OK
    does. `chance` verbs are the table's own. Answers to a question, which make no sense before it is asked, are not
    `listed` among the things that cannot be done now.

    `sure` promises that while the guards hold, every candidate of `arguments` keeps the rules, so that listing need not
    test each. `kept` gives those that do, in order, where finding them directly is faster than testing each. Outside
    its `phases`, if it names any, the verb is never legal (see `Game.phase`); within them, whoever keeps its other
    guards also keeps those of `Basis.OVER` and `Basis.SETTLING`.

    `lands` gives the places where doing it lays a piece: the tag of such a place means it too and, since hands have
    then done it, no OK is needed. `also` gives further things that mean an intent without being mentioned by it, of the
    kinds `also_by`, or of any kind if it names none; every candidate is asked for them. `thinkable` lists everything
    hands could mean by the verb, legal or not, if that is more than `arguments` finds worth testing; it is only asked
    in order to explain a refusal. All three may be asked at any moment.

    `now` is for corrections: the present value of the last argument, of the same kind; None if there is none. Read it
    through `telling.standing_now`.
    """

    intent: type[I]
    guards: tuple[Rule[S, SeatId], ...]
    arguments: Callable[[S, SeatId], Iterable[I]]
    rules: tuple[Rule[S, I], ...]
    outcome: Callable[[S, I], tuple[Event, ...]]
    asks: bool = False
    chance: bool = False
    listed: bool = True
    span: Callable[[S, I], tuple[int, int]] | None = None
    sure: bool = False
    phases: tuple[Hashable, ...] = ()
    lands: Callable[[S, I], tuple[PlaceId, ...]] | None = None
    now: Callable[[S, I], Fact | None] | None = None
    also: Callable[[S, I], tuple[Token, ...]] | None = None
    also_by: tuple[TokenKind, ...] = ()
    thinkable: Callable[[S, SeatId], Iterable[I]] | None = None
    kept: Callable[[S, SeatId], Iterable[I]] | None = None

    def stands_for(self, state: S, intent: I, token: Token) -> bool:
        """Whether a token means this intent although the intent does not mention it."""
        if self.lands_on(state, intent, token):
            return True
        return self.also is not None and self.is_open_to(token) and token in self.also(state, intent)

    def is_open_to(self, token: Token) -> bool:
        """Whether a token of this kind may stand for intents that do not mention it."""
        if token.kind == "place" and self.lands is not None:
            return True
        return self.also is not None and (not self.also_by or token.kind in self.also_by)

    def lands_on(self, state: S, intent: I, token: Token) -> bool:
        """Whether a token is the tag of a place where this lays something."""
        return self.lands is not None and token.kind == "place" and token.value in self.lands(state, intent)

    def things(self, state: S, intent: I) -> frozenset[Token]:
        """Everything that stands for this intent: what it mentions, where it lays something, and what else means it."""
        lands = () if self.lands is None else self.lands(state, intent)
        also = () if self.also is None else self.also(state, intent)
        return frozenset((*mentions(intent)[1:], *(Token("place", place) for place in lands), *also))

    @property
    def name(self) -> str:
        return verb_name(self.intent)

    @property
    def is_typed(self) -> bool:
        """Chance that people type in: dice, or who begins. A drawn card is laid, never named."""
        return self.chance and all(kind in ("number", "seat") for _, kind in argument_kinds(self.intent))


@cache
def verb_name(cls: type[Intent]) -> str:
    return str(cls.__struct_config__.tag)


def alone(cls: type[I]) -> Callable[[Any, SeatId], Iterable[I]]:
    """The `arguments` of a verb that takes none."""
    return lambda _state, actor: (cls(actor),)


def unless(broken: bool, **facts: Fact) -> Facts | None:
    """For a rule's one-line body: the facts if `broken`, None if kept."""
    return (tuple(facts.items()) if facts else NO_FACTS) if broken else None


class Token(Struct, frozen=True, gc=False):
    """One thing an input points at and an intent may mention. An `actor` says who means it and is never mentioned."""

    kind: TokenKind
    value: str | int


_KINDS: dict[Any, TokenKind] = {PieceId: "piece", PlaceId: "place", SeatId: "seat", int: "number", str: "text"}
_FACT: dict[TokenKind, Callable[[Any], Fact]] = {"piece": Piece, "place": Place, "seat": Seat, "number": int}


_ARGUMENTS: dict[type[Struct], tuple[tuple[str, TokenKind], ...]] = {}


def argument_kinds(cls: type[Struct]) -> tuple[tuple[str, TokenKind], ...]:
    """Name and kind of each argument of an intent class, in order."""
    kinds = _ARGUMENTS.get(cls)
    if kinds is None:
        hints = get_type_hints(cls)
        names = [f.name for f in msgspec.structs.fields(cls) if f.name != "actor"]
        kinds = _ARGUMENTS[cls] = tuple((name, _KINDS[hints[name]]) for name in names)
    return kinds


@cache
def verb_token(cls: type[Intent]) -> Token:
    return Token("verb", verb_name(cls))


def mentions(intent: Intent) -> tuple[Token, ...]:
    """Everything an intent points at: its verb, then its arguments. Texts are typed, so nothing points at them."""
    cls = type(intent)
    pointed = ((name, kind) for name, kind in argument_kinds(cls) if kind != "text")
    return (verb_token(cls), *(Token(kind, getattr(intent, name)) for name, kind in pointed))


def mentions_it(intent: Intent, token: Token) -> bool:
    """Whether an intent points at this."""
    if token.kind == "verb":
        return token.value == verb_token(type(intent)).value
    kind, value = token.kind, token.value
    for name, of in argument_kinds(type(intent)):  # noqa: SIM110 - asked of every candidate: `any` takes twice as long
        if of == kind and getattr(intent, name) == value:
            return True
    return False


def set_by(intent: Intent) -> Fact | None:
    """The last argument of an intent, which is what a correction sets; None where it has none, or a typed text."""
    kinds = argument_kinds(type(intent))
    if not kinds or kinds[-1][1] == "text":
        return None
    name, kind = kinds[-1]
    return _FACT[kind](getattr(intent, name))


def facts_of(intent: Intent) -> Facts:
    """The actor and arguments of an intent, for its label; a typed text, which may be secret, is none of them."""
    kinds = argument_kinds(type(intent))
    arguments = ((name, _FACT[kind](getattr(intent, name))) for name, kind in kinds if kind != "text")
    return (("actor", Seat(intent.actor)), *arguments)
