"""What the box shows: one page for where its selection stands, or for what comes before the game. Pure."""

from __future__ import annotations

from typing import assert_never

from companion.core.correcting import change
from companion.core.facts import Name, Piece, Place, Said, Seat, say
from companion.core.ids import PUBLIC, TABLE, PlaceId, SeatId
from companion.core.judge import is_correction, seen_refusal
from companion.core.pages import (
    CheckPage,
    ChoosePage,
    ConfirmPage,
    JoinPage,
    NumberPage,
    Page,
    PiecePage,
    RefusedPage,
    TroublePage,
    TurnPage,
)
from companion.core.rules import Intent, Token
from companion.core.selection import Blocked, End, HowMany, Idle, More, Ready, with_number
from companion.core.telling import called, label
from companion.table import door
from companion.table.record import bars_take_back, last_act
from companion.table.snapshot import Snapshot

from . import checking, next_game, tag_menu
from .pointing import Box, ending, meant_by, number_at, number_now, pointed


def page(scene: Snapshot, box: Box) -> Page:
    """What the box shows."""
    return urgent(scene, box) or _own_page(scene, box)


def urgent(scene: Snapshot, box: Box) -> Page | None:
    """What comes before the game: phones at the door, a question, tags that are being given, a first run."""
    if at_the_door := door.page(scene.joining, box.door):
        return at_the_door
    if scene.question is not None:
        return TroublePage(scene.question)
    if scene.enrolling is not None:
        return tag_menu.enrol_page(scene.enrolling, tag_menu.things_of(scene))
    if scene.beginning is not None:
        return JoinPage() if scene.beginning.joins else scene.beginning.page
    return None


def _own_page(scene: Snapshot, box: Box) -> Page:
    match box.menu:
        case "tags" | "pieces":
            return tag_menu.rows_page(box.at) if box.menu == "tags" else tag_menu.pieces_page(scene, box.at)
        case "join" | "wifi":
            return scene.wifi if box.menu == "wifi" and scene.wifi else JoinPage()
        case "off":
            return ConfirmPage(say("off.title"), (say("off.hint"),))
        case "check":
            return _check_page(scene, box)
        case "back":
            return _back_page(scene)
        case "shelf" if scene.shelf:
            return next_game.page(scene.shelf, box.tokens, box.at, len(scene.chairs))
        case "shelf":
            return turn_page(scene)
        case "turn" if not box.tokens:
            return turn_page(scene)
        case "turn" | "list" | "correct":
            return _selection_page(scene, box)
        case _:
            assert_never(box.menu)


def _selection_page(scene: Snapshot, box: Box) -> Page:
    end = ending(scene, box)
    who, other = _chooser(scene, box, end)
    match end:
        case More(choices=choices, hides=hides) if choices:
            title = say("choose.lay") if hides else _corner(scene, box)
            return ChoosePage(title, tuple(choice.said for choice in choices), box.at, who, other)
        case HowMany(intent=intent, low=low, high=high):
            number = number_at(scene, box, end)
            title = label(scene.game, scene.view(PUBLIC), with_number(intent, number), scene.known(PUBLIC))
            foreseen = _foreseen_with(scene, box, end, number)
            return NumberPage(title, low, high, number, foreseen, who, _corner(scene, box))
        case Ready(intent=intent, marks=marks):
            view, known = scene.view(PUBLIC), scene.known(PUBLIC)
            foreseen = _foreseen(scene, intent)
            warned = (say("advise.mark", rule=Name(marks[0])),) if marks else ()
            return ConfirmPage(label(scene.game, view, intent, known), warned + foreseen, who, other)
        case More():
            return ChoosePage(say("choose.lay-only"), (say("choose.lay-item"),), 0, who, other)
        case Blocked(refused=why):
            refusal = seen_refusal(scene.game, scene.view(PUBLIC), why)
            return RefusedPage(refusal, unless_awaited(scene.awaited, why.intent.actor))
        case Idle():
            return turn_page(scene)
        case _:
            assert_never(end)


def _corner(scene: Snapshot, box: Box) -> Said:
    """What it is about: where the game stands, or what is set right."""
    if box.menu != "correct":
        return scene.game.headline(scene.view(PUBLIC))
    verb = next((token.value for token in box.tokens if token.kind == "verb"), None)
    return say("fix.what") if verb is None else say(f"verb.{verb}")


