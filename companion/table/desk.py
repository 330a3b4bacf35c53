"""The game as it stands and everything around it, and the snapshot made from it.

Used only by the thread of `table`; nothing in here waits or locks. `letters` has what comes in, `granting` what becomes
of a wish.
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
"""Opens another game in the same journal with these people; raises CompanionError if it cannot."""

Wired: TypeAlias = Callable[[Game[Any, Any], int], Mapping[ReaderId, PlaceId | None]]
"""Every reader of the table and the place it is bound to while this game is played with this many seats."""

Shelf: TypeAlias = Callable[[GameId, int], tuple[OnShelf, ...]]
"""The games that this many people could play after this one."""

NO_MACHINE: Final = Machine()
NO_CLOCK: Final = TurnClock()


class Desk:
    """The game that counts (`referee`), what the box shows, who asks to join, what is wrong.

    `chance` is None where real dice and cards are tapped and typed; with `dice_only`, cards are real. `opens` lets
    phones and the box begin the next game when this one is over; without it, this game is the only one. `readers` can
    be given names by touching them, `zones` are the places of the readers bound to one; if the table is `wired` for
    more than one game, that gives both again for each. `shelf` names the games that the box lists at the end. `machine`
    is what may be asked of the machine under the box. `clock` times how long a refusal has been shown and a seat was
    awaited, `turn_clock` is the limit. `banner` is shown throughout.
    """

    club = ""
    """The club where everybody can see this table."""
    hubs: Hubs | None = None
    """The clubs that the box could join."""

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
        """A piece laid on one of these readers means that place; nobody checks whether it stays there."""
        self._bind(zones or {})
        self.lay_mat()
        self._shelf, self._coming, self._beat = shelf, ("", tuple[OnShelf, ...]()), 0
        self.clock, self.turn_clock, self._watch, self._banner = clock, turn_clock, Stopwatch(clock), banner
        self.refused: Refused | None = None
        """What the box has just refused."""
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
        """The last phone command that left no entry: if repeated, it is answered again but not done again."""
        self.flash: Page | None = None
        self.signal: Signal = "turn"
        self.snapshot = self.now()

    @property
    def wants_tag(self) -> bool:
        """Whether a tag is expected next; then silence is news, because the tag may be dead."""
        now = self.enrolling
        return now is not None and now.next is not None and now.note != DEAD

    @property
    def is_asking(self) -> bool:
        """Whether people are asked something outside the game, so that what they lay is not a move."""
        return self.question is not None or self.enrolling is not None or self.box.beginning is not None

    @property
    def corrects(self) -> bool:
        """Whether it is up to people to set things right now."""
        decisions = self.referee.at.decisions
        return bool(decisions) and decisions[-1].corrects

    def lay_mat(self) -> None:
        """From now on readers stand for the places of the present game."""
        if self._wired is not None:
            antennas = self._wired(self.referee.game, self.referee.setup.seats)
            self.readers = tuple(antennas)
            self._bind({reader: place for reader, place in antennas.items() if place is not None})

    def _bind(self, places: Mapping[ReaderId, PlaceId]) -> None:
        trays = self.referee.game.trays(self.referee.setup.pack)
        self.trays = {reader: place for reader, place in places.items() if place in trays}
        self.hands.lay_mat({reader: place for reader, place in places.items() if place not in trays})

    def foreseen(self, to: Snapshot) -> Snapshot | None:
        """What everybody will see once the game has come to `to`; None if chance goes on from there."""
        if self.chance and _is_due(to.game, to.at):
            return None
        game = {"at": to.at, "history": to.history, "states": to.states, "deeds": to.deeds, "views": to.views}
        return replace(self.snapshot, **game)

    def let_chance_play(self) -> None:
        """Roll and draw for the table, if its dice and decks are virtual."""
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
        """Refuse an act on the box, which may still stand if OK is held while this is shown."""
        standing = appeals.standing(self.referee, wish)
        page = appeals.page(self.referee, refusal, self._beside(wish.intent.actor), standing, several=wish.several)
        self.refused = appeals.refused(standing, page, self.clock())
        self.show(page, "refused")

    @property
    def in_sight(self) -> Snapshot:
        """What people act on: the newest snapshot, minus a refusal that is no longer shown."""
        is_shown = self.refused is not None and self.clock() < self.refused.until
        return self.snapshot if is_shown else replace(self.snapshot, flash=None)

    def tell(self, seq: Seq, before: int, *, stands_against: tuple[str, ...] = ()) -> None:
        """Show what the entries from number `before` on made true, and the rules that it stands against."""
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
        """Something around the table is wrong or, with None, no longer."""
        if said is None:
            self.troubles.pop(source, None)
        else:
            self.troubles[source] = said
            self.show(TroublePage(said), "trouble")

    def _beside(self, seat: SeatId) -> Said:
        """A seat that has to be named because the game also waits for somebody else."""
        decisions = self.referee.at.decisions
        return beside(decisions[-1].seats if decisions else (), seat)

    # The turn clock

    def set_clock(self, wanted: TurnClock) -> None:
        """Use this clock from now on; awaited seats start afresh."""
        self.turn_clock = wanted
        self._watch.begin(self.referee.table, {})

    def ticking(self) -> Ticking | None:
        """The turn clock as it stands now; None if it is off."""
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
        """Something was taken back: whoever is asked again gets the full time."""
        self._watch.begin(self.referee.table, {})

    # What everybody is shown

    def now(self) -> Snapshot:
        """How everything stands, except for the page of the box."""
        astray = say("trouble.out-of-step", n=len(self.hands.astray)) if self.hands.astray else None
        stops = tuple(said for said in (self.paused, self.question, astray) if said is not None)
        to_do = () if self.referee.at.result is not None else self.hands.to_do
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
            to_do=to_do,
            served=self.hands.serves if to_do else None,
            is_watched=bool(self.hands.sight.zones),
            repairs=self.hands.repairs,
            lies_wrong=self.hands.found,
            banner=self._banner,
            clock=self.ticking(),
        )

    def draw(self) -> Snapshot:
        """A new snapshot, complete with the page of the box."""
        self._beat += 1
        scene = self.now()
        page = self._page(scene)
        signal = self.signal
        if isinstance(page, CheckPage) and page.who.key:
            signal = "check-problem" if page.is_problem else "check-fine"
        stirred = self.snapshot.stirred + (scene.troubles != self.snapshot.troubles)
        self.snapshot = replace(scene, page=page, signal=signal, stirred=stirred)
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
    """Roll and draw for as long as the game waits for it; what was taken back falls again.

    Dice are rolled without being asked for if nobody would do anything else first. With `dice_only`, cards are drawn by
    hand.
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
    """The virtual dice and deck: one of the candidates, by weight, chosen with the system's randomness."""
    at = secrets.randbelow(sum(weights))
    for intent, weight in zip(candidates, weights, strict=True):
        at -= weight
        if at < 0:
            return intent
    raise AssertionError("weights add up")
