"""The box as a person meets it: taps and four buttons in, wants out, one page shown.

Pure: a `Box` is what has been pointed at and which list is open. `tap`, `press` and `turn` give the next `Box` and,
where something is to be done, a `Want` for the table. What each button does on each page is in docs/buttons.md.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from . import next_game, tag_menu
from .core.facts import Name, Piece, Place, Said, Seat, say
from .core.game import Decision
from .core.ids import PUBLIC, TABLE, GameId, PlaceId, SeatId, Seq
from .core.inputs import Button, Enrol
from .core.judge import legal, seen_refusal, verb_of
from .core.rules import Intent, Token, Verb, mentions, mentions_it
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
from .record import bars_take_back, last_act
from .selection import Blocked, End, HowMany, Idle, More, Ready, select, with_number
from .snapshot import Joining, Snapshot

Menu = Literal["turn", "list", "check", "correct", "back", "join", "tags", "pieces", "shelf", "off", "wifi"]
ToMachine = Literal["off", "wifi"]


class Box(Struct, frozen=True):
    """What has been pointed at on the box, and which list is open at which row."""

    menu: Menu = "turn"
    tokens: tuple[Token, ...] = ()
    at: int = 0


class Do(Struct, frozen=True):
    intent: Intent


class GoBack(Struct, frozen=True):
    """Take back to entry `to`, for the seat `by` that acted last; `as_referee` when someone held OK for it."""

    to: Seq
    by: SeatId
    as_referee: bool


class Admit(Struct, frozen=True):
    """What becomes of the phone that asks for a seat: let in, or (None) sent away."""

    joining: Joining | None


class Begin(Struct, frozen=True):
    """Play this game next, with everybody who sits here."""

    game: GameId


class Show(Struct, frozen=True):
    """Nothing is done; the box says something for a moment."""

    page: Page


class GoOn(Struct, frozen=True):
    """The question that stopped the table is settled."""


class AskMachine(Struct, frozen=True):
    """The machine under the box is to be switched off, or to open its own Wi-Fi."""

    to: ToMachine


Want: TypeAlias = Do | GoBack | Admit | Begin | Show | Enrol | GoOn | AskMachine
REST = Box()


def tap(scene: Snapshot, box: Box, token: Token) -> tuple[Box, Want | None]:
    """A tag of a known thing was laid down."""
    if box.menu == "check":
        return box, Show(about(scene, token))
    if box.menu in ("back", "join", "tags", "pieces", "shelf", "off", "wifi"):
        box = REST
    token = _who_or_whom(scene, box, token)
    after = replace(box, tokens=(*box.tokens, token), at=0)
    end = ending(scene, after)
    if isinstance(end, Blocked | Idle) and box.tokens:
        after = replace(box, tokens=(token,), at=0)
        end = ending(scene, after)
    return _reached(scene, after, end, sure=_is_done(scene, after, end))


def lay(scene: Snapshot, box: Box, token: Token, place: PlaceId | None) -> tuple[Box, Want | None]:
    """A tap; on the reader of a place, what lays the piece there is done by it."""
    after, want = tap(scene, box, token)
    if want is None and after.tokens and place is not None:
        there = replace(after, tokens=(*after.tokens, Token("place", place)))
        end = ending(scene, there)
        if isinstance(end, Ready) and _is_done(scene, there, end):
            return REST, Do(end.intent)
    return after, want


def _is_done(scene: Snapshot, box: Box, end: End) -> bool:
    """Whether hands have done it already: the last tag is that of the very place where the piece they laid belongs."""
    if not isinstance(end, Ready):
        return False
    pieces = (token for token in mentions(end.intent) if token.kind == "piece")
    lands = verb_of(scene.game, end.intent).lands_on(scene.state, end.intent, box.tokens[-1])
    return lands and all(piece in box.tokens for piece in pieces)


def press(scene: Snapshot, box: Box, button: Button, held: bool) -> tuple[Box, Want | None]:
    """A button was pressed, or held."""
    if scene.joining and not scene.joining.admitted:
        if button == "back":
            return box, Admit(None)
        return box, Admit(replace(scene.joining, admitted=True)) if button == "ok" and held else None
    if scene.question is not None:
        return box, GoOn() if button == "ok" else None
    if scene.enrolling is not None:
        return REST, tag_menu.press(scene.enrolling, button, held)
    match button:
        case "ok":
            return _ok(scene, box, held)
        case "next":
            # Held on a list it only goes on; the button repeats by itself while it is down.
            joins = held and not (walks(scene, box) or box.menu in ("join", "wifi"))
            leap = tag_menu.LEAP if held and box.menu == "pieces" else 1
            return (Box(menu="join"), None) if joins else (_step(scene, box, leap), None)
        case "back":
            return _held_back(scene, box) if held else _back(box), None
        case "check":
            menu: Menu = "correct" if held else "check"
            return (REST, None) if box.menu == menu else (Box(menu=menu), None)
        case _:
            assert_never(button)


def walks(scene: Snapshot, box: Box) -> bool:
    """Is there a list or a number open that NEXT walks through?"""
    lists = ("list", "check", "correct", "tags", "pieces", "shelf")
    return (box.menu in lists or bool(box.tokens)) and _size(scene, box) > 1


def turn(scene: Snapshot, box: Box, steps: int) -> Box:
    """The dial moved."""
    if _urgent(scene) is not None:
        return box
    return _step(scene, box, steps)


def _ok(scene: Snapshot, box: Box, held: bool) -> tuple[Box, Want | None]:
    if box.menu == "back":
        undo = last_act(scene.deeds, scene.at)
        return REST, GoBack(undo[0], undo[1].actor, held) if undo else None
    if box.menu in ("check", "join"):
        return REST, None
    if box.menu in ("off", "wifi"):
        return _ok_on_machine(box, held)
    if box.menu in ("tags", "pieces"):
        return _ok_on_tags(scene, box)
    if box.menu == "turn" and not box.tokens:
        return _choices(scene), None
    if box.menu == "shelf":
        return _ok_on_shelf(scene, box)
    match ending(scene, box):
        case Ready(intent=intent):
            return REST, Do(intent)
        case HowMany(low=low):
            return _reached(scene, *_pointed(scene, box, Token("number", low + box.at)), sure=True)
        case More(choices=choices) if choices:
            return _reached(scene, *_pointed(scene, box, choices[box.at % len(choices)].token), sure=True)
        case _:
            return REST, None


def _ok_on_machine(box: Box, held: bool) -> tuple[Box, Want | None]:
    """What the machine is asked for is asked with a long press."""
    if held:
        return REST, AskMachine("off" if box.menu == "off" else "wifi")
    return (box if box.menu == "off" else REST), None


def _ok_on_tags(scene: Snapshot, box: Box) -> tuple[Box, Want | None]:
    if box.menu == "pieces":
        return REST, Enrol("begin", "piece", tag_menu.things_of(scene).pieces[box.at], scene.stranger)
    row = tag_menu.ROWS[box.at]
    return (Box(menu="pieces"), None) if row == "piece" else (REST, Enrol("begin", row))


def _choices(scene: Snapshot) -> Box:
    """What there is to choose: things to do or, after the end, the next game."""
    return Box(menu="shelf" if scene.shelf else "list")


def _ok_on_shelf(scene: Snapshot, box: Box) -> tuple[Box, Want | None]:
    game = next_game.chosen(scene.shelf, box.tokens)
    if game is not None:
        return REST, Begin(game.game)
    if not scene.shelf:
        return REST, None
    return replace(box, tokens=(next_game.token(scene.shelf[box.at % len(scene.shelf)]),)), None


def _pointed(scene: Snapshot, box: Box, token: Token) -> tuple[Box, End]:
    """A row was chosen. Who is now known to mean it is no longer whom it may be about."""
    whom = Token("seat", token.value) if token.kind == "actor" else None
    after = replace(box, tokens=(*(t for t in box.tokens if t != whom), token), at=0)
    return after, ending(scene, after)


def _reached(scene: Snapshot, box: Box, end: End, sure: bool = False) -> tuple[Box, Want | None]:
    """What to do where a selection stands; `sure` when OK was pressed on its very words, or hands have done it."""
    match end:
        case Ready(intent=intent, asks=asks, marks=marks):
            return (REST, Do(intent)) if not asks or (sure and not marks) else (box, None)
        case Blocked(refused=refused):
            return REST, Do(refused.intent)
        case Idle(token=token):
            return REST, Show(about(scene, token))
        case More() | HowMany():
            return box, None
        case _:
            assert_never(end)


def _back(box: Box) -> Box:
    if box.tokens:
        return replace(box, tokens=box.tokens[:-1], at=0)
    if box.menu == "pieces":
        return Box(menu="tags", at=tag_menu.ROWS.index("piece"))
    return Box(menu="back") if box.menu == "turn" else REST


def _held_back(scene: Snapshot, box: Box) -> Box:
    """What is about the box and not about the game: first the tags, then switching off."""
    if box.menu in ("pieces", "off"):
        return _back(box)
    return Box(menu="off") if box.menu == "tags" else Box(menu="tags", at=tag_menu.first_row(scene))


def _step(scene: Snapshot, box: Box, steps: int) -> Box:
    if box.menu in ("join", "wifi") and scene.wifi is not None:
        return Box(menu="wifi" if box.menu == "join" else "join")
    if box.menu in ("join", "back", "off"):
        return box
    if box.menu == "turn" and not box.tokens:
        # The first step opens the list at its first row; a dial may go on at once.
        box, steps = _choices(scene), steps - 1 if steps > 0 else steps
    size = _size(scene, box)
    return replace(box, at=(box.at + steps) % size) if size else box


def _size(scene: Snapshot, box: Box) -> int:
    """How many rows the open list has."""
    if box.menu == "tags":
        return len(tag_menu.ROWS)
    if box.menu == "pieces":
        return len(tag_menu.things_of(scene).pieces)
    if box.menu == "check":
        status = scene.game.status(scene.view(PUBLIC))
        return len(status.facts) + len(status.findings)
    if box.menu == "shelf":
        return 0 if box.tokens else len(scene.shelf)
    match ending(scene, box):
        case More(choices=choices):
            return len(choices)
        case HowMany(low=low, high=high):
            return high - low + 1
        case _:
            return 0


def ending(scene: Snapshot, box: Box) -> End:
    """Where the box's selection stands. A number that the seat can do nothing with may be its die."""
    end = _selected(scene, box, (TABLE,) if box.menu == "correct" else _actors(scene, box))
    if isinstance(end, Idle | Blocked) and box.menu != "correct" and any(t.kind == "number" for t in box.tokens):
        rolled = _selected(scene, box, (TABLE,))
        return rolled if isinstance(rolled, Ready) else end
    return end


