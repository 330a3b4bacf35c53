"""What the box shows: one page for where its selection stands, or for what comes before the game. Pure."""

from __future__ import annotations

from typing import assert_never

from . import next_game, tag_menu
from .core.facts import Name, Piece, Place, Said, Seat, say
from .core.game import Decision
from .core.ids import PUBLIC, TABLE, PlaceId, SeatId
from .core.judge import seen_refusal
from .core.rules import Token
from .core.telling import label
from .pages import (
    AdmitPage,
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
from .pointing import Box, ending, pointed
from .record import bars_take_back, last_act
from .selection import Blocked, HowMany, Idle, More, Ready, with_number
from .snapshot import Snapshot


def page(scene: Snapshot, box: Box) -> Page:
    """What the box shows."""
    return urgent(scene) or _own_page(scene, box)


def urgent(scene: Snapshot) -> Page | None:
    """What comes before the game: a phone at the door, a question, tags that are being given, a first run."""
    if scene.joining and not scene.joining.admitted:
        who = say("admit.who", name=Name(scene.joining.name), seat=Seat(scene.joining.seat))
        return AdmitPage(who, scene.joining.code)
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
    match end:
        case More(choices=choices, hides=hides) if choices:
            title = say("choose.lay") if hides else scene.game.headline(scene.view(PUBLIC))
            return ChoosePage(title, tuple(choice.said for choice in choices), box.at, _chooser(scene, box))
        case HowMany(intent=intent, low=low, high=high):
            number = low + box.at
            title = label(with_number(intent, number), scene.known(PUBLIC))
            who, corner = _chooser(scene, box), scene.game.headline(scene.view(PUBLIC))
            return NumberPage(title, low, high, number, _foreseen(scene, box, number), who, corner)
        case Ready(intent=intent, marks=marks):
            known = scene.known(PUBLIC)
            foreseen = scene.game.foresee(scene.view(PUBLIC), intent) if intent.actor != TABLE else ()
            warned = (say("advise.mark", rule=Name(marks[0])),) if marks else ()
            return ConfirmPage(label(intent, known), warned + foreseen, _chooser(scene, box))
        case More():
            return ChoosePage(say("choose.lay-only"), (say("choose.lay-item"),), 0, _chooser(scene, box))
        case Blocked(refused=why):
            return RefusedPage(seen_refusal(scene.game, scene.view(PUBLIC), why))
        case Idle():
            return turn_page(scene)
        case _:
            assert_never(end)


def _foreseen(scene: Snapshot, box: Box, number: int) -> tuple[Said, ...]:
    """What the open question would lead to with this number."""
    _, end = pointed(scene, box, Token("number", number))
    if not isinstance(end, Ready) or end.intent.actor == TABLE:
        return ()
    return scene.game.foresee(scene.view(PUBLIC), end.intent)


def turn_page(scene: Snapshot) -> Page:
    """Whose turn it is and what is awaited."""
    view = scene.view(PUBLIC)
    if scene.result is not None:
        return TurnPage(say("game.short"), say("box.over"), scene.result.said, say("box.over-what"), say("box.next"))
    decision = scene.decisions[-1]
    return TurnPage(
        say("game.short"),
        scene.game.headline(view),
        _who(decision),
        Said("decide." + decision.kind, decision.facts),
        _hint(scene),
    )


def _hint(scene: Snapshot) -> Said:
    """How to go on; or whose phone is away, so that nobody waits in vain."""
    away = [seat for seat in scene.away if seat in scene.awaited] or list(scene.away)
    return say("box.away", seat=Seat(away[0])) if away else say("box.next")


def _chooser(scene: Snapshot, box: Box) -> Said:
    """Who the turn page named; a correction is nobody's."""
    return Said("") if box.menu == "correct" or not scene.decisions else _who(scene.decisions[-1])


def _who(decision: Decision) -> Said:
    match decision.seats:
        case (seat,):
            return say("box.who", seat=Seat(seat))
        case seats:
            return say("box.several", n=len(seats))


def _check_page(scene: Snapshot, box: Box) -> Page:
    status = scene.game.status(scene.view(PUBLIC))
    lines = [(finding.said, True) for finding in status.findings] + [(said, False) for said in status.words]
    said, is_problem = lines[box.at % len(lines)]
    return CheckPage(said, box.at % len(lines) + 1, len(lines), is_problem)


def _back_page(scene: Snapshot) -> Page:
    undo = last_act(scene.deeds, scene.at)
    if undo is None:
        return ConfirmPage(say("back.nothing"), ())
    to, act = undo
    barred = bars_take_back(scene.deeds, scene.at, to, act.actor)
    hint = say("back.referee") if barred else say("back.free")
    return ConfirmPage(say("back.title", n=to + 1), (label(act, scene.known(PUBLIC)), hint))


def about(scene: Snapshot, token: Token) -> Page:
    """What a tapped thing is, as far as everyone may know."""
    if token.kind != "piece":
        return PiecePage(_named(token), say("tap.nothing"))
    view = scene.view(PUBLIC)
    for lies in scene.game.layout(view):
        if lies.piece == token.value:
            more = scene.game.about(view, lies.piece, PUBLIC)
            return PiecePage(say("choice", item=Piece(lies.piece)), scene.game.place(lies.place), more)
    return PiecePage(say("piece.unknown"), say("tap.secret"))


def _named(token: Token) -> Said:
    match token.kind:
        case "seat" | "actor":
            return say("choice", item=Seat(SeatId(int(token.value))))
        case "number":
            return say("choice", item=int(token.value))
        case "place":
            return say("choice", item=Place(PlaceId(str(token.value))))
        case _:
            return say("choice", item=Name(str(token.value)))
