"""What hands have moved: a wish, something to be put right, or what an act has left them to do.

Record and table differ for one of two reasons. Either the record went on and hands have not followed yet: those pieces
are *owed*, and nobody waits for them. Or hands have moved something: then that is the wish, if a legal intent explains
it. While it could mean more than one, hands are given a moment; if nothing explains it, the table is out of step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from companion.core import (
    PUBLIC,
    UNKNOWN,
    Asked,
    BotChose,
    Event,
    Fact,
    Input,
    Intent,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Said,
    Tapped,
    Token,
    called,
    carries,
    evidence,
    led_to,
    say,
    told,
)
from companion.core.evidence import Amiss, Laid, Lying, Watch, Way, amiss_said
from companion.journal import Did, TookBack
from companion.library import PieceTag

from .desk import Desk
from .granting import grant
from .record import Chair
from .snapshot import Snapshot
from .wishes import Answer, By, Do, Done, Wish

SETTLES: Final = 1.0
"""Seconds that hands are given when they may still be going on to something else."""
GRACE: Final = 8.0
"""Seconds that a piece may be in somebody's hand although nothing can be done with it."""
MOST_ROUNDS: Final = 4
"""How many acts in a row are read from one movement at most; two are looked for at a time."""


class Look(Struct, frozen=True, eq=False):
    """One moment: what should lie on the watched places, and what does."""

    scene: Snapshot
    watch: Watch
    should: Laid
    seen: Lying

    def lies(self, piece: PieceId) -> PlaceId | None:
        return next((place for place, each in self.seen if each == piece), None)

    def public_places(self) -> dict[PieceId, PlaceId]:
        """Where everything belongs, as everybody may know it."""
        return {lies.piece: lies.place for lies in self.scene.game.layout(self.scene.view(PUBLIC))}

    def amiss(self, excused: dict[PieceId, PlaceId | None]) -> tuple[Amiss, ...]:
        return evidence.amiss(self.should, self.seen, self.public_places(), excused)


def look(desk: Desk) -> Look:
    scene, sight = desk.now(), desk.hands.sight
    game, pack = scene.game, scene.state.setup.pack
    watch = sight.watch(game, pack, desk.tagbook)
    return Look(scene, watch, evidence.laid(game, scene.state, watch), sight.lying(game, pack, desk.tagbook))


# What was moved


def read(desk: Desk, cause: Input | None, *, settled: bool = False, plays: bool = True) -> Answer | None:
    """What the moved pieces mean now.

    `settled` once hands have rested for as long as they were given; pieces merely found there do not play (`plays`
    false). After the game is over, hands are clearing the table.
    """
    if desk.referee.at.result is not None:
        desk.hands.clear()
        return None
    answer: Answer | None = None
    for _ in range(MOST_ROUNDS):
        now = look(desk)
        intents = _moved(desk, now, cause, settled=settled, plays=plays, has_acted=answer is not None)
        note(desk, now if desk.referee.at.seq == now.scene.seq else look(desk))
        if not intents:
            return answer
        landed = tuple(sorted({place for place, _ in now.seen - now.should.lying}))
        reply = _granted(desk, desk.box.moved(now.scene, intents, landed), cause)
        if not isinstance(reply, Done):
            return reply or answer
        answer = reply
        _owe_the_rest(desk, now)
    return answer


def _granted(desk: Desk, wish: Wish | None, cause: Input | None) -> Answer | None:
    return None if wish is None else grant(desk, wish, By(None, cause))


def _moved(
    desk: Desk, now: Look, cause: Input | None, *, settled: bool, plays: bool, has_acted: bool
) -> tuple[Intent, ...]:
    """The intents that explain what was moved, once it is time to say so."""
    hands = desk.hands
    hands.settles = None
    _tick(desk, now)
    wrong = now.amiss(hands.owed)
    if not wrong:
        _in_step(desk)
        return ()
    reading = evidence.read(now.scene.game, now.should, _ways(desk, now), now.seen, now.watch, hands.owed)
    if plays and reading.intents and (settled or not reading.open):
        hands.astray = ()
        return reading.intents
    if plays and (reading.intents or reading.open):
        hands.astray = ()
        hands.settles = SETTLES if reading.intents else None
    elif has_acted:
        _owe(desk, now)
    elif not (plays and _is_led_to(desk, now, settled)):
        _unexplained(desk, wrong, cause, settled)
    return ()