def _selected(scene: Snapshot, box: Box, actors: tuple[SeatId, ...]) -> End:
    game, known, advise = scene.game, scene.known(PUBLIC), scene.mode == "advise"
    verbs: tuple[Verb[Any, Any], ...] = game.corrections if box.menu == "correct" else game.verbs
    return select(game, scene.state, scene.view(PUBLIC), actors, box.tokens, known=known, verbs=verbs, advise=advise)


def _actors(scene: Snapshot, box: Box) -> tuple[SeatId, ...]:
    """Who may have tapped: whoever said so; else the awaited seats, and a seat that is pointed at and may act too."""
    if who := [SeatId(int(token.value)) for token in box.tokens if token.kind == "actor"]:
        return tuple(who[:1])
    tagged = [SeatId(int(token.value)) for token in box.tokens if token.kind == "seat"][:1]
    may_act = [seat for seat in tagged if seat not in scene.awaited and legal(scene.game, scene.view(PUBLIC), seat)]
    return (*scene.awaited, *may_act)


def _who_or_whom(scene: Snapshot, box: Box, token: Token) -> Token:
    """While several are awaited, the first seat tag says who means it, and so does one's own where nothing is about it;
    any other says whom an intent is about."""
    is_first = not any(t.kind == "actor" for t in box.tokens) and box.menu != "correct"
    if token.kind != "seat" or not is_first:
        return token
    seat = SeatId(int(token.value))
    is_who = len(scene.awaited) > 1 or (seat in scene.awaited and not _about_oneself(scene, seat))
    return Token("actor", seat) if is_who else token


def _about_oneself(scene: Snapshot, seat: SeatId) -> bool:
    return any(mentions_it(intent, Token("seat", seat)) for intent in legal(scene.game, scene.view(PUBLIC), seat))


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


def page(scene: Snapshot, box: Box) -> Page:
    """What the box shows."""
    return _urgent(scene) or _own_page(scene, box)


def _urgent(scene: Snapshot) -> Page | None:
    """What comes before the game: a phone at the door, a question, tags that are being given, a first run."""
    if scene.joining and not scene.joining.admitted:
        who = say("admit.who", name=Name(scene.joining.name), seat=Seat(scene.joining.seat))
        return AdmitPage(who, scene.joining.code)
    if scene.question is not None:
        return TroublePage(scene.question)
    if scene.enrolling is not None:
        return tag_menu.enrol_page(scene.enrolling, tag_menu.things_of(scene))
    return None if scene.beginning is None else scene.beginning.page


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
    _, end = _pointed(scene, box, Token("number", number))
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
    lines = [(finding.said, True) for finding in status.findings] + [(said, False) for said in status.facts]
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
