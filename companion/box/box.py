"""The box as a person meets it: taps and four buttons in, wants out.

Pure: a `Box` is what has been pointed at and which list is open. `tap`, `press` and `turn` give the next `Box` and,
where something is to be done, a `Want` for the table; `showing` makes the page of a `Box`. What each button does on
each page is in docs/buttons.md.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from companion.core.ids import TABLE, GameId, PlaceId, SeatId, Seq
from companion.core.inputs import Button, Enrol
from companion.core.judge import verb_of
from companion.core.pages import Page
from companion.core.rules import Intent, Token, mentions, mentions_it
from companion.core.selection import Blocked, End, HowMany, Idle, More, Ready
from companion.table import door
from companion.table.door import LetIn, SendAway
from companion.table.record import last_act
from companion.table.snapshot import Snapshot

from . import checking, next_game, tag_menu
from .pointing import REST, Box, Menu, ending, number_at, number_now, pointed, row_of, who_or_whom
from .showing import about, urgent

ToMachine = Literal["off", "wifi"]


class Do(Struct, frozen=True):
    intent: Intent


class GoBack(Struct, frozen=True):
    """Take back to entry `to`, for the seat `by` that acted last; `as_referee` when someone held OK for it."""

    to: Seq
    by: SeatId
    as_referee: bool


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


Want: TypeAlias = Do | GoBack | LetIn | SendAway | Begin | Show | Enrol | GoOn | AskMachine


def tap(scene: Snapshot, box: Box, token: Token) -> tuple[Box, Want | None]:
    """A tag of a known thing was laid down."""
    if box.menu == "check":
        return box, Show(about(scene, token))
    if box.menu in ("back", "join", "tags", "pieces", "shelf", "off", "wifi"):
        box = REST
    token = who_or_whom(scene, box, token)
    after = replace(box, tokens=(*box.tokens, token), at=0)
    end = ending(scene, after)
    if isinstance(end, Blocked | Idle) and box.tokens and not _answers(scene, box, token):
        afresh = replace(box, tokens=(token,), at=0)
        alone = ending(scene, afresh)
        # What was begun and cannot be ended so has the better reason.
        if not isinstance(end, Blocked) or not isinstance(alone, Blocked | Idle):
            after, end = afresh, alone
    return _reached(scene, after, end, sure=_is_done(scene, after, end))


def _answers(scene: Snapshot, box: Box, token: Token) -> bool:
    """Whether a number is asked for and this is one: if it cannot be, that is said, and nothing else is begun."""
    return token.kind == "number" and isinstance(ending(scene, box), HowMany)


def drawn_with(scene: Snapshot, done: Intent, token: Token) -> Intent | None:
    """The draw that a tap means as well: a card that stood for what was just done may be the one drawn for it."""
    if token.kind != "piece" or scene.awaited != (TABLE,) or mentions_it(done, token):
        return None
    end = ending(scene, Box(tokens=(token,)))
    return end.intent if isinstance(end, Ready) and not end.asks else None


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
    if door.waiting(scene.joining):
        marked, answer = door.press(scene.joining, box.door, button, held)
        return replace(box, door=marked), answer
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
            leap = tag_menu.LEAP if held and box.menu == "pieces" else -1 if box.down else 1
            return (Box(menu="join"), None) if joins else (_step(scene, box, leap), None)
        case "back":
            return _held_back(scene, box) if held else _back(scene, box), None
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
    if door.waiting(scene.joining):
        return replace(box, door=door.step(scene.joining, box.door, steps))
    if urgent(scene, box) is not None:
        return box
    return _step(scene, box, steps)


def _ok(scene: Snapshot, box: Box, held: bool) -> tuple[Box, Want | None]:
    match box.menu:
        case "back":
            undo = last_act(scene.deeds, scene.at)
            return REST, GoBack(undo[0], undo[1].actor, held) if undo else None
        case "check":
            return _ok_on_check(scene, box), None
        case "join":
            return REST, None
        case "off" | "wifi":
            return _ok_on_machine(box, held)
        case "tags" | "pieces":
            return _ok_on_tags(scene, box)
        case "shelf":
            return _ok_on_shelf(scene, box)
        case "turn" if not box.tokens:
            return _choices(scene), None
        case "turn" | "list" | "correct":
            return _ok_on_selection(scene, box)
        case _:
            assert_never(box.menu)


def _ok_on_selection(scene: Snapshot, box: Box) -> tuple[Box, Want | None]:
    match ending(scene, box):
        case Ready(intent=intent):
            return REST, Do(intent)
        case HowMany() as end:
            number = number_at(scene, box, end)
            if number == number_now(scene, end):  # that would change nothing: OK turns NEXT round
                return replace(box, down=not box.down), None
            return _reached(scene, *pointed(scene, box, Token("number", number)), sure=True)
        case More(choices=choices) if choices:
            return _reached(scene, *pointed(scene, box, choices[box.at % len(choices)].token), sure=True)
        case _:
            return REST, None


def _ok_on_check(scene: Snapshot, box: Box) -> Box:
    """Open what is behind a page, and close it; the first page, behind which there is nothing, is left."""
    if box.line is not None:
        return replace(box, line=None)
    return replace(box, line=0) if checking.behind(scene, box.at) else REST


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


def _back(scene: Snapshot, box: Box) -> Box:
    """One step back: to the row that was taken there."""
    if box.line is not None:
        return replace(box, line=None)
    if box.tokens:
        before = replace(box, tokens=box.tokens[:-1], at=0, down=False)
        is_turn = before.menu == "turn" and not before.tokens
        return before if is_turn else replace(before, at=row_of(scene, before, box.tokens[-1]))
    if box.menu == "pieces":
        return Box(menu="tags", at=tag_menu.ROWS.index("piece"))
    return Box(menu="back") if box.menu == "turn" else REST


def _held_back(scene: Snapshot, box: Box) -> Box:
    """What is about the box and not about the game: first the tags, then switching off."""
    if box.menu in ("pieces", "off"):
        return _back(scene, box)
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
    if not size:
        return box
    if box.line is not None:
        return replace(box, line=(box.line + steps) % size)
    return replace(box, at=(box.at + steps) % size)


def _size(scene: Snapshot, box: Box) -> int:
    """How many rows the open list has."""
    if box.menu == "tags":
        return len(tag_menu.ROWS)
    if box.menu == "pieces":
        return len(tag_menu.things_of(scene).pieces)
    if box.menu == "check":
        return len(checking.pages(scene) if box.line is None else checking.behind(scene, box.at))
    if box.menu == "shelf":
        return 0 if box.tokens else len(scene.shelf)
    match ending(scene, box):
        case More(choices=choices):
            return len(choices)
        case HowMany(low=low, high=high):
            return high - low + 1
        case _:
            return 0
