"""Your first minute: its steps, what to do next in one sentence, and the things that glow.

In a practice position the steps are the game's lessons, then CHECK and a phone; otherwise they fit any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Final, Literal

from msgspec import Struct

from companion.core import TABLE, Lesson, Lies, Piece, PieceId, Place, Practice, Said, SeatId, Seq, Token, say
from companion.table import door
from companion.table.outside import Moment, Seen, Told
from web.screen import STEPS, Dashboard

LAST: Final = ("checked", "joined")
"""What every newcomer does, whatever the game."""


class Step(Struct, frozen=True):
    name: str
    said: Said
    done: bool
    now: bool


class Guided(Struct, frozen=True):
    """The guide's current state: `said` is what to do, `glow` with what (`piece:…`, `place:…`, `key:check`,
    `phone:0`).
    """

    state: Literal["steps", "done", "closed"]
    steps: tuple[Step, ...] = ()
    said: Said | None = None
    glow: tuple[str, ...] = ()
    practises: bool = False
    """This is practice; nothing is kept."""

    @property
    def at(self) -> int:
        """The number of the present step."""
        return next((n for n, step in enumerate(self.steps, 1) if step.now), len(self.steps))

    @property
    def step(self) -> str:
        return next((step.name for step in self.steps if step.now), "")


def guided(dash: Dashboard, moment: Moment, layout: tuple[Lies, ...], wanted: frozenset[PieceId]) -> Guided:
    """The guide at this moment. Outside practice it points at pieces of the `layout`, of which some are `wanted`."""
    guide, seen, practice = dash.guide, moment.public, _practice(dash, moment)
    if guide.is_closed:
        return Guided("closed")
    if guide.is_finished:
        return Guided("done", said=say("web.guide.real-game"))
    names = (*(lesson.name for lesson in practice.lessons), *LAST) if practice else STEPS
    done = guide.done | (_learned(dash, moment, practice) if practice else _happened(seen, guide.since))
    now = next((name for name in names if name not in done), "")
    steps = tuple(Step(name, _title(name), name in done, name == now) for name in names)
    said, glow = _hint(now, practice, seen) or _pointer(now, seen, layout, wanted)
    return Guided("steps" if now else "done", steps, said, glow, practice is not None)


def _title(step: str) -> Said:
    return say(f"web.guide.step.{step}") if step in STEPS else say(f"lesson.title.{step}")


def settle(dash: Dashboard, moment: Moment) -> None:
    """End a practice that has nothing left to teach; called whenever anything happens. Never waits."""
    practice = _practice(dash, moment)
    if dash.host is None or practice is None:
        return
    if guided(dash, moment, (), frozenset()).state == "done":
        dash.guide.finish()
        dash.host.end_practice()
    elif _comes_again(practice, _since(dash), moment.public):
        dash.guide.did("laid", "refused")
        dash.host.end_practice()


# In a practice


def _practice(dash: Dashboard, moment: Moment) -> Practice | None:
    is_one = dash.host is not None and dash.host.practises_since is not None
    return moment.public.game.practice if is_one else None


def _since(dash: Dashboard) -> Seq:
    since = dash.host.practises_since if dash.host is not None else None
    return since or Seq(0)


def _learned(dash: Dashboard, moment: Moment, practice: Practice) -> frozenset[str]:
    """The lessons learned; once the turn they belong to is over, all the others count as well."""
    own, seen = moment.seen_by(practice.seat), moment.public
    told = {line.key for each in _told_after(own, _since(dash)) for line in each.lines}
    is_over = practice.seat not in seen.awaited
    learned = {lesson.name for lesson in practice.lessons if is_over or told.intersection(lesson.ends)}
    return frozenset(learned | _joined(seen))


def _comes_again(practice: Practice, since: Seq, seen: Seen) -> bool:
    """Whether everybody had a turn and it starts over: by then people want a real game."""
    first = practice.lessons[0].hints[0].awaits
    is_turn = practice.seat in seen.awaited and seen.decisions[-1].kind == first
    return is_turn and any(each.who not in (practice.seat, TABLE) for each in _told_after(seen, since) if _is_act(each))


def _hint(step: str, practice: Practice | None, seen: Seen) -> tuple[Said, tuple[str, ...]] | None:
    """What to do for a lesson, if the game is waiting for it."""
    lesson = next((each for each in practice.lessons if each.name == step), None) if practice else None
    if lesson is None:
        return None
    return next(_fitting(lesson, seen), (say("web.guide.own-way"), ()))


def _fitting(lesson: Lesson, seen: Seen) -> Iterator[tuple[Said, tuple[str, ...]]]:
    kind = seen.decisions[-1].kind if seen.decisions else ""
    return ((hint.said, tuple(map(_named, hint.glow))) for hint in lesson.hints if hint.awaits == kind)


def _named(token: Token) -> str:
    return f"{token.kind}:{token.value}"


# In any game


def _happened(seen: Seen, since: tuple[str, Seq]) -> frozenset[str]:
    table, seq = since
    is_later = table == seen.table and seq > 0
    kinds = {each.kind for each in _told_after(seen, seq) if each.who != TABLE} if is_later else seen.past.kinds()
    found = {step for kind, step in (("did", "laid"), ("refused", "refused")) if kind in kinds}
    return frozenset(found | _joined(seen))


def _pointer(
    step: str, seen: Seen, layout: tuple[Lies, ...], wanted: frozenset[PieceId]
) -> tuple[Said, tuple[str, ...]]:
    """What to do for a step that every game has, and with which piece."""
    match step:
        case "laid" | "refused":
            lies = _shown(step, layout, wanted)
            if lies is None:
                return say(f"web.guide.{step}"), ()
            said = say(f"web.guide.{step}.piece", piece=Piece(lies.piece), place=Place(lies.place))
            return said, (f"piece:{lies.piece}",)
        case "checked":
            return say("web.guide.checked"), ("key:check",)
        case "joined" if door.waiting(seen.joining):
            return say("web.guide.let-in"), ("key:ok",)
        case "joined":
            return say("web.guide.joined"), (f"phone:{_free_seat(seen)}",)
        case _:
            return say("web.guide.finished"), ()


def _shown(step: str, layout: tuple[Lies, ...], wanted: frozenset[PieceId]) -> Lies | None:
    """A piece that shows what this step is about: one that may be played, or one from a hand that may not."""
    held = [lies for lies in layout if lies.facing == "down"]
    theirs = {lies.place for lies in layout if lies.piece in wanted}
    if step == "laid":
        found = [lies for lies in (*held, *layout) if lies.piece in wanted]
    else:
        found = [lies for lies in (*held, *layout) if lies.piece not in wanted and lies.place not in theirs]
    return found[0] if found else None


def _free_seat(seen: Seen) -> SeatId:
    return next((SeatId(n) for n, chair in enumerate(seen.chairs) if not chair.key), SeatId(0))


def _joined(seen: Seen) -> set[str]:
    return {"joined"} if any(chair.key for chair in seen.chairs) else set()


def _told_after(seen: Seen, since: Seq) -> Iterator[Told]:
    return takewhile(lambda each: each.seq > since, seen.past.recent())


def _is_act(told: Told) -> bool:
    return told.kind == "did" and not told.undone
