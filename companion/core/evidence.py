"""What readers see of the table, and which intents would explain it. Pure.

A reader bound to a place knows which pieces lie there. Which way they face, and what lies out of any reader's range, is
taken on trust. Moving pieces expresses a wish: the legal intent that would leave exactly those pieces there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from .facts import Piece, Place, Said, say
from .game import Game, Lies, verb_of
from .ids import TABLE, UNKNOWN, PieceId, PlaceId, SeatId
from .legality import allowed, carry_out, legal, objection
from .rules import Intent, Token, Verb, mentions
from .selection import with_number
from .telling import called

Lying: TypeAlias = frozenset[tuple[PlaceId, PieceId]]
"""Which piece lies on which place."""

NOTHING: Final[Lying] = frozenset()


class Watch(Struct, frozen=True, eq=False):
    """What can be seen at all: the places with working readers and how many each has, and the pieces with tags."""

    places: Mapping[PlaceId, int]
    pieces: Container[PieceId]


class Laid(Struct, frozen=True):
    """What should lie on the watched places. Readers cannot vouch for the `believed` ones."""

    lying: Lying
    believed: frozenset[PlaceId] = frozenset()


class Amiss(Struct, frozen=True, order=True):
    """A piece that lies elsewhere than the record says. None stands for a hand, or a place that no reader watches."""

    piece: PieceId
    lies: PlaceId | None
    belongs: PlaceId | None


class Way(Struct, frozen=True, eq=False):
    """A legal intent, and what should lie there after it."""

    intent: Intent
    laid: Laid
    after: Any


class Reading(Struct, frozen=True):
    """What hands have done: the intents that explain it. It stays `open` while they may be on the way to another."""

    intents: tuple[Intent, ...]
    open: bool


def laid(game: Game[Any, Any], state: Any, watch: Watch) -> Laid:
    """What should lie on the watched places.

    Where something unknown lies, or more pieces than there are readers, nobody can tell whether it is right.
    """
    places, pieces = watch.places, watch.pieces
    there = [(lies.place, lies.piece) for lies in game.layout(state) if lies.place in places]
    believed = {place for place, piece in there if piece == UNKNOWN}
    lying = frozenset([each for each in there if each[1] in pieces])
    believed |= {place for place, n in Counter(place for place, _ in lying).items() if n > places[place]}
    return Laid(lying, frozenset(believed))


def amiss(
    should: Laid, seen: Lying, whole: Mapping[PieceId, PlaceId], excused: Collection[PieceId] = ()
) -> tuple[Amiss, ...]:
    """Every piece that lies wrong; moving each once is the least that brings the table back in step.

    `whole` says where everything belongs, even without a reader. Misplaced pieces come first: moving them makes room.
    """
    gone, come = _changes(should, should, seen, excused)
    lies = {piece: place for place, piece in come}
    belongs = {piece: place for place, piece in gone}
    pieces = sorted({*lies, *belongs}, key=lambda each: (each in belongs, each not in lies, each))
    return tuple(Amiss(each, lies.get(each), belongs.get(each, whole.get(each))) for each in pieces)


def ways(game: Game[Any, Any], state: Any, actors: Iterable[SeatId], watch: Watch) -> tuple[Way, ...]:
    """Every legal intent with what should lie there after it. Depends only on the state, not on what hands do."""
    return tuple(_ways(game, state, actors, watch))


def _ways(game: Game[Any, Any], state: Any, actors: Iterable[SeatId], watch: Watch) -> Iterator[Way]:
    for actor in actors:
        for intent in legal(game, state, actor):
            verb = verb_of(game, intent)
            way = _way(game, state, verb, intent, watch)
            yield way
            if verb.span is not None:
                yield from _numbered(game, state, verb, way, watch)


def _way(game: Game[Any, Any], state: Any, verb: Verb[Any, Any], intent: Intent, watch: Watch) -> Way:
    after = carry_out(game, state, verb, intent)[1]
    return Way(intent, laid(game, after, watch), after)


def _numbered(game: Game[Any, Any], state: Any, verb: Verb[Any, Any], lowest: Way, watch: Watch) -> Iterator[Way]:
    """The same intent with its higher numbers, if what lies there depends on the number; the highest shows whether."""
    assert verb.span is not None, "asked before"
    low, high = verb.span(state, lowest.intent)
    if high == low:
        return
    highest = _way(game, state, verb, with_number(lowest.intent, high), watch)
    if highest.laid != lowest.laid:
        between = (with_number(lowest.intent, number) for number in range(low + 1, high))
        yield from (_way(game, state, verb, each, watch) for each in between if objection(game, state, each) is None)
        yield highest


def read(
    game: Game[Any, Any],
    should: Laid,
    known: tuple[Way, ...],
    seen: Lying,
    watch: Watch,
    excused: Collection[PieceId] = (),
) -> Reading:
    """The intents that would explain why `seen` differs from `should`.

    If no single intent explains it, two in a row may; then the first of them is what was done. `excused` pieces still
    lie where an earlier act left them: they tell nothing, and no intent moves them.
    """
    free = [way for way in known if _spares(should, way.laid, excused)]
    fits = [way.intent for way in free if _is(way.laid, should, seen, excused)]
    is_open = any(_leads_on(should, way.laid, seen, excused) for way in free)
    if fits or is_open:
        return Reading(tuple(fits), is_open)
    return Reading(tuple(_firsts(game, should, free, seen, watch, excused)), open=False)


def _firsts(
    game: Game[Any, Any],
    should: Laid,
    known: list[Way],
    seen: Lying,
    watch: Watch,
    excused: Collection[PieceId],
) -> Iterator[Intent]:
    """The intents after which a second one explains what is seen.

    The first must have left a trace or be about nothing but what has moved. What nothing shows is not guessed.
    """
    gone, come = _changes(should, should, seen, excused)
    moved = {Token("piece", piece) for _, piece in (*gone, *come)} | {Token("place", at) for at, _ in (*gone, *come)}
    for way in known:
        if not (_is_shown(game, way, moved) and _is_part(should, way.laid, seen, excused)):
            continue
        asked = game.decisions(way.after)
        actors = asked[-1].seats if asked else ()
        second = _ways(game, way.after, actors, watch)
        if any(_spares(should, then.laid, excused) and _is(then.laid, should, seen, excused) for then in second):
            yield way.intent


def _is_shown(game: Game[Any, Any], way: Way, moved: set[Token]) -> bool:
    """Whether the moved pieces alone give this intent away: everything it is about has moved, and it asks for no OK."""
    verb = verb_of(game, way.intent)
    about = set(mentions(way.intent)[1:])
    return about <= moved and (bool(about) or not (verb.asks or way.intent.actor == TABLE))


def differs(then: Laid, should: Laid, seen: Lying, excused: Collection[PieceId]) -> bool:
    """Whether anything `seen` differs from `then`, where both that and `should` can be seen."""
    return _changes(then, should, seen, excused) != (NOTHING, NOTHING)


def _is(then: Laid, should: Laid, seen: Lying, excused: Collection[PieceId]) -> bool:
    return not differs(then, should, seen, excused)


def _leads_on(should: Laid, then: Laid, seen: Lying, excused: Collection[PieceId]) -> bool:
    """Whether every move so far is on the way to `then`, with some still to come."""
    gone, come = _changes(should, then, seen, excused)
    leaves, lands = _changes(should, then, then.lying, excused)
    return gone <= leaves and come <= lands and not _is(then, should, seen, excused)


def _is_part(should: Laid, then: Laid, seen: Lying, excused: Collection[PieceId]) -> bool:
    """Whether hands have moved everything that `then` asks for."""
    gone, come = _changes(should, then, seen, excused)
    leaves, lands = _changes(should, then, then.lying, excused)
    return leaves <= gone and lands <= come


def _changes(should: Laid, also: Laid, seen: Lying, excused: Collection[PieceId]) -> tuple[Lying, Lying]:
    """What has left its place and what has arrived, only where both layouts can be seen."""
    gone, come = should.lying - seen, seen - should.lying
    believed = should.believed | also.believed
    if not believed and not excused:
        return gone, come
    return _without(gone, believed, excused), _without(come, believed, excused)


def _without(lying: Lying, believed: frozenset[PlaceId], excused: Collection[PieceId]) -> Lying:
    return frozenset([(place, piece) for place, piece in lying if place not in believed and piece not in excused])


def _spares(should: Laid, then: Laid, excused: Collection[PieceId]) -> bool:
    """Whether an intent leaves alone the pieces that still have to be carried somewhere."""
    return not excused or not any(piece in excused for _, piece in should.lying ^ then.lying)


def believing(game: Game[Any, Any], state: Any, seen: Lying, watch: Watch) -> tuple[Intent, ...]:
    """The corrections that make the record match what is `seen`; () if none lead there.

    Each one sets at least one more piece right, so there are never more of them than misplaced pieces.
    """
    made: list[Intent] = []
    wrong = _wrong(game, state, seen, watch)
    while wrong:
        tried = ((intent, _corrected(game, state, intent)) for intent in _corrections(game, state))
        counted = ((_wrong(game, after, seen, watch), at, intent, after) for at, (intent, after) in enumerate(tried))
        left, _, best, then = min(counted, key=lambda each: each[:2], default=(wrong, 0, None, state))
        if best is None or left >= wrong:
            return ()
        made.append(best)
        wrong, state = left, then
    return tuple(made)


def _corrections(game: Game[Any, Any], state: Any) -> Iterator[Intent]:
    return (intent for verb in game.corrections for intent in allowed(verb, state, TABLE))


def _corrected(game: Game[Any, Any], state: Any, intent: Intent) -> Any:
    return carry_out(game, state, verb_of(game, intent), intent)[1]


def _wrong(game: Game[Any, Any], state: Any, seen: Lying, watch: Watch) -> int:
    """How many pieces lie elsewhere than the state says."""
    gone, come = _changes(should := laid(game, state, watch), should, seen, ())
    return len({piece for _, piece in (*gone, *come)})


class Carry(Struct, frozen=True):
    """One thing to do with a piece, or (None) with cards that must not be named."""

    piece: PieceId | None
    said: Said


def amiss_said(game: Game[Any, Any], view: Any, each: Amiss, known: Container[PieceId]) -> Said:
    """A misplaced piece in the words of the check, for someone who knows only the pieces in `known`."""
    piece = called(game, view, Piece(each.piece if each.piece in known else UNKNOWN))
    if each.lies is None:
        assert each.belongs is not None, "it lies somewhere or belongs somewhere"
        return say("check.not-there", piece=piece, place=called(game, view, Place(each.belongs)))
    lies = called(game, view, Place(each.lies))
    if each.belongs is None:
        return say("check.lies-there", piece=piece, place=lies)
    return say("check.lies-elsewhere", piece=piece, place=lies, other=called(game, view, Place(each.belongs)))


def carries(game: Game[Any, Any], now: Any, then: Any, words: str) -> Iterator[Carry]:
    """What must be carried where to turn the table of the view `now` into that of `then`.

    `words` is the prefix of the texts: `put-back` for `put-back.piece`, `put-back.count` and `put-back.turn-up`.
    """
    lies_now, lies_then = game.layout(now), game.layout(then)
    should = {lies.piece: lies for lies in lies_then if lies.piece != UNKNOWN}
    named = set()
    for lies in lies_now:
        to = should.get(lies.piece)
        if to and (to.place, to.facing) != (lies.place, lies.facing):
            named.add(lies.piece)
            yield Carry(lies.piece, _piece(game, now, then, lies, to, words))
    for place in dict.fromkeys(lies.place for lies in (*lies_now, *lies_then)):
        missing = _lying(lies_then, place, named) - _lying(lies_now, place, named)
        if missing > 0:
            yield Carry(None, say(f"{words}.count", n=missing, place=called(game, then, Place(place))))


def _piece(game: Game[Any, Any], now: Any, then: Any, lies: Lies, to: Lies, words: str) -> Said:
    piece = called(game, now, Piece(lies.piece))
    if lies.place == to.place:
        return say(f"{words}.turn-{to.facing}", piece=piece)
    return say(f"{words}.piece", piece=piece, place=called(game, then, Place(to.place)))


def _lying(layout: tuple[Lies, ...], place: str, named: set[PieceId]) -> int:
    return sum(1 for lies in layout if lies.place == place and lies.piece not in named)
