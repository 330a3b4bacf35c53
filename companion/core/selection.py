"""From inputs to intents: what is still possible after the things pointed at so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from .facts import Piece, Place, Said, Seat, say
from .game import Game, verb_of
from .ids import TABLE, UNKNOWN, PieceId, PlaceId, RuleId, SeatId
from .legality import Accepted, Refused, Verdict, allowed, in_phase, is_timely, judge, judge_each, possible
from .rules import Intent, Token, TokenKind, Verb, argument_kinds, mentions, mentions_it, verb_name
from .telling import called, label


class Idle(Struct, frozen=True):
    """A known thing that nothing can be done with."""

    token: Token


class Blocked(Struct, frozen=True):
    """Nothing is possible; the nearest intent, and what it breaks."""

    refused: Refused


class Choice(Struct, frozen=True):
    token: Token
    said: Said


class More(Struct, frozen=True):
    """Several intents are left; `choices` tell them apart.

    `hides` if some choices would name a secret: those are reached by laying the piece, never from a list.
    """

    choices: tuple[Choice, ...]
    hides: bool = False


class HowMany(Struct, frozen=True):
    """One intent is left, all but its number."""

    intent: Intent
    low: int
    high: int


class Ready(Struct, frozen=True):
    """One intent is left. `asks` if it needs OK, because it reveals, rolls or spends, or stands against rules."""

    intent: Intent
    asks: bool
    marks: tuple[RuleId, ...] = ()


End: TypeAlias = Idle | Blocked | More | HowMany | Ready
"""Where a selection ends up. The fifth end, an unknown tag, is handled before there is anything to select."""


def select(
    game: Game[Any, Any],
    state: Any,
    view: Any,
    actors: tuple[SeatId, ...],
    tokens: tuple[Token, ...],
    *,
    known: frozenset[PieceId],
    verbs: tuple[Verb[Any, Any], ...],
    advise: bool = False,
    among: tuple[Intent, ...] = (),
) -> End:
    """Where the `tokens` lead; if `among` names any intents, only to one of these, whatever its number.

    `view` is what the reader of the answer may know, `known` the pieces it names. With `advise` only physical rules
    bind, but an intent that keeps all rules is preferred. Lists come from the view alone, so that none can tell what a
    hidden hand could do; only a piece that someone has laid down is judged by the state.
    """
    several = len(actors) > 1
    seen = state if among or any(token.kind == "piece" for token in tokens) else view
    rest = [
        intent
        for verb in in_phase(game, seen, _meaning(verbs, _kinds(tokens), several))
        for actor in actors
        if verb.chance == (actor == TABLE) or verb in game.corrections
        for intent in _meant(verb, seen, allowed(verb, seen, actor), tokens, several)
        if not among or any(_is_like(intent, other, verb) for other in among)
    ]
    if not rest and advise and _only_says_who(tokens):
        rest = [i for verb in verbs if not verb.chance for i in possible(verb, view, actors[0])]
        return _apart(game, view, rest, False, known) if rest else Idle(tokens[-1])
    if not rest:
        return _nothing(game, state, view, actors, tokens, verbs, known, advise)
    rest = _in_order(rest, tokens)
    numbered = _numbered(game, state, rest, tokens, advise)
    if numbered is not None:
        return numbered
    if len(rest) == 1 and (tokens or among) and UNKNOWN not in msgspec.structs.astuple(rest[0]):
        return Ready(rest[0], verb_of(game, rest[0]).asks)
    return _apart(game, view, rest, several, known)


def _is_like(intent: Intent, other: Intent, verb: Verb[Any, Any]) -> bool:
    """Whether it is the same apart from its number, for a verb with a span."""
    if type(intent) is not type(other):
        return False
    return intent == other if verb.span is None else intent == with_number(other, getattr(intent, _number_of(intent)))


def _number_of(intent: Intent) -> str:
    return argument_kinds(type(intent))[-1][0]


def _only_says_who(tokens: tuple[Token, ...]) -> bool:
    """Whether all that is known so far is who acts: then what that seat could do is listed."""
    return len(tokens) == 1 and tokens[0].kind == "actor"


def _in_order(rest: list[Intent], tokens: tuple[Token, ...]) -> list[Intent]:
    """For verbs with two arguments of one kind: those that name them in the order of the tokens, if there are any.

    By train from Farmington to Saint Agnes: what is pointed at first comes first.
    """
    if len(rest) == 1:
        return rest
    meant = {type(intent) for intent in rest if _names_in_order(intent, tokens)}
    return [intent for intent in rest if type(intent) not in meant or _names_in_order(intent, tokens)]


def _names_in_order(intent: Intent, tokens: tuple[Token, ...]) -> bool:
    for kind, names in _alike(type(intent)):
        named = [getattr(intent, name) for name in names]
        pointed = [token.value for token in tokens if token.kind == kind]
        if pointed[: len(named)] != named[: len(pointed)]:
            return False
    return True


@cache
def _alike(cls: type[Intent]) -> tuple[tuple[TokenKind, tuple[str, ...]], ...]:
    """The kinds that an intent has several arguments of, with their names."""
    arguments = argument_kinds(cls)
    named = {kind: tuple(name for name, of in arguments if of == kind) for _, kind in arguments}
    return tuple((kind, names) for kind, names in named.items() if len(names) > 1)


def points(token: Token, intent: Intent, several: bool, verb: Verb[Any, Any]) -> bool:
    """Whether a token may mean this intent. A seat may be its actor if several could act."""
    if token.kind == "actor":
        return intent.actor == token.value
    if mentions_it(intent, token):
        return True
    if token.kind == "number" and verb.span is not None:
        return True
    return token.kind == "seat" and several and intent.actor == token.value


def _meant(
    verb: Verb[Any, Any], state: Any, intents: Iterable[Intent], tokens: tuple[Token, ...], several: bool
) -> Iterable[Intent]:
    """A verb's intents that fit all tokens; filtered one token at a time, because the first leaves few."""
    for token in tokens:
        if token.kind == "verb":  # already checked
            continue
        name, value = _only_argument(verb, token), token.value
        if name is not None:
            intents = [i for i in intents if getattr(i, name) == value]
        else:
            intents = [i for i in intents if points(token, i, several, verb) or verb.stands_for(state, i, token)]
    return intents


