"""What each letter of the table's inbox does: taps, buttons, tags, acts, and what is shown after them.

Used by the thread of `table` alone; nothing in here waits or locks. What phones wish for is in `wishes`, what taps and
buttons mean in `box`, who may sit where in `sitting`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from . import box as boxes
from . import chance, door, enrolment, record, showing, sitting, tag_menu, wishes
from .answers import Answer, Done, No
from .beginning import Beginning
from .box import AskMachine, Begin, Do, GoBack, GoOn, Show
from .chance import Chance
from .core.errors import CompanionError, Unplayable
from .core.facts import Name, Refusal, Said, say
from .core.ids import PUBLIC, GameId, PlaceId, ReaderId, SeatId, Seq, Uid
from .core.inputs import (
    Asked,
    BotChose,
    Button,
    Enrol,
    Input,
    Lead,
    Lifted,
    OpenGame,
    Pressed,
    ReaderBack,
    ReaderLost,
    Tapped,
    Turned,
)
from .core.readers import called
from .core.rules import Intent
from .core.telling import told, view_to_tell, worth_telling
from .door import LetIn, SendAway
from .enrolment import DEAD, Enrolling
from .journal import JournalError, WasRefused
from .news import Away, News, Question, Quiet, Trouble
from .next_game import OnShelf
from .pages import AcceptedPage, CheckPage, Page, PiecePage, RefusedPage, Signal, TroublePage
from .pointing import REST, Box, pointed_at
from .ports import Machine
from .publishing import name_failure
from .record import own_rule
from .referee import Carried, Referee
from .snapshot import Joining, Snapshot
from .tagbook import PieceTag, PlaceTag, Tagbook

log = logging.getLogger(__name__)

Opens: TypeAlias = Callable[[OpenGame, Carried], Referee]
"""Opens another game in the same journal, with these people in it; raises CompanionError where it cannot."""

Shelf: TypeAlias = Callable[[GameId, int], tuple[OnShelf, ...]]
"""The games that so many people could play after this one."""

NO_MACHINE: Final = Machine()


class Desk:
    """The game as it stands, and all around it: what the box shows, who asks to join, what is wrong.

    `chance` is None where real dice and cards are tapped and typed.
    `opens` lets phones and the box begin the next game when this one is over; without it, one game is all there is.
    `readers` are those that can be given names by touching them, `zones` the places of those that are bound to one.
    `shelf` names the games that the box lists at the end.
    `machine` is what may be asked of the machine under the box, `beginning` asks the questions of a first run.
    """

    def __init__(
        self,
        referee: Referee,
        tagbook: Tagbook,
        chance: Chance | None = None,
        opens: Opens | None = None,
        readers: tuple[ReaderId, ...] = (),
        *,
        zones: Mapping[ReaderId, PlaceId] | None = None,
        shelf: Shelf | None = None,
        machine: Machine = NO_MACHINE,
        beginning: Beginning | None = None,
    ) -> None:
        self.referee = referee
        self.tagbook = tagbook
        self.chance = chance
        self.opens = opens
        self._readers = readers
        self._zones = zones or {}
        self._shelf = shelf
        self._coming: tuple[str, tuple[OnShelf, ...]] = ("", ())
        self._machine = machine
        self.beginning = beginning
        self._box = REST
        self._flash: Page | None = None
        self.signal: Signal = "turn"
        self.joining: tuple[Joining, ...] = ()
        self._troubles: dict[str, Said] = {}
        self.away: tuple[SeatId, ...] = ()
        self._stranger: Uid | None = None
        self._enrolling: Enrolling | None = None
        self.heeded: Asked | None = None
        """The last command of a phone that left no entry: repeated, it is answered again and not done again."""
        self._question: Said | None = None
        self._paused: Said | None = None
        self._beat = 0
        self.snapshot = self._snapshot()

    @property
    def wants_tag(self) -> bool:
        """Whether a tag is to be laid next, so that silence is news, too: the tag may be dead."""
        now = self._enrolling
        return now is not None and now.next is not None and now.note != DEAD

    def handle(self, given: Input | News) -> Answer | None:
        """The answer to one letter; whatever it does, the next one can be handled. Nothing is told here."""
        self.signal = "quiet"
        if isinstance(given, Tapped | Pressed | Turned):
            self._flash = None
        try:
            reply = self._resumed(given) if self._paused else self._do(given)
            self._paused = None
        except JournalError as error:
            if self._paused is None:
                log.error("paused: %s", error)
            self._paused = error.said
            self._show(TroublePage(error.said), "trouble")
            reply = No(own_rule(2, "paused"))
        except Exception as error:  # noqa: BLE001 - whatever one input does, the next one is handled
            name_failure(f"an input ({type(given).__name__}) could not be handled", error)
            self._box = REST
            self._show(TroublePage(say("trouble.inside")), "trouble")
            reply = No(own_rule(9, "inside"))
        return reply

    def _resumed(self, given: Input | News) -> Answer | None:
        """Go on after a pause, if the disk lets us. What turns out to be recorded is shown instead of done again."""
        before = len(self.referee.history)
        late = self.referee.catch_up()
        self.let_chance_play()  # perhaps the pause came between an act and the card that is drawn for it
        if not late:
            return self._do(given)
        self._box = REST
        self._tell(late[0].seq, before)
        return None if isinstance(given, Tapped | Pressed | Turned) else self._do(given)

    def _do(self, given: Input | News) -> Answer | None:
        match given:
            case Tapped():
                return self._tapped(given)
            case Pressed():
                return self._pressed(given)
            case Turned(steps=steps):
                self._turned(steps)
            case ReaderLost(reader=reader):
                self._name_trouble(reader, say("trouble.reader-lost", reader=called(reader)))
            case ReaderBack(reader=reader):
                self._name_trouble(reader, None)
            case Trouble() | Away() | Question() | Quiet():
                self._heard(given)
            case Asked():
                return wishes.answer(self, given)
            case BotChose():
                return wishes.bot_chose(self, given)
            case Lifted():
                pass  # wands only hear what arrives; what a lift means is for zone readers
            case _:
                assert_never(given)
        return None

    def _pressed(self, given: Pressed) -> Answer | None:
        button = self._button(given)
        if self._leads():
            assert self.beginning is not None, "asked before"
            return self._follow(self.beginning.press(button))
        self._box, want = boxes.press(self.snapshot, self._box, button, given.held)
        return self._want(want, given)

    def _button(self, given: Pressed) -> Button:
        """Which button that is. To let in the first phone, any will do: they are not known yet."""
        if self.beginning is None:
            return given.button
        if door.waiting(self.joining) and given.held and not self.beginning.knows_buttons:
            return "ok"
        return self.beginning.key(given.button)

    def _turned(self, steps: int) -> None:
        if self._leads():
            assert self.beginning is not None, "asked before"
            self.beginning.turn(steps)
        else:
            self._box = boxes.turn(self.snapshot, self._box, steps)

    def _leads(self) -> bool:
        """Whether the next press answers a question of the first run."""
        busy = bool(door.waiting(self.joining)) or self._question is not None or self._enrolling is not None
        return self.beginning is not None and self.beginning.open is not None and not busy

    def lead(self, wish: Lead) -> Answer:
        """A phone answers the question of the first run that it was shown."""
        beginning, busy = self.beginning, self._question is not None or self._enrolling is not None
        if beginning is None or busy or beginning.open is None or beginning.open.question != wish.question:
            return No(own_rule(1, "stale"))
        answer = self._follow(beginning.take(wish.at))
        return Done(self.referee.at.seq) if answer is None else answer

    def _follow(self, wish: OpenGame | Enrol | None) -> Answer | None:
        """Do what an answer asks for. Who sits there already keeps the own name."""
        if isinstance(wish, OpenGame):
            seated = {seat: chair.name for seat, chair in enumerate(self.referee.at.chairs) if chair.key}
            names = tuple(seated.get(seat, name) for seat, name in enumerate(wish.names))
            return self.begin(replace(wish, names=names), None)
        if wish is not None:
            self.enrol(wish)
        return None

    def _heard(self, news: News) -> None:
        match news:
            case Trouble(source=source, said=said):
                self._name_trouble(source, said)
            case Away(seats=seats):
                self.away = seats
            case Question(said=said):
                self._question, self._box = said, REST
                self.signal = "trouble" if said else "quiet"
            case Quiet():
                self._enrolling = self._enrolling and enrolment.quiet(self._enrolling)
            case _:
                assert_never(news)

    def _tapped(self, given: Tapped) -> Answer | None:
        if self._question is not None:
            self.signal = "trouble"
            return None
        if self._enrolling is not None:
            things = tag_menu.things_of(self.snapshot, self._readers)
            self._keep(enrolment.lay(self._enrolling, self.tagbook, things, given.uid, given.reader))
            return None
        if self._leads():
            return None
        tag = self.tagbook.find(given.uid)
        self._stranger = given.uid if tag is None else None
        match tag:
            case None:
                self._show(TroublePage(say("tap.unknown-tag", uid=Name(given.uid))), "trouble")
                return None
            case PieceTag(game=game) | PlaceTag(game=game) if game != self.referee.game.id:
                self._show(PiecePage(say("tap.other-game"), say("choice", item=Name(game))), "trouble")
                return None
            case _:
                token = pointed_at(tag)
                self._box, want = boxes.lay(self.snapshot, self._box, token, self._zones.get(given.reader))
                answer = self._want(want, given)
                if isinstance(want, Do) and isinstance(answer, Done):
                    drawn = boxes.drawn_with(self._snapshot(), want.intent, token)
                    return answer if drawn is None else self.act(drawn, given, on_box=True)
                return answer

    def _want(self, want: boxes.Want | None, cause: Input) -> Answer | None:
        match want:
            case None:
                return None
            case Do(intent=intent):
                return self.act(intent, cause, on_box=True)
            case GoBack(to=to, by=by, as_referee=as_referee):
                return self.go_back(to, cause, by, on_box=True, as_referee=as_referee)
            case LetIn() | SendAway():
                self.joining = door.answered(self.joining, want)
                return None
            case Begin(game=game):
                names = tuple(chair.name for chair in self.referee.at.chairs)
                return self.begin(OpenGame(game, names, (), self.referee.mode), None)
            case Show(page=page):
                self._show(page)
                return None
            case Enrol():
                self.enrol(want)
                return None
            case GoOn():
                self._question = None
                return None
            case AskMachine(to=to):
                self._ask_machine(to)
                return None
            case _:
                assert_never(want)

    def _ask_machine(self, to: boxes.ToMachine) -> None:
        ask = self._machine.switch_off if to == "off" else self._machine.open_wifi
        self._show(TroublePage(say(f"{to}.not-here" if ask is None else f"{to}.going")))
        if ask is not None:
            ask()

    def _show(self, page: Page, signal: Signal = "quiet") -> None:
        self._flash, self.signal = page, signal

    def _name_trouble(self, source: str, said: Said | None) -> None:
        if said is None:
            self._troubles.pop(source, None)
        else:
            self._troubles[source] = said
            self._show(TroublePage(said), "trouble")

    # Tags

    def enrol(self, wish: Enrol) -> Refusal | None:
        """Why not, or None: done. A row of one piece may begin with the tag that was laid and that nobody knew."""
        now, begins = self._enrolling, wish.do == "begin"
        if wish.uid not in (None, self._stranger) or (wish.at >= 0 and (now is None or wish.at != len(now.steps))):
            return own_rule(1, "stale")
        if now is None and not begins:
            return own_rule(4, "nothing-to-do")
        things = tag_menu.things_of(self.snapshot, self._readers)
        self._keep(enrolment.obey(now or enrolment.NOTHING, self.tagbook, things, wish))
        if begins and wish.uid and self._enrolling:
            self._keep(enrolment.lay(self._enrolling, self.tagbook, things, wish.uid, ReaderId("")))
            self._stranger = None
        return None

    def _keep(self, then: enrolment.Then) -> None:
        """Save first; a tagbook that cannot be saved leaves everything as it was and says so."""
        after, changes = then
        try:
            if changes:
                self.tagbook.change(changes)
        except CompanionError as error:
            log.warning("a tag was not enrolled: %s", error)
            self._enrolling = self._enrolling and replace(self._enrolling, note=say("enrol.not-saved"))
            self.signal = "trouble"
            return
        self.signal = enrolment.signal(self._enrolling, after)
        self._enrolling = after

    # Acts

    def act(self, intent: Intent, cause: Input, *, on_box: bool) -> Answer:
        if self._question is not None:
            return No(own_rule(2, "paused"))
        before = len(self.referee.history)
        entry = self.referee.act(intent, cause, on_box=on_box)
        if isinstance(entry.body, WasRefused):
            if on_box:
                self._show(RefusedPage(entry.body.refusal, self._beside(intent.actor)), "refused")
            return No(entry.body.refusal)
        self.let_chance_play()
        self._box = self._rest()
        self._tell(entry.seq, before)
        return Done(entry.seq)

    def _rest(self) -> Box:
        """Where the box comes to rest after an act; where people set things right themselves, at the corrections."""
        decisions = self.referee.at.decisions
        return Box(menu="correct") if decisions and decisions[-1].corrects else REST

    def _tell(self, seq: Seq, before: int) -> None:
        """Show on the box what the newest entries made true."""
        newest = (self.referee.deeds.get(entry.seq) for entry in self.referee.history[before:])
        game, deeds = self.referee.game, [deed for deed in newest if deed]
        events = worth_telling(event for deed in deeds for event in deed.events)
        view = view_to_tell(game, self.referee.at.state, PUBLIC)
        lines = tuple(told(game, view, event, PUBLIC) for event in events)
        by = self._beside(deeds[0].intent.actor) if deeds else Said("")
        self._show(AcceptedPage(seq, lines, by), "accepted")

    def _beside(self, seat: SeatId) -> Said:
        """Who is to be named because the game now waits for somebody else, too."""
        decisions = self.referee.at.decisions
        return showing.unless_awaited(decisions[-1].seats if decisions else (), seat)

    def let_chance_play(self) -> None:
        """Roll and draw for the table, where its dice and decks are virtual."""
        if self.chance:
            chance.play(self.referee, self.chance)

    def go_back(self, to: Seq, cause: Input, by: SeatId, *, on_box: bool, as_referee: bool = False) -> Answer:
        referee = self.referee
        if self._question is not None:
            return No(own_rule(2, "paused"))
        barred = record.bars_take_back(referee.deeds, referee.at, to, by)
        if barred and not (as_referee and barred.rule == "C6"):
            if on_box:
                self._show(RefusedPage(barred, self._beside(by)), "refused")
            return No(barred)
        entry = referee.take_back(to, by, cause)
        self._box = REST
        self._show(AcceptedPage(entry.seq, (say("back.done", n=to + 1),), self._beside(by)), "accepted")
        self.let_chance_play()
        return Done(entry.seq)

    def begin(self, wish: OpenGame, asked: Asked | None) -> Answer:
        """The next game; on the box nobody asked with a phone."""
        at = self.referee.at
        if self.opens is None:
            return No(own_rule(10, "game-not-over"))
        try:
            fresh = self.opens(wish, sitting.carried(at, wish, asked))
        except CompanionError as error:
            if isinstance(error, JournalError):
                raise
            log.warning("a game could not be opened: %s", error)
            self._show(TroublePage(say("next.cannot")), "trouble")
            return No(own_rule(11, "unplayable") if isinstance(error, Unplayable) else own_rule(5, "unreadable"))
        if asked is not None and self.beginning is not None:
            self.beginning.end()
        self.referee, self._box = fresh, REST
        self.joining = tuple(each for each in self.joining if each.seat < fresh.setup.seats)
        self.away = tuple(seat for seat in self.away if seat < len(wish.names))
        self.let_chance_play()
        self.signal = "turn"
        return Done(fresh.at.seq)

    # Telling

    def _snapshot(self) -> Snapshot:
        stops = tuple(said for said in (self._paused, self._question) if said is not None)
        return replace(
            self.referee.snapshot(self._beat),
            flash=self._flash,
            signal=self.signal,
            troubles=(*stops, *self._troubles.values()),
            joining=self.joining,
            away=self.away,
            stranger=self._stranger,
            enrolling=self._enrolling,
            question=self._question,
            shelf=self._next_games(),
            beginning=None if self.beginning is None else self.beginning.open,
            wifi=self._machine.wifi,
        )

    def _next_games(self) -> tuple[OnShelf, ...]:
        """What could be played next; looked up once, when a game is over."""
        referee = self.referee
        if referee.at.result is None or self.opens is None or self._shelf is None:
            return ()
        if self._coming[0] != referee.table:
            self._coming = (referee.table, self._shelf(referee.game.id, len(referee.at.chairs)))
        return self._coming[1]

    def draw(self) -> Snapshot:
        """A new snapshot of how everything stands now."""
        self._beat += 1
        scene = self._snapshot()
        page = self._page(scene)
        signal = self.signal
        if isinstance(page, CheckPage) and page.who.key:
            signal = "check-problem" if page.is_problem else "check-fine"
        self.snapshot = replace(scene, page=page, signal=signal)
        return self.snapshot

    def _page(self, scene: Snapshot) -> Page:
        try:
            return showing.page(scene, self._box)
        except Exception as error:  # noqa: BLE001 - a page that cannot be made must not end the game
            name_failure("a page of the box could not be made", error)
            self._box = REST
            return TroublePage(say("trouble.inside"))