def _foreseen_with(scene: Snapshot, box: Box, end: HowMany, number: int) -> tuple[Said, ...]:
    """What the open question would lead to with this number; where it would change nothing, how to go on."""
    if number == number_now(scene, end):
        return (say("fix.less" if box.down else "fix.more"),)
    _, then = pointed(scene, box, Token("number", number))
    return _foreseen(scene, then.intent) if isinstance(then, Ready) else ()


def _foreseen(scene: Snapshot, intent: Intent) -> tuple[Said, ...]:
    """What would come of it; of what is set right, from what to what."""
    if is_correction(scene.game, intent):
        said = change(scene.game, scene.view(PUBLIC), intent)
        return () if said is None else (said,)
    return scene.game.foresee(scene.view(PUBLIC), intent) if intent.actor != TABLE else ()


def turn_page(scene: Snapshot) -> Page:
    """Whose turn it is and what is awaited."""
    view = scene.view(PUBLIC)
    if scene.result is not None:
        return TurnPage(say("game.short"), say("box.over"), scene.result.said, say("box.over-what"), say("box.next"))
    return TurnPage(say("game.short"), scene.game.headline(view), *checking.whose_move(scene), _hint(scene))


def _hint(scene: Snapshot) -> Said:
    """How to go on; or whose phone is away, so that nobody waits in vain."""
    away = [seat for seat in scene.away if seat in scene.awaited] or list(scene.away)
    return say("box.away", seat=Seat(away[0])) if away else say("box.next")


def _chooser(scene: Snapshot, box: Box, end: End) -> tuple[Said, bool]:
    """Who chooses, and whether that is another than the one whom the game waits for; a correction is nobody's."""
    if box.menu == "correct" or not scene.decisions:
        return Said(""), False
    if isinstance(end, More) and any(choice.token.kind == "actor" for choice in end.choices):
        return say("choose.who"), False
    seat = meant_by(scene, box, end)
    if seat is None:
        return checking.whose_move(scene)[0], False
    return say("box.who", seat=Seat(seat)), scene.awaited != (seat,)


def unless_awaited(awaited: tuple[SeatId, ...], seat: SeatId) -> Said:
    """Somebody to be named; nothing where that seat alone is awaited, so that the page names it anyway."""
    return Said("") if seat == TABLE or awaited == (seat,) else say("box.who", seat=Seat(seat))


def _check_page(scene: Snapshot, box: Box) -> Page:
    if box.line is None:
        shown = checking.pages(scene)
        return shown[box.at % len(shown)]
    lines = checking.behind(scene, box.at)
    at = box.line % len(lines)
    return CheckPage(lines[at], at + 1, len(lines), is_problem=False)


def _back_page(scene: Snapshot) -> Page:
    undo = last_act(scene.deeds, scene.at)
    if undo is None:
        return ConfirmPage(say("back.nothing"), ())
    to, act = undo
    barred = bars_take_back(scene.deeds, scene.at, to, act.actor)
    hint = say("back.referee") if barred else say("back.free")
    what = label(scene.game, scene.view(PUBLIC), act, scene.known(PUBLIC))
    who = unless_awaited((), act.actor)
    return ConfirmPage(say("back.title", n=to + 1), (what, hint), who, other=bool(who.key))


def about(scene: Snapshot, token: Token) -> Page:
    """What a tapped thing is, as far as everyone may know."""
    if token.kind != "piece":
        return PiecePage(_named(scene, token), say("tap.nothing"))
    game, view = scene.game, scene.view(PUBLIC)
    for lies in game.layout(view):
        if lies.piece == token.value:
            more = game.about(view, lies.piece, PUBLIC)
            where = say("choice", item=called(game, view, Place(lies.place)))
            return PiecePage(say("choice", item=Piece(lies.piece)), where, more)
    return PiecePage(say("piece.unknown"), say("tap.secret"))


def _named(scene: Snapshot, token: Token) -> Said:
    match token.kind:
        case "seat" | "actor":
            return say("choice", item=Seat(SeatId(int(token.value))))
        case "number":
            return say("choice", item=int(token.value))
        case "place":
            place = Place(PlaceId(str(token.value)))
            return say("choice", item=called(scene.game, scene.view(PUBLIC), place))
        case _:
            return say("choice", item=Name(str(token.value)))
