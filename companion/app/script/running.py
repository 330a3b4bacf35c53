"""Plays a script on the real table and reports where it went differently."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import msgspec
from msgspec import Struct

from companion.app import bots
from companion.box import hands
from companion.core import (
    TABLE,
    Act,
    Intent,
    LetBot,
    Lifted,
    PhoneWish,
    Pressed,
    ReaderBack,
    ReaderLost,
    Refusal,
    RefusedPage,
    SeatId,
    Seq,
    TakeBack,
    Tapped,
    Token,
    Turned,
    is_correction,
    legal,
)
from companion.journal import Did, TookBack
from companion.table import Answer, No, Snapshot, last_act, state_hash

from .comparing import Happened, found_instead
from .evening import Evening, WiredEvening, matching
from .lines import BotActs, Deed, Expect, Falls, HandsRest, Line, PhoneActs, PhoneLetsBot, PhoneTakesBack, Script


class Difference(Struct, frozen=True):
    """One line that did not go as the script says."""

    file: str
    line: int
    text: str
    found: str

    def told(self) -> str:
        return f"{self.file}:{self.line}: {self.text}\n    found: {self.found}"


class Count(Struct, frozen=True):
    """How much hands had to do: `inputs` of people, those among them for `chance`, `acts` of seats, and `turns`.

    A turn is a run of acts by one seat; the next seat to act begins another.
    """

    inputs: int = 0
    chance: int = 0
    acts: int = 0
    turns: int = 0

    @property
    def per_turn(self) -> float:
        """Inputs per turn, not counting dice and draws: cards are tapped as they are dealt anyway."""
        return (self.inputs - self.chance) / max(self.turns, 1)

    @property
    def per_act(self) -> float:
        return (self.inputs - self.chance) / max(self.acts, 1)


class Report(Struct, frozen=True):
    script: Script
    differences: tuple[Difference, ...]
    expected: int
    count: Count
    last: Snapshot


Watcher = Callable[[Line, Snapshot], None]


def run(script: Script, *, wire: bool = False, watch: Watcher | None = None) -> Report:
    """Play the script; with `wire` through frames, link and pretend pins. `watch` sees the table after each line."""
    with ExitStack() as stack:
        opens = WiredEvening if wire else Evening
        evening = opens(script.header)
        if script.header.chance == "scripted":
            evening.falls.extend(_leading(script.lines))
        stack.enter_context(evening)
        return _Run(script, evening, watch).all()


def _leading(lines: tuple[Line, ...]) -> Iterator[Line]:
    """The outcomes that are given before anybody acts."""
    for line in lines:
        if isinstance(line.deed, Falls):
            yield line
        elif not isinstance(line.deed, Expect):
            return


class _Run:
    def __init__(self, script: Script, evening: Evening, watch: Watcher | None) -> None:
        self._script, self._evening, self._watch = script, evening, watch
        self._is_scripted = script.header.chance == "scripted"
        self._happened = Happened()
        self._differences: list[Difference] = []
        self._expected = 0
        self._inputs = self._chance = 0

    def all(self) -> Report:
        lines = self._script.lines
        for at, line in enumerate(lines):
            if isinstance(line.deed, Expect):
                self._expected += 1
                self._compare(line, line.deed)
            elif self._is_stuck(line):
                break
            elif not self._is_read_ahead(line.deed):
                if self._is_scripted:
                    self._evening.falls.extend(_leading(lines[at + 1 :]))
                self._do(line)
                if self._watch is not None:
                    self._watch(line, self._evening.now)
        else:
            self._check_falls()
        count = Count(self._inputs, self._chance, *self._acts())
        return Report(self._script, tuple(self._differences), self._expected, count, self._evening.now)

    def _differs(self, line: Line, found: str) -> None:
        self._differences.append(Difference(self._script.file, line.number, line.text, found))

    def _compare(self, line: Line, expected: Expect) -> None:
        found = found_instead(self._evening, self._happened, expected)
        if found is not None:
            self._differs(line, found)

    # Chance

    def _is_read_ahead(self, deed: Deed) -> bool:
        """A virtual table knows outcomes before the input that asks for them."""
        return self._is_scripted and isinstance(deed, Falls)

    def _check_falls(self) -> None:
        """By the end, chance has brought everything that was given and everything that was asked for."""
        now, falls = self._evening.now, self._evening.falls
        waits = self._is_scripted and now.awaited == (TABLE,)
        for line in falls:
            self._differs(line, "cannot fall where the table asks for it" if waits else "was not asked for")
            return
        if waits and self._script.lines:
            self._differs(self._script.lines[-1], f"the table waits for chance ({now.decisions[-1].kind})")

    def _is_stuck(self, line: Line) -> bool:
        """A virtual table waits for chance, but nothing given can fall; it cannot go on from there."""
        now = self._evening.now
        if self._is_read_ahead(line.deed) or not self._is_scripted or now.awaited != (TABLE,):
            return False
        given = "and nothing is given"
        if self._evening.falls:
            first = self._evening.falls[0]
            given = f"where line {first.number} ({first.text}) cannot fall"
        self._differs(line, f"the table waits for chance ({now.decisions[-1].kind}), {given}")
        return True

    # Inputs

    def _do(self, line: Line) -> None:
        evening = self._evening
        before = evening.now
        answer: Answer | None = None
        match line.deed:
            case Tapped() | Lifted() | Pressed() | Turned() | ReaderLost() | ReaderBack() as given:
                evening.give(given)
                self._count(before, 1 if evening.is_input(given) else 0)
            case HandsRest():
                evening.rest()
            case PhoneActs(intent=intent, appeals=appeals):
                answer = self._ask(intent.actor, Act(msgspec.Raw(msgspec.json.encode(intent)), appeals))
            case PhoneTakesBack(seat=seat, to=to):
                answer = self._ask(seat, TakeBack(self._last() if to is None else to))
            case PhoneLetsBot(seat=seat, on=on):
                answer = self._ask(seat, LetBot(on))
            case BotActs(seat=seat):
                self._let_bot_act(line, seat)
            case Falls(outcome=outcome):
                self._type(outcome)
            case _:
                raise AssertionError(line)
        self._happened = _happened(before, evening.now, answer)

    def _ask(self, seat: SeatId, wish: PhoneWish) -> Answer:
        self._count(self._evening.now, 1)
        return self._evening.ask(seat, wish)

    def _count(self, before: Snapshot, inputs: int) -> None:
        self._inputs += inputs
        if before.awaited == (TABLE,) or self._brought_chance(before):
            self._chance += inputs

    def _brought_chance(self, before: Snapshot) -> bool:
        """Whether the last input gave the roll or the draw right away, before the table asked for it."""
        now = self._evening.now
        if now.seq == before.seq or (deed := now.deeds.get(Seq(before.seq + 1))) is None:
            return False
        return deed.intent.actor == TABLE and not is_correction(now.game, deed.intent)

    def _last(self) -> Seq:
        now = self._evening.now
        found = last_act(now.deeds, now.at)
        return found[0] if found else Seq(0)

    def _let_bot_act(self, line: Line, seat: SeatId) -> None:
        chose = bots.choice(self._evening.now, seat, 0)
        if chose is None:
            self._differs(line, "there is nothing that the bot could do now")
        else:
            self._evening.bot(chose)

    def _type(self, outcome: Token | Intent) -> None:
        """Real dice and cards: what hands tap and type for them. Impossible outcomes are tapped all the same."""
        evening = self._evening
        now = evening.now
        intent = matching(legal(now.game, now.state, TABLE), outcome)
        moves = hands.moves_for(now, intent) if intent is not None else None
        if moves is None and isinstance(outcome, Token):
            moves = (hands.Tap(outcome),)
        for move in moves or ():
            self._count(evening.now, 1)
            evening.move(move)

    def _acts(self) -> tuple[int, int]:
        """Acts of seats, and turns, in the whole record; what was taken back had to be done, too."""
        now = self._evening.now
        actors = [
            deed.intent.actor
            for seq, deed in now.deeds.items()
            if deed.intent.actor != TABLE and not is_correction(now.game, deed.intent) and seq <= now.seq
        ]
        turns = sum(1 for at, actor in enumerate(actors) if at == 0 or actors[at - 1] != actor)
        return len(actors), turns


def _happened(before: Snapshot, now: Snapshot, answer: Answer | None) -> Happened:
    """What came of an input: a phone gets an answer, the box shows it."""
    fresh = [entry.body for entry in now.history[before.seq :]]
    done = next((body for body in fresh if isinstance(body, Did | TookBack)), None)
    refusal: Refusal | None = None
    if isinstance(answer, No):
        refusal = answer.refusal
    elif answer is None and now.flash is not before.flash and isinstance(now.flash, RefusedPage):
        refusal = now.flash.refusal
    marks = done.marks if isinstance(done, Did) else ()
    return Happened(done is not None and refusal is None, refusal, marks)


def final_hash(report: Report) -> str:
    return state_hash(report.last.state)