def _only_argument(verb: Verb[Any, Any], token: Token) -> str | None:
    """The only argument through which a token may mean intents of this verb; None if there is no such single one."""
    if token.kind in ("actor", "seat") or (token.kind == "number" and verb.span is not None) or verb.is_open_to(token):
        return None
    names = [name for name, kind in argument_kinds(verb.intent) if kind == token.kind]
    return names[0] if len(names) == 1 else None


def _kinds(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """What decides which verbs the tokens may mean: for a verb the token itself, for all others their kind."""
    return tuple([token if token.kind == "verb" else Token(token.kind, "") for token in tokens])


@lru_cache(1024)
def _meaning(verbs: tuple[Verb[Any, Any], ...], kinds: tuple[Token, ...], several: bool) -> tuple[Verb[Any, Any], ...]:
    """The verbs that things of these kinds could mean at all; the others need not be listed."""
    return tuple(verb for verb in verbs if all(_may_mean(kind, verb, several) for kind in kinds))


def _may_mean(token: Token, verb: Verb[Any, Any], several: bool) -> bool:
    """Whether such a token may mean any intent of this verb."""
    match token.kind:
        case "actor":
            return True
        case "verb":
            return token.value == verb.name
        case "number" if verb.span is not None:
            return True
        case "seat" if several:
            return True
        case kind:
            return verb.is_open_to(token) or any(kind == of for _, of in argument_kinds(verb.intent))


def _numbered(
    game: Game[Any, Any], state: Any, rest: list[Intent], tokens: tuple[Token, ...], advise: bool
) -> End | None:
    """Whether only a number is missing: given by a token, or still to be entered."""
    first = rest[0]
    kinds = argument_kinds(type(first))
    if not kinds or kinds[-1][1] != "number":
        return None
    verb, name = verb_of(game, first), kinds[-1][0]
    if verb.span is None and len(rest) == 1:
        return None  # nothing left to enter
    bare = {msgspec.structs.replace(i, **{name: 0}) for i in rest if type(i) is type(first)}
    if len(bare) > 1 or any(type(i) is not type(first) for i in rest):
        return None
    if verb.span is not None:
        low, high = verb.span(state, first)
    else:
        numbers = [getattr(i, name) for i in rest]
        low, high = min(numbers), max(numbers)
    given = [int(token.value) for token in tokens if token.kind == "number"]
    if not given:
        return HowMany(first, low, high)
    intent = with_number(first, given[-1])
    verdict = judge(game, state, intent, advise=advise)
    return Blocked(verdict) if isinstance(verdict, Refused) else Ready(intent, verb.asks, verdict.marks)


def with_number(intent: Intent, number: int) -> Intent:
    """The same intent with another number, its last argument."""
    return msgspec.structs.replace(intent, **{_number_of(intent): number})


def _apart(game: Game[Any, Any], view: Any, rest: list[Intent], several: bool, known: frozenset[PieceId]) -> More:
    """The first thing in which the intents differ: who, what, then each argument."""
    if several and len({i.actor for i in rest}) > 1:
        return More(tuple(Choice(Token("actor", s), say("choice", item=Seat(s))) for s in _once(i.actor for i in rest)))
    kinds: tuple[type[Intent], ...] = _once(type(i) for i in rest)
    if len(kinds) > 1:
        return More(tuple(_verb_choice(game, view, [i for i in rest if type(i) is kind], known) for kind in kinds))
    for name, kind in argument_kinds(kinds[0]):
        values = list(_once(getattr(i, name) for i in rest))
        if len(values) > 1:
            shown = [v for v in values if kind != "piece" or v in known]
            choices = tuple(Choice(Token(kind, v), _item(game, view, kind, v)) for v in shown)
            return More(choices, hides=len(shown) < len(values))
    only = mentions(rest[0])[-1]
    secret = only.kind == "piece" and only.value not in known
    return More(() if secret else (Choice(mentions(rest[0])[0], label(game, view, rest[0], known)),), hides=secret)


def _verb_choice(game: Game[Any, Any], view: Any, alike: list[Intent], known: frozenset[PieceId]) -> Choice:
    name = verb_name(type(alike[0]))
    said = label(game, view, alike[0], known) if len(alike) == 1 else say("verb." + name)
    return Choice(Token("verb", name), said)


def _nothing(
    game: Game[Any, Any],
    state: Any,
    view: Any,
    actors: tuple[SeatId, ...],
    tokens: tuple[Token, ...],
    verbs: tuple[Verb[Any, Any], ...],
    known: frozenset[PieceId],
    advise: bool,
) -> End:
    """Nothing listed is left: what the tokens may mean even so, or the nearest intent and why not."""
    judged = _judged(game, state, actors, tokens, verbs, advise)
    stand = [Ready(v.intent, asks=True, marks=v.marks) for v in judged if isinstance(v, Accepted)]
    if stand and isinstance(missing := _numbered(game, state, [r.intent for r in stand], tokens, advise), HowMany):
        return missing
    if len(stand) > 1:
        apart = _apart(game, view, [ready.intent for ready in stand], len(actors) > 1, known)
        if apart.choices or apart.hides:
            return apart
    if stand:
        return More((), hides=True) if _is_hidden(stand[0].intent, tokens, known) else stand[0]
    nearest = _nearest(game, state, [v for v in judged if isinstance(v, Refused)])
    if nearest is None and actors == (TABLE,) and verbs is game.verbs and not advise:
        # Someone reaches for a card while the die is awaited: no matter for chance, but there is a reason why not.
        everyone = tuple(SeatId(seat) for seat in range(state.setup.seats))
        return _nothing(game, state, view, everyone, tokens, verbs, known, advise)
    return Blocked(nearest) if nearest else Idle(tokens[-1] if tokens else Token("verb", ""))


def _is_hidden(intent: Intent, tokens: tuple[Token, ...], known: frozenset[PieceId]) -> bool:
    """Whether an intent is about a piece that nobody may name and nobody has laid."""
    pieces = (token for token in mentions(intent) if token.kind == "piece")
    return any(piece.value not in known and piece not in tokens for piece in pieces)


def _nearest(game: Game[Any, Any], state: Any, refused: list[Refused]) -> Refused | None:
    """What a person most likely meant: the awaited seat's intents first, then the nearest to being allowed."""
    return min(refused, key=lambda why: _distance(game, state, why), default=None)


def _distance(game: Game[Any, Any], state: Any, why: Refused) -> tuple[Any, ...]:
    return (why.intent.actor not in _awaited(game, state), *why.distance)


def _awaited(game: Game[Any, Any], state: Any) -> tuple[SeatId, ...]:
    decisions = game.decisions(state)
    return decisions[-1].seats if decisions else ()


def _judged(
    game: Game[Any, Any],
    state: Any,
    actors: tuple[SeatId, ...],
    tokens: tuple[Token, ...],
    verbs: tuple[Verb[Any, Any], ...],
    advise: bool,
) -> list[Verdict]:
    """The verdicts on what the tokens may mean, in the order of verbs and actors.

    Once something stands, or an awaited seat is refused something timely, nothing else can be nearer, so untimely verbs
    are not even considered. In a game with many boards that is most of the work.
    """

    def verdicts(of: list[tuple[Verb[Any, Any], SeatId]]) -> list[Verdict]:
        found = ((verb, actor, list(wishes(verb, state, actor, tokens))) for verb, actor in of)
        each = (judge_each(game, state, v, a, thought, advise=advise) for v, a, thought in found if thought)
        return [verdict for judged in each for verdict in judged]

    asked = [(v, a) for v in verbs for a in actors if v.chance == (a == TABLE) or v in game.corrections]
    if advise:
        return verdicts(asked)
    awaited = _awaited(game, state)
    near = verdicts([(verb, actor) for verb, actor in asked if is_timely(verb, state, actor)])
    if any(isinstance(v, Accepted) or (v.is_timely and v.intent.actor in awaited) for v in near):
        return near
    return verdicts(asked)


def refused_with(
    game: Game[Any, Any], state: Any, actors: tuple[SeatId, ...], token: Token, verbs: tuple[Verb[Any, Any], ...]
) -> tuple[Refused, ...]:
    """Everything a thing may have meant and that is refused, most likely meaning first."""
    judged = _judged(game, state, actors, (token,), verbs, advise=False)
    return tuple(sorted((v for v in judged if isinstance(v, Refused)), key=lambda why: _distance(game, state, why)))


def wishes(verb: Verb[Any, Any], state: Any, actor: SeatId, tokens: tuple[Token, ...]) -> Iterator[Intent]:
    """Intents of a verb, legal or not, that all of the tokens together may have meant."""
    asked = [token.value for token in tokens if token.kind == "verb"]
    if asked and verb.name not in asked:
        return
    pointed = tuple(token for token in tokens if token.kind not in ("verb", "actor"))
    if not asked and not pointed:
        return
    found = False
    can_mean = all(_can_mean(verb, actor, token) for token in pointed)
    for wish in thought_of(verb, state, actor, pointed) if can_mean else ():
        found = True
        yield wish
    if not found and verb.thinkable is None:
        yield from _filled(verb, state, actor, pointed)


def thought_of(verb: Verb[Any, Any], state: Any, actor: SeatId, pointed: tuple[Token, ...]) -> Iterator[Intent]:
    """What hands could mean by a verb, legal or not, given all these things.

    For a verb with a span, each candidate stands for all its numbers.
    """
    candidates = verb.arguments if verb.thinkable is None else verb.thinkable
    numbers = [int(token.value) for token in pointed if token.kind == "number"] if verb.span is not None else []
    rest = tuple(token for token in pointed if token.kind != "number") if numbers else pointed
    found = (i for i in candidates(state, actor) if all(_means(verb, state, i, token) for token in rest))
    return (with_number(i, numbers[-1]) for i in found) if numbers else found


def _means(verb: Verb[Any, Any], state: Any, intent: Intent, token: Token) -> bool:
    is_actor = token.kind == "seat" and token.value == intent.actor
    return is_actor or mentions_it(intent, token) or verb.stands_for(state, intent, token)


def _can_mean(verb: Verb[Any, Any], actor: SeatId, token: Token) -> bool:
    """Whether such a thing could mean any intent of the verb; if not, the many candidates need not be listed."""
    if token == Token("seat", actor) or verb.is_open_to(token):
        return True
    return any(kind == token.kind for _, kind in argument_kinds(verb.intent))


def _filled(verb: Verb[Any, Any], state: Any, actor: SeatId, pointed: tuple[Token, ...]) -> Iterator[Intent]:
    """The verb with the things pointed at as its arguments, in order; none may be left over."""
    kinds = argument_kinds(verb.intent)
    rest = list(pointed)
    filled: dict[str, str | int] = {}
    for name, kind in kinds:
        token = next((token for token in rest if token.kind == kind), None)
        if token is not None:
            filled[name] = token.value
            rest.remove(token)
    if not filled or any(token != Token("seat", actor) for token in rest):
        return
    if len(filled) == len(kinds):
        yield verb.intent(actor, **filled)
        return
    for like in verb.arguments(state, actor):
        yield msgspec.structs.replace(like, **filled)


def _item(game: Game[Any, Any], view: Any, kind: str, value: Any) -> Said:
    match kind:
        case "piece":
            return say("choice", item=called(game, view, Piece(PieceId(value))))
        case "place":
            return say("choice", item=called(game, view, Place(PlaceId(value))))
        case "seat":
            return say("choice", item=Seat(SeatId(value)))
        case _:
            return say("choice", item=int(value))


def _once(values: Iterator[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))
