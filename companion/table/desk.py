"""The game as it stands and all around it, and the snapshot that is made of it.

Used by the thread of `table` alone; nothing in here waits or locks. What comes in is in `letters`, what becomes of a
wish in `granting`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    TABLE,
    AcceptedPage,
    Asked,
    CheckPage,
    DuelPage,
    Game,
    GameId,
    Hubs,
    Intent,
    Name,
    OpenGame,
    Page,
    PlaceId,
    ReaderId,
    Refusal,
    RefusedPage,
    Said,
    SeatId,
    Seq,
    Signal,
    Stick,
    TroublePage,
    Uid,
    beside,
    legal,
    say,
    told,
    verb_of,
    view_to_tell,
    worth_telling,
)
from companion.library import DEAD, Enrolling, Tagbook, TurnClock

from . import appeals
from .appeals import Asking, Refused
from .dialogs import Dialogs
from .hands import Hands
from .past import showdown_of
from .ports import Machine
from .publishing import name_failure
from .record import Position
from .referee import Carried, Referee
from .snapshot import Joining, OnShelf, Snapshot
from .turn_clock import Stopwatch, Ticking, spent_so_far
from .wishes import Do, No

Opens: TypeAlias = Callable[[OpenGame, Carried], Referee]
"""Opens another game in the same journal, with these people in it; raises CompanionError where it cannot."""

Wired: TypeAlias = Callable[[Game[Any, Any], int], Mapping[ReaderId, PlaceId | None]]
"""Every reader of the table and, while this game is played by so many, the place it is bound to."""

Shelf: TypeAlias = Callable[[GameId, int], tuple[OnShelf, ...]]
"""The games that so many people could play after this one."""

NO_MACHINE: Final = Machine()
NO_CLOCK: Final = TurnClock()


class Desk:
    """What counts (`referee`), what the box shows, who asks to join, what is wrong.

    `chance` is None where real dice and cards are tapped and typed; with `dice_only` cards are real.
    `opens` lets phones and the box begin the next game when this one is over; without it, one game is all there is.
    `readers` are those that can be given names by touching them, `zones` the places of those that are bound to one;
    where the table is `wired` for more than one game, it says both anew for each.
    `shelf` names the games that the box lists at the end. `machine` is what may be asked of the machine under the box.
    `clock` says for how long a refusal has been shown and a seat was awaited, `turn_clock` how long that may take.
    `banner` is told all along.
    """

    club = ""
    """The club at which everybody sees this table."""
    hubs: Hubs | None = None
    """The clubs that could be joined at the box."""

    def __init__(
        self,
        referee: Referee,
        tagbook: Tagbook,
        box: Dialogs,
        chance: Chance | None = None,
        opens: Opens | None = None,
        readers: tuple[ReaderId, ...] = (),
        *,
        zones: Mapping[ReaderId, PlaceId] | None = None,
        shelf: Shelf | None = None,
        machine: Machine = NO_MACHINE,
        wired: Wired | None = None,
        has_mat: bool = False,
        dice_only: bool = False,
        clock: Callable[[], float] = time.monotonic,
        turn_clock: TurnClock = NO_CLOCK,
        banner: Said | None = None,
    ) -> None:
        self.referee, self.tagbook, self.box = referee, tagbook, box
        self.chance, self.opens, self.machine = chance, opens, machine
        self._dice_only, self.readers, self._wired = dice_only, readers, wired
        self.hands = Hands({}, has_mat=has_mat)
        self.trays: dict[ReaderId, PlaceId] = {}
        """What is laid on these readers is meant for the place, and nobody looks whether it lies there."""
        self._bind(zones or {})
        self.lay_mat()
        self._shelf, self._coming, self._beat = shelf, ("", tuple[OnShelf, ...]()), 0
        self.clock, self.turn_clock, self._watch, self._banner = clock, turn_clock, Stopwatch(clock), banner
        self.refused: Refused | None = None
        """What the box has refused just now."""
        self.appeal: Asking | None = None
        self.joining: tuple[Joining, ...] = ()
        self.away: tuple[SeatId, ...] = ()
        self.troubles: dict[str, Said] = {}
        self.stranger: Uid | None = None
        self.enrolling: Enrolling | None = None
        self.question: Said | None = None
        self.stick: Stick | None = None
        self.paused: Said | None = None
        self.heeded: Asked | None = None
        """The last command of a phone that left no entry: repeated, it is answered again and not done again."""
        self.flash: Page | None = None
        self.signal: Signal = "turn"
        self.snapshot = self.now()

    @property
    def wants_tag(self) -> bool:
        """Whether a tag is to be laid next, so that silence is news, too: the tag may be dead."""
        now = self.enrolling
        return now is not None and now.next is not None and now.note != DEAD

    @property
    def is_asking(self) -> bool:
        """Whether people are asked something beside the game, so that what they lay is no move of it."""
        return self.question is not None or self.enrolling is not None or self.box.beginning is not None

    @property
    def corrects(self) -> bool:
        """Whether people are to set things right themselves now."""
        decisions = self.referee.at.decisions
        return bool(decisions) and decisions[-1].corrects

    def lay_mat(self) -> None:
        """From now on readers stand for the places of the game that is played."""
        if self._wired is not None:
            antennas = self._wired(self.referee.game, self.referee.setup.seats)
            self.readers = tuple(antennas)
            self._bind({reader: place for reader, place in antennas.items() if place is not None})

    def _bind(self, places: Mapping[ReaderId, PlaceId]) -> None:
        trays = self.referee.game.trays(self.referee.setup.pack)
        self.trays = {reader: place for reader, place in places.items() if place in trays}
        self.hands.lay_mat({reader: place for reader, place in places.items() if place not in trays})

    def foreseen(self, to: Snapshot) -> Snapshot | None:
        """What everybody will be shown once the game has come to `to`; None where chance goes on from there."""
        if self.chance and _is_due(to.game, to.at):
            return None
        game = {"at": to.at, "history": to.history, "states": to.states, "deeds": to.deeds, "views": to.views}
        return replace(self.snapshot, **game)

    def let_chance_play(self) -> None:
        """Roll and draw for the table, where its dice and decks are virtual."""
        if self.chance:
            play_chance(self.referee, self.chance, dice_only=self._dice_only)

    # What the box says for a moment

    def show(self, page: Page, signal: Signal = "quiet") -> None:
        self.flash, self.signal = page, signal

    def refuse(self, no: No, seat: SeatId) -> No:
        """Say on the box why not."""
        self.show(RefusedPage(no.refusal, self._beside(seat)), "refused")
        return no

    def offer_appeal(self, refusal: Refusal, wish: Do) -> None:
        """The same of an act, which may stand all the same if OK is held while this is shown."""
        standing = appeals.standing(self.referee, wish)
        page = appeals.page(self.referee, refusal, self._beside(wish.intent.actor), standing, several=wish.several)
        self.refused = appeals.refused(standing, page, self.clock())
        self.show(page, "refused")

    @property
    def in_sight(self) -> Snapshot:
        """What people act on: the newest snapshot, without a refusal that is no longer shown."""
        is_shown = self.refused is not None and self.clock() < self.refused.until
        return self.snapshot if is_shown else replace(self.snapshot, flash=None)

    def tell(self, seq: Seq, before: int, *, stands_against: tuple[str, ...] = ()) -> None:
        """What the entries from number `before` on made true, and the rule that it stands against."""
        newest = (self.referee.deeds.get(entry.seq) for entry in self.referee.history[before:])
        game, deeds = self.referee.game, [deed for deed in newest if deed]
        events = worth_telling(event for deed in deeds for event in deed.events)
        view = view_to_tell(game, self.referee.at.state, PUBLIC)
        lines = tuple(told(game, view, event, PUBLIC) for event in events)
        by = self._beside(deeds[0].intent.actor) if deeds else Said("")
        against = tuple(say("stands", rule=Name(rule)) for rule in stands_against[:1])
        done = AcceptedPage(seq, against + lines, by)
        duel = showdown_of(self.referee.snapshot())
        page = done if duel is None or duel.outcome is None else DuelPage(duel, done)
        self.show(page, "stands" if against else "accepted")

    def tell_taken_back(self, seq: Seq, to: Seq, by: SeatId) -> None:
        self.show(AcceptedPage(seq, (say("back.done", n=to + 1),), self._beside(by)), "accepted")

    def name_trouble(self, source: str, said: Said | None) -> None:
        """Something around the table is wrong, or (None) no longer."""
        if said is None:
            self.troubles.pop(source, None)
        else:
            self.troubles[source] = said
            self.show(TroublePage(said), "trouble")

    def _beside(self, seat: SeatId) -> Said:
        """Who has to be named because the game is now waiting for somebody else as well."""
        decisions = self.referee.at.decisions
        return beside(decisions[-1].seats if decisions else (), seat)

    # The turn clock

    def set_clock(self, wanted: TurnClock) -> None:
        """From now on; whoever is awaited begins anew."""
        self.turn_clock = wanted
        self._watch.begin(self.referee.table, {})

    def ticking(self) -> Ticking | None:
        """The turn clock as it stands now; None where nobody wants one."""
        if self.turn_clock.kind == "off":
            return None
        referee = self.referee
        if not self._watch.is_of(referee.table):
            self._watch.begin(referee.table, spent_so_far(referee.game, referee.history, referee.states))
        at = referee.at
        awaited = at.decisions[-1].seats if at.decisions else ()
        rests = self.is_asking or self.paused is not None or bool(self.hands.astray) or self.appeal is not None
        people = () if rests else tuple(seat for seat in awaited if seat >= 0 and not at.chairs[seat].bot)
        self._watch.follow(awaited, people)
        return self._watch.ticking(self.turn_clock, len(at.chairs))

    def restart_clock(self) -> None:
        """Something was taken back: whoever is asked again has the whole time."""
        self._watch.begin(self.referee.table, {})

    # What everybody is shown

    def now(self) -> Snapshot:
        """How everything stands, but for the page of the box."""
        astray = say("trouble.out-of-step", n=len(self.hands.astray)) if self.hands.astray else None
        stops = tuple(said for said in (self.paused, self.question, astray) if said is not None)
        return replace(
            self.referee.snapshot(self._beat),
            flash=self.flash,
            signal=self.signal,
            troubles=(*stops, *self.troubles.values()),
            joining=self.joining,
            appeal=self.appeal.shown if self.appeal else None,
            away=self.away,
            stranger=self.stranger,
            enrolling=self.enrolling,
            question=self.question,
            shelf=self._next_games(),
            beginning=self.box.beginning,
            wifi=self.machine.wifi,
            club=self.club,
            hubs=self.hubs,
            stick=self.stick,
            to_do=self.hands.to_do,
            served=self.hands.serves if self.hands.to_do else None,
            is_watched=bool(self.hands.sight.zones),
            repairs=self.hands.repairs,
            lies_wrong=self.hands.found,
            banner=self._banner,
            clock=self.ticking(),
        )

    def draw(self) -> Snapshot:
        """A new snapshot, with the page of the box."""
        self._beat += 1
        scene = self.now()
        page = self._page(scene)
        signal = self.signal
        if isinstance(page, CheckPage) and page.who.key:
            signal = "check-problem" if page.is_problem else "check-fine"
        self.snapshot = replace(scene, page=page, signal=signal)
        return self.snapshot

    def _page(self, scene: Snapshot) -> Page:
        try:
            return self.box.page(scene)
        except Exception as error:  # noqa: BLE001 - a page that cannot be made must not end the game
            name_failure("a page of the box could not be made", error)
            self.box.rest()
            return TroublePage(say("trouble.inside"))

    def _next_games(self) -> tuple[OnShelf, ...]:
        """What could be played next; looked up once, when a game is over."""
        referee = self.referee
        if referee.at.result is None or self.opens is None or self._shelf is None:
            return ()
        if self._coming[0] != referee.table:
            self._coming = (referee.table, self._shelf(referee.game.id, len(referee.at.chairs)))
        return self._coming[1]


Chance: TypeAlias = Callable[[tuple[Intent, ...], tuple[int, ...]], Intent | None]
"""Picks one of the candidates by weight. None leaves it to hands."""


def play_chance(referee: Referee, chance: Chance, *, dice_only: bool = False) -> None:
    """Roll and draw as long as the game waits for it; what was taken back falls again.

    Dice fall before anybody asks for them where nobody would do anything else first. With `dice_only` cards are drawn
    by hand.
    """
    while _is_due(referee.game, referee.at):
        candidates = legal(referee.game, referee.at.state, TABLE)
        if dice_only and not all(verb_of(referee.game, each).is_typed for each in candidates):
            return
        lifted = referee.at.lifted
        if lifted and lifted[0] in candidates:
            intent: Intent | None = lifted[0]
        else:
            intent = chance(candidates, tuple(referee.game.weight(referee.at.state, c) for c in candidates))
        if intent is None:
            return
        referee.act(intent, None, on_box=True)


def _is_due(game: Game[Any, Any], at: Position) -> bool:
    return bool(at.decisions) and (at.decisions[-1].is_chance or game.rolls_on(at.state))


def pick_by_weight(candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    """The virtual dice and deck: one of the candidates, by weight, from the system's randomness."""
    at = secrets.randbelow(sum(weights))
    for intent, weight in zip(candidates, weights, strict=True):
        at -= weight
        if at < 0:
            return intent
    raise AssertionError("weights add up")
