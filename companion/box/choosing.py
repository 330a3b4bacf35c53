"""What to do: things are pointed at, rows and numbers chosen, until one intent is left."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    TABLE,
    Blocked,
    ChoosePage,
    ConfirmPage,
    End,
    HowMany,
    Idle,
    Intent,
    More,
    Name,
    NumberPage,
    Page,
    Ready,
    RefusedPage,
    Said,
    Seat,
    Token,
    beside,
    label,
    mentions,
    say,
    seen_refusal,
    verb_of,
    with_number,
)
from companion.table import Do, Show, Snapshot, Wish

from .about import about
from .dialog import REST, Dialog, Then, turn_page, whose_move
from .pointing import Pointing, ending, meant_by, mode_of, number_at, number_now, pointed, row_of, who_or_whom
from .tried import Tried


class Choosing(Pointing, frozen=True):
    """`listed` when a button opened it: then BACK leads to a list, otherwise to the turn."""

    listed: bool = False

    def wish(self, intent: Intent) -> Wish:
        return Do(intent)

    # What hands do

    def tap(self, scene: Snapshot, token: Token) -> Then:
        token = who_or_whom(scene, self, token)
        after = replace(self, tokens=(*self.tokens, token), at=0)
        end = ending(scene, after)
        if isinstance(end, Blocked | Idle) and self.tokens and not self._is_answered_by(scene, token):
            afresh = replace(self, tokens=(token,), at=0)
            alone = ending(scene, afresh)
            # If what was begun cannot end here, it has the better reason.
            if not isinstance(end, Blocked) or not isinstance(alone, Blocked | Idle):
                after, end = afresh, alone
        return after.reached(scene, end, sure=is_done(scene, after, end))

    def _is_answered_by(self, scene: Snapshot, token: Token) -> bool:
        """Whether a number is wanted and this is one: if it does not fit, say so and begin nothing else."""
        return token.kind == "number" and isinstance(ending(scene, self), HowMany)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        match ending(scene, self):
            case Ready(intent=intent):
                return None, self.wish(intent)
            case HowMany() as end:
                number = number_at(scene, self, end)
                if number == number_now(scene, end):  # it would change nothing: OK reverses NEXT
                    return replace(self, down=not self.down), None
                after, then = pointed(scene, self, Token("number", number))
                return after.reached(scene, then, sure=True)
            case More(choices=choices) if choices:
                after, then = pointed(scene, self, choices[self.at % len(choices)].token)
                return after.reached(scene, then, sure=True)
            case _:
                return REST

    def next(self, scene: Snapshot, held: bool) -> Then | None:
        return (self.turn(scene, -1 if self.down else 1), None) if self.walks(scene) or not held else None

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        """One step back, to the row that was taken there."""
        if held or not self.tokens:
            return super().back(scene, held)
        before = replace(self, tokens=self.tokens[:-1], at=0, down=False)
        if not before.tokens and not self.listed:
            return REST
        return replace(before, at=row_of(scene, before, self.tokens[-1])), None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        size = self._size(scene)
        return replace(self, at=(self.at + steps) % size) if size else self

    def walks(self, scene: Snapshot) -> bool:
        return self._size(scene) > 1

    def _size(self, scene: Snapshot) -> int:
        """How many rows the open list has."""
        match ending(scene, self):
            case More(choices=choices):
                return len(choices)
            case HowMany(low=low, high=high):
                return high - low + 1
            case _:
                return 0

    def reached(self, scene: Snapshot, end: End, *, sure: bool = False) -> Then:
        """What to do where the selection stands; `sure` if OK was pressed on its words, or hands have done it."""
        match end:
            case Ready(intent=intent, asks=asks, marks=marks):
                is_scribed = mode_of(scene, self) == "scribe" and not self.corrects
                is_done = is_scribed or not asks or (sure and not marks)
                return (None, self.wish(intent)) if is_done else (self, None)
            case Blocked(refused=refused):
                return self._refused(scene, refused.intent)
            case Idle(token=token):
                return None, Show(about(scene, token))
            case More() | HowMany():
                return self, None
            case _:
                assert_never(end)

    def _refused(self, scene: Snapshot, nearest: Intent) -> Then:
        """The nearest intent says why not. An appeal is about what hands can have done, no matter whose."""
        if self.corrects:
            return None, Do(nearest)
        could = ending(replace(scene, mode="scribe"), self)
        done = could.intent if isinstance(could, Ready) else None
        return Tried(self.tokens), Do(nearest, done, isinstance(could, More | HowMany))

    # What is shown

    def page(self, scene: Snapshot) -> Page:
        end = ending(scene, self)
        who, other = self._chooser(scene, end)
        match end:
            case More(choices=choices, hides=hides) if choices:
                title = say("choose.lay") if hides else self.corner(scene)
                return ChoosePage(title, tuple(choice.said for choice in choices), self.at, who, other)
            case HowMany():
                return self._number_page(scene, end, who)
            case Ready(intent=intent, marks=marks):
                warned = (say("advise.mark", rule=Name(marks[0])),) if marks else ()
                what = label(scene.game, scene.view(PUBLIC), intent, scene.known(PUBLIC))
                return ConfirmPage(what, warned + self.foreseen(scene, intent), who, other)
            case More():
                return ChoosePage(say("choose.lay-only"), (say("choose.lay-item"),), 0, who, other)
            case Blocked(refused=why):
                refusal = seen_refusal(scene.game, scene.view(PUBLIC), why)
                return RefusedPage(refusal, beside(scene.awaited, why.intent.actor))
            case Idle():
                return turn_page(scene)
            case _:
                assert_never(end)

    def _number_page(self, scene: Snapshot, end: HowMany, who: Said) -> Page:
        number = number_at(scene, self, end)
        title = label(scene.game, scene.view(PUBLIC), with_number(end.intent, number), scene.known(PUBLIC))
        foreseen = self._foreseen_with(scene, end, number)
        return NumberPage(title, end.low, end.high, number, foreseen, who, self.corner(scene))

    def _foreseen_with(self, scene: Snapshot, end: HowMany, number: int) -> tuple[Said, ...]:
        """What the open question would lead to with this number; if it would change nothing, how to go on."""
        if number == number_now(scene, end):
            return (say("fix.less" if self.down else "fix.more"),)
        _, then = pointed(scene, self, Token("number", number))
        return self.foreseen(scene, then.intent) if isinstance(then, Ready) else ()

    def foreseen(self, scene: Snapshot, intent: Intent) -> tuple[Said, ...]:
        """What would come of it."""
        return scene.game.foresee(scene.view(PUBLIC), intent) if intent.actor != TABLE else ()

    def corner(self, scene: Snapshot) -> Said:
        """What the page is about: where the game stands."""
        return scene.game.headline(scene.view(PUBLIC))

    def _chooser(self, scene: Snapshot, end: End) -> tuple[Said, bool]:
        """Who chooses, and whether that is someone other than the game waits for; corrections are nobody's."""
        if self.corrects or not scene.decisions:
            return Said(""), False
        if isinstance(end, More) and any(choice.token.kind == "actor" for choice in end.choices):
            return say("choose.who"), False
        seat = meant_by(scene, self, end)
        if seat is None:
            return whose_move(scene)[0], False
        return say("box.who", seat=Seat(seat)), scene.awaited != (seat,)


def is_done(scene: Snapshot, now: Pointing, end: End) -> bool:
    """Whether hands have done it already: the last tag is that of the very place where the piece they laid belongs."""
    if not isinstance(end, Ready):
        return False
    pieces = (token for token in mentions(end.intent) if token.kind == "piece")
    return lands(scene, end.intent, now.tokens[-1]) and all(piece in now.tokens for piece in pieces)


def lands(scene: Snapshot, intent: Intent, place: Token) -> bool:
    """Whether it lays something on this place."""
    return verb_of(scene.game, intent).lands_on(scene.state, intent, place)