def _is_led_to(desk: Desk, now: Look, settled: bool) -> bool:
    """Whether unseen acts lead up to what was moved; if so, once hands rest they are done, the movement last."""
    scene, hands = now.scene, desk.hands
    done = led_to(scene.game, scene.state, scene.awaited, now.should, now.seen, now.watch, hands.owed)
    if not done:
        return False
    hands.astray = ()
    hands.settles = None if settled else SETTLES
    if settled:
        before = len(scene.history)
        for intent in done:
            grant(desk, Do(intent), By(None, None))
        desk.tell(desk.referee.at.seq, before)
        _owe_the_rest(desk, now)
    return True


def _ways(desk: Desk, now: Look) -> tuple[Way, ...]:
    """What may be done now, with what would lie there; reused until something is done."""
    scene, watch = now.scene, now.watch
    moment = (scene.table, scene.seq, frozenset(watch.places.items()), watch.pieces)
    if desk.hands.ways[0] != moment:
        desk.hands.ways = moment, evidence.ways(scene.game, scene.state, scene.awaited, watch)
    return desk.hands.ways[1]


# Out of step


def _unexplained(desk: Desk, wrong: tuple[Amiss, ...], cause: Input | None, settled: bool) -> None:
    """Nothing legal leads there. A piece that was only lifted may be held for a while."""
    hands = desk.hands
    if not settled and not hands.astray and all(each.lies is None for each in wrong):
        hands.settles = GRACE
        return
    hands.astray, was = (), hands.astray
    wish = _why_not(desk, cause)
    if isinstance(_granted(desk, wish, cause), Done):
        _owe(desk, look(desk))
        return  # scribes record whatever hands can do
    if wish is None and desk.referee.mode != "strict" and desk.box.is_choosing:
        return  # where rules only advise it may still stand: ask
    if wish is None and not was:
        desk.signal = "trouble"
    hands.astray = wrong


def _why_not(desk: Desk, cause: Input | None) -> Wish | None:
    """What the piece laid last may have meant, so that the reason against it can be given."""
    if not isinstance(cause, Tapped):
        return None
    tag, place = desk.tagbook.find(cause.uid), desk.hands.sight.zones.get(cause.reader)
    if not isinstance(tag, PieceTag) or place is None:
        return None
    return desk.box.laid_wrong(desk.now(), Token("piece", tag.piece), place)


def _in_step(desk: Desk) -> None:
    """Table and record agree: drop whatever moving pieces had begun, and let play go on."""
    if desk.hands.astray:
        desk.hands.astray, desk.signal = (), "accepted"
    desk.box.put_back()


# What hands still have to do


def follow(desk: Desk, before: Snapshot, given: object) -> None:
    """The record has gone on since `before`: hands have to carry whatever now lies elsewhere.

    What no reader watches is assumed done if somebody at the table acted, and named if nobody there did.
    """
    now = look(desk)
    is_watched = bool(now.watch.places)
    if is_watched:
        _owe(desk, now)
    elsewhere = _acted_elsewhere(now.scene, before, given, is_watched=is_watched)
    desk.hands.serves = given.seat if isinstance(given, Asked | BotChose) and elsewhere else None
    desk.hands.errands = tuple(_errands(before, now)) if elsewhere else ()
    note(desk, now)


def is_absent(chairs: tuple[Chair, ...], given: object) -> bool:
    """Whether a bot did it, or somebody who is elsewhere: hands at the table move for them."""
    is_elsewhere = isinstance(given, Asked) and 0 <= given.seat < len(chairs) and chairs[given.seat].elsewhere
    return is_elsewhere or isinstance(given, BotChose)


def _owe(desk: Desk, now: Look) -> None:
    hands = desk.hands
    hands.astray, hands.settles = (), None
    hands.owed.clear()
    hands.strayed.clear()
    hands.owed.update({each.piece: each.lies for each in now.amiss({})})


def _owe_the_rest(desk: Desk, before: Look) -> None:
    """What an act changed besides what was moved for it: a drawn card, or one that lay beside a full row."""
    desk.hands.strayed.clear()
    moved = {each.piece for each in before.amiss({})}
    rest = (each for each in look(desk).amiss({}) if each.piece not in moved)
    desk.hands.owed.update({each.piece: each.lies for each in rest})


def _acted_elsewhere(scene: Snapshot, before: Snapshot, given: object, *, is_watched: bool) -> bool:
    """Whether somebody at the table has to move what another has wished: someone who is not there or, where readers
    watch, a phone or a step back."""
    if is_absent(scene.chairs, given):
        return True
    if not is_watched or scene.table != before.table:
        return False
    newest = scene.history[-1].body
    return isinstance(given, Asked) or isinstance(newest, TookBack) or (isinstance(newest, Did) and newest.correction)


def _errands(before: Snapshot, now: Look) -> Iterator[Said]:
    """What hands have to do that no reader sees: in the game's own words, or piece by piece for a step back."""
    scene = now.scene
    if isinstance(scene.history[-1].body, TookBack):
        was, is_now = before.view(PUBLIC), scene.view(PUBLIC)
        places = {lies.piece: lies.place for view in (was, is_now) for lies in scene.game.layout(view)}
        for each in carries(scene.game, was, is_now, "hands"):
            if each.piece is None or places[each.piece] not in now.watch.places:
                yield each.said
        return
    for entry in scene.history[len(before.history) :]:
        deed = scene.deeds.get(entry.seq)
        yield from _by_hand(scene, now, deed.events if deed else ())


def _by_hand(scene: Snapshot, now: Look, events: tuple[Event, ...]) -> Iterator[Said]:
    """What the events of an act mean for hands, except for what a reader will see done."""
    seen = {piece for _, piece in now.should.lying ^ now.seen}
    for event in events:
        if event.concerns == "hands":
            said = told(scene.game, scene.view(PUBLIC), event, PUBLIC)
            facts = [fact for _, fact in said.facts]
            is_seen = any(isinstance(fact, Piece) and fact.id in seen for fact in facts)
            if not is_seen or any(isinstance(fact, int) for fact in facts):
                yield said


def _tick(desk: Desk, now: Look) -> None:
    """Forget what is no longer owed: it lies where it belongs, or where hands have since put it.

    If they then put it back where it was, and nothing was done with it meanwhile, it is owed again.
    """
    owed, strayed = desk.hands.owed, desk.hands.strayed
    belongs = {piece: place for place, piece in now.should.lying}
    for piece, was in (*owed.items(), *strayed.items()):
        lies = now.lies(piece)
        if lies == belongs.get(piece):
            owed.pop(piece, None)
            strayed.pop(piece, None)
        elif piece in owed and lies not in (was, None):
            strayed[piece] = owed.pop(piece)
        elif piece in strayed and lies == was:
            owed[piece] = strayed.pop(piece)


# In words


def note(desk: Desk, now: Look) -> None:
    """What lies elsewhere, for display, check and phones; nobody hears of a piece that they may not know."""
    hands, wrong = desk.hands, now.amiss({})
    owed = tuple(step_of(now.scene, each) for each in wrong if each.piece in hands.owed)
    hands.to_do = (*owed, *hands.errands)
    hands.repairs = tuple(step_of(now.scene, each) for each in hands.astray)
    hands.found = tuple(_finding(now.scene, each) for each in wrong)


def step_of(scene: Snapshot, each: Amiss) -> Said:
    """What hands have to do with it."""
    piece = _piece(scene, each.piece)
    if each.belongs is None:
        assert each.lies is not None, "it lies somewhere or belongs somewhere"
        return say("hands.off", piece=piece, place=_place(scene, each.lies))
    return say("hands.piece", piece=piece, place=_place(scene, each.belongs))


def _finding(scene: Snapshot, each: Amiss) -> Said:
    return amiss_said(scene.game, scene.view(PUBLIC), each, scene.known(PUBLIC))


def _piece(scene: Snapshot, piece: PieceId) -> Fact:
    known = piece if piece in scene.known(PUBLIC) else UNKNOWN
    return called(scene.game, scene.view(PUBLIC), Piece(known))


def _place(scene: Snapshot, place: PlaceId) -> Fact:
    return called(scene.game, scene.view(PUBLIC), Place(place))
