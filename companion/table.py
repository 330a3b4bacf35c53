"""The one writer: every input goes through its inbox, every change through its journal, every change is published.

The thread never waits for a device, a socket or a sleep. How everybody is told is in `publishing`, who may sit where
in `sitting`, what taps and buttons mean in `box`.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeAlias, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from . import box as boxes
from . import enrolment, record, sitting, tag_menu
from .answers import Answer, Done, No
from .beginning import Beginning
from .box import REST, Admit, AskMachine, Begin, Do, GoBack, GoOn, Show
from .core.errors import CompanionError
from .core.facts import Name, Refusal, Said, Word, say
from .core.ids import PUBLIC, REFEREE, TABLE, GameId, ReaderId, SeatId, Seq, Uid
from .core.inputs import (
    Act,
    Asked,
    BotChose,
    Button,
    Claim,
    Enrol,
    HandOver,
    Input,
    Join,
    Leave,
    LetBot,
    Lifted,
    OpenGame,
    Pressed,
    ReaderBack,
    ReaderLost,
    Skip,
    TakeBack,
    Tapped,
    Turned,
)
from .core.judge import is_correction, legal, verb_of
from .core.rules import Intent, Token
from .core.secrets import mask
from .core.telling import told
from .enrolment import DEAD, Enrolling
from .journal import JournalError, WasRefused
from .next_game import OnShelf
from .pages import AcceptedPage, CheckPage, Page, PiecePage, RefusedPage, Signal, TroublePage
from .ports import Machine
from .publishing import Latest, Subscribers, name_failure
from .record import own_rule
from .referee import Referee
from .snapshot import Joining, Snapshot
from .tagbook import NumberTag, PieceTag, PlaceTag, SeatTag, Tagbook

log = logging.getLogger(__name__)

Chance: TypeAlias = Callable[[tuple[Intent, ...], tuple[int, ...]], Intent | None]
"""Picks one of the candidates by weight: the virtual dice and deck. None leaves it to hands."""

Opens: TypeAlias = Callable[[OpenGame], Referee]
"""Opens another game in the same journal; raises CompanionError where it cannot."""

Shelf: TypeAlias = Callable[[GameId, int], tuple[OnShelf, ...]]
"""The games that so many people could play after this one."""

ACCEPTED_LINES: Final = 3
NO_MACHINE: Final = Machine()
QUIET: Final = 10.0
"""Seconds without any tag after which a dead one is thought of."""


class Trouble(Struct, frozen=True):
    """Something around the table is wrong, or (None) no longer; not an input, nothing is journalled."""

    source: str
    said: Said | None


class Question(Struct, frozen=True):
    """Something that people must settle before the game goes on, or (None) that they have; nothing is journalled."""

    said: Said | None


class Quiet(Struct, frozen=True):
    """Nothing was laid for a while though a tag is wanted."""


class Away(Struct, frozen=True):
    """The seats whose phones no longer listen; nothing is journalled."""

    seats: tuple[SeatId, ...]


_News: TypeAlias = Trouble | Question | Quiet | Away
_Letter: TypeAlias = tuple[Input | _News | None, Future[Answer] | None]


class Table:
    """The table thread and its inbox. `chance` is None where real dice and cards are tapped and typed.

    `opens` lets phones and the box begin the next game when this one is over; without it, one game is all there is.
    `readers` are those that can be given names by touching them, `shelf` names the games that the box lists at the end.
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
        shelf: Shelf | None = None,
        machine: Machine = NO_MACHINE,
        beginning: Beginning | None = None,
    ) -> None:
        self._referee = referee
        self._tagbook = tagbook
        self._chance = chance
        self._opens = opens
        self._readers = readers
        self._shelf = shelf
        self._coming: tuple[str, tuple[OnShelf, ...]] = ("", ())
        self._machine = machine
        self._beginning = beginning
        self._busy_since: float | None = None
        self._inbox: queue.SimpleQueue[_Letter] = queue.SimpleQueue()
        self._subscribers = Subscribers()
        self._box = REST
        self._flash: Page | None = None
        self._signal: Signal = "turn"
        self._joining: Joining | None = None
        self._troubles: dict[str, Said] = {}
        self._away: tuple[SeatId, ...] = ()
        self._stranger: Uid | None = None
        self._enrolling: Enrolling | None = None
        self._enrolled = ""
        """The last command of a phone about tags: repeated, it is answered again and not done again."""
        self._question: Said | None = None
        self._paused: Said | None = None
        self._beat = 0
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self.snapshot = self._snapshot()

    # From any thread

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish what is in the inbox, then end the thread."""
        self._inbox.put((None, None))
        self._thread.join()

    def is_alive(self, patience: float) -> bool:
        """Whether the thread is there and not busy with one and the same letter for more than so many seconds."""
        since = self._busy_since
        return self._thread.is_alive() and (since is None or time.monotonic() - since < patience)

    def put(self, given: Input) -> None:
        """Hand an input over; never waits."""
        self._inbox.put((given, None))

    def trouble(self, source: str, said: Said | None) -> None:
        """Name what is wrong with a device, or (None) that it is right again; never waits."""
        self._inbox.put((Trouble(source, said), None))

    def question(self, said: Said | None) -> None:
        """Stop the game until people have settled something, or (None) let it go on; never waits."""
        self._inbox.put((Question(said), None))

    def away(self, seats: tuple[SeatId, ...]) -> None:
        """Name the seats whose phones no longer listen; never waits."""
        self._inbox.put((Away(seats), None))

    def ask(self, asked: Asked, timeout: float = 5.0) -> Answer:
        """Hand a phone's wish over and wait for the answer; TimeoutError if the table does not get to it."""
        answer: Future[Answer] = Future()
        self._inbox.put((asked, answer))
        return answer.result(timeout)

    def subscribe(self, fn: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `fn` with every new snapshot, on the table thread; gives the way to end it."""
        return self._subscribers.add(fn)

    def latest(self) -> Latest:
        """For a thread that draws; starts with the present snapshot."""
        latest = Latest(self.snapshot)
        latest.on_close = self.subscribe(latest.offer)
        return latest

    # On the table thread

    def _run(self) -> None:
        self._let_chance_play()
        self._publish()
        while True:
            given, answer = self._next()
            if given is None:
                return
            self._take(given, answer)

    def _next(self) -> _Letter:
        """The next letter. While a tag is wanted, silence is news, too: the tag may be dead."""
        wants = self._enrolling is not None and self._enrolling.next is not None and self._enrolling.note != DEAD
        try:
            return self._inbox.get(timeout=QUIET if wants else None)
        except queue.Empty:
            return Quiet(), None

    def _take(self, given: Input | _News, answer: Future[Answer] | None) -> None:
        if isinstance(given, Lifted):
            return
        self._busy_since = time.monotonic()
        reply = self._handle_safely(given)
        self._publish()
        self._busy_since = None
        if answer is not None:
            answer.set_result(reply or No(own_rule(4, "nothing-to-do")))

    def _handle_safely(self, given: Input | _News) -> Answer | None:
        self._signal = "quiet"
        if isinstance(given, Tapped | Pressed | Turned):
            self._flash = None
        try:
            reply = self._resumed(given) if self._paused else self._handle(given)
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

    def _resumed(self, given: Input | _News) -> Answer | None:
        """Go on after a pause, if the disk lets us. What turns out to be recorded is shown instead of done again."""
        before = len(self._referee.history)
        late = self._referee.catch_up()
        self._let_chance_play()  # perhaps the pause came between an act and the card that is drawn for it
        if not late:
            return self._handle(given)
        self._box = REST
        self._tell(late[0].seq, before)
        return None if isinstance(given, Tapped | Pressed | Turned) else self._handle(given)

    def _handle(self, given: Input | _News) -> Answer | None:
        match given:
            case Tapped():
                return self._tapped(given)
            case Pressed():
                return self._pressed(given)
            case Turned(steps=steps):
                self._turned(steps)
            case ReaderLost(reader=reader):
                self._name_trouble(reader, say("trouble.reader-lost", reader=Word(f"reader.{reader}")))
            case ReaderBack(reader=reader):
                self._name_trouble(reader, None)
            case Trouble() | Away() | Question() | Quiet():
                self._heard(given)
            case Asked():
                return self._asked(given)
            case BotChose():
                return self._bot_chose(given)
            case Lifted():
                pass  # wands only hear what arrives; what a lift means is for zone readers
            case _:
                assert_never(given)
        return None

    def _pressed(self, given: Pressed) -> Answer | None:
        button = self._beginning.key(given.button) if self._beginning else given.button
        if self._leads():
            return self._lead(button)
        self._box, want = boxes.press(self.snapshot, self._box, button, given.held)
        return self._want(want, given)

    def _turned(self, steps: int) -> None:
        if self._leads():
            assert self._beginning is not None, "asked before"
            self._beginning.turn(steps)
        else:
            self._box = boxes.turn(self.snapshot, self._box, steps)

    def _leads(self) -> bool:
        """Whether the next press answers a question of the first run."""
        waits = self._joining is not None and not self._joining.admitted
        busy = waits or self._question is not None or self._enrolling is not None
        return self._beginning is not None and self._beginning.page is not None and not busy

    def _lead(self, button: Button) -> Answer | None:
        assert self._beginning is not None, "asked before"
        wish = self._beginning.press(button)
        if isinstance(wish, OpenGame):
            return self._begin(wish, None)
        if wish is not None:
            self._enrol(wish)
        return None

    def _heard(self, news: _News) -> None:
        match news:
            case Trouble(source=source, said=said):
                self._name_trouble(source, said)
            case Away(seats=seats):
                self._away = seats
            case Question(said=said):
                self._question, self._box = said, REST
                self._signal = "trouble" if said else "quiet"
            case Quiet():
                self._enrolling = self._enrolling and enrolment.quiet(self._enrolling)
            case _:
                assert_never(news)

    def _tapped(self, given: Tapped) -> Answer | None:
        if self._question is not None:
            self._signal = "trouble"
            return None
        if self._enrolling is not None:
            things = tag_menu.things_of(self.snapshot, self._readers)
            self._keep(enrolment.lay(self._enrolling, self._tagbook, things, given.uid, given.reader))
            return None
        if self._leads():
            return None
        tag = self._tagbook.find(given.uid)
        self._stranger = given.uid if tag is None else None
        match tag:
            case None:
                self._show(TroublePage(say("tap.unknown-tag", uid=Name(given.uid))), "trouble")
                return None
            case PieceTag(game=game) | PlaceTag(game=game) if game != self._referee.game.id:
                self._show(PiecePage(say("tap.other-game"), say("choice", item=Name(game))), "trouble")
                return None
            case PieceTag(piece=piece):
                token = Token("piece", piece)
            case PlaceTag(place=place):
                token = Token("place", place)
            case SeatTag(seat=seat):
                token = Token("seat", seat)
            case NumberTag(number=number):
                token = Token("number", number)
            case _:
                assert_never(tag)
        self._box, want = boxes.tap(self.snapshot, self._box, token)
        return self._want(want, given)

    def _want(self, want: boxes.Want | None, cause: Input) -> Answer | None:
        match want:
            case None:
                return None
            case Do(intent=intent):
                return self._act(intent, cause, on_box=True)
            case GoBack(to=to, by=by, as_referee=as_referee):
                return self._go_back(to, cause, by, on_box=True, as_referee=as_referee)
            case Admit(joining=joining):
                self._joining = joining
                return None
            case Begin(game=game):
                names = tuple(chair.name for chair in self._referee.at.chairs)
                return self._begin(OpenGame(game, names, (), self._referee.mode), None)
            case Show(page=page):
                self._show(page)
                return None
            case Enrol():
                self._enrol(want)
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
        self._flash, self._signal = page, signal

    def _name_trouble(self, source: str, said: Said | None) -> None:
        if said is None:
            self._troubles.pop(source, None)
        else:
            self._troubles[source] = said
            self._show(TroublePage(said), "trouble")

    # Tags

    def _enrol(self, wish: Enrol) -> Refusal | None:
        """Why not, or None: done. A row of one piece may begin with the tag that was laid and that nobody knew."""
        now, begins = self._enrolling, wish.do == "begin"
        if wish.uid not in (None, self._stranger) or (wish.at >= 0 and (now is None or wish.at != len(now.steps))):
            return own_rule(1, "stale")
        if now is None and not begins:
            return own_rule(4, "nothing-to-do")
        things = tag_menu.things_of(self.snapshot, self._readers)
        self._keep(enrolment.obey(now or enrolment.NOTHING, self._tagbook, things, wish))
        if begins and wish.uid and self._enrolling:
            self._keep(enrolment.lay(self._enrolling, self._tagbook, things, wish.uid, ReaderId("")))
            self._stranger = None
        return None

    def _keep(self, then: enrolment.Then) -> None:
        """Save first; a tagbook that cannot be saved leaves everything as it was and says so."""
        after, changes = then
        try:
            if changes:
                self._tagbook.change(changes)
        except CompanionError as error:
            log.warning("a tag was not enrolled: %s", error)
            self._enrolling = self._enrolling and replace(self._enrolling, note=say("enrol.not-saved"))
            self._signal = "trouble"
            return
        self._signal = enrolment.signal(self._enrolling, after)
        self._enrolling = after

    # Acts

    def _act(self, intent: Intent, cause: Input, *, on_box: bool) -> Answer:
        if self._question is not None:
            return No(own_rule(2, "paused"))
        before = len(self._referee.history)
        entry = self._referee.act(intent, cause, on_box=on_box)
        if isinstance(entry.body, WasRefused):
            if on_box:
                self._show(RefusedPage(entry.body.refusal), "refused")
            return No(entry.body.refusal)
        self._box = REST
        self._let_chance_play()
        self._tell(entry.seq, before)
        return Done(entry.seq)

    def _tell(self, seq: Seq, before: int) -> None:
        """Show on the box what the newest entries made true."""
        newest = (self._referee.deeds.get(entry.seq) for entry in self._referee.history[before:])
        events = [event for deed in newest if deed for event in deed.events]
        lines = tuple(told(event, PUBLIC) for event in events[:ACCEPTED_LINES])
        self._show(AcceptedPage(seq, lines), "accepted")

    def _let_chance_play(self) -> None:
        """Roll and draw for the table, where its dice and decks are virtual; what was taken back falls again."""
        referee = self._referee
        while self._chance and referee.at.decisions and referee.at.decisions[-1].is_chance:
            candidates = legal(referee.game, referee.at.state, TABLE)
            lifted = referee.at.lifted
            if lifted and lifted[0] in candidates:
                intent = lifted[0]
            else:
                weights = tuple(referee.game.weight(referee.at.state, c) for c in candidates)
                picked = self._chance(candidates, weights)
                if picked is None:
                    return
                intent = picked
            referee.act(intent, None, on_box=True)

    def _go_back(self, to: Seq, cause: Input, by: SeatId, *, on_box: bool, as_referee: bool = False) -> Answer:
        referee = self._referee
        if self._question is not None:
            return No(own_rule(2, "paused"))
        barred = record.bars_take_back(referee.deeds, referee.at, to, by)
        if barred and not (as_referee and barred.rule == "C6"):
            if on_box:
                self._show(RefusedPage(barred), "refused")
            return No(barred)
        entry = referee.take_back(to, by, cause)
        self._box = REST
        self._show(AcceptedPage(entry.seq, (say("back.done", n=to + 1),)), "accepted")
        self._let_chance_play()
        return Done(entry.seq)

    # Phones

    def _asked(self, asked: Asked) -> Answer:
        repeated = self._referee.answered(asked.command)
        if repeated is not None:
            body = repeated.body
            return No(body.refusal) if isinstance(body, WasRefused) else Done(repeated.seq, again=True)
        if asked.table not in ("", self._referee.table):
            return No(own_rule(1, "stale"))
        return self._wished(asked)

    def _wished(self, asked: Asked) -> Answer:
        wish = asked.wish
        match wish:
            case Join(seat=seat, name=name, code=code):
                self._joining = Joining(seat, name, code)
                self._signal = "turn"
                return Done(self._referee.at.seq)
            case Claim(code=code, key=key):
                return self._claim(asked, code, key)
            case Leave() | LetBot() | HandOver():
                return sitting.changed(self._referee, asked, wish, self._away)
            case Skip(seat=seat):
                return self._skip(asked, seat)
            case OpenGame():
                return self._open_game(asked, wish)
            case Enrol():
                return self._phone_enrols(asked, wish)
            case Act(intent=raw):
                return self._phone_acts(asked, raw)
            case TakeBack(to=to):
                return self._go_back(to, asked, asked.seat, on_box=False, as_referee=asked.seat == REFEREE)
            case _:
                assert_never(wish)

    def _claim(self, asked: Asked, code: str, key: str) -> Answer:
        answer = sitting.claim(self._referee, self._joining, asked, code, key)
        if isinstance(answer, Done):
            self._joining = None
        return answer

    def _skip(self, asked: Asked, seat: SeatId) -> Answer:
        """The game's own bot answers once for a seat; it reads that seat's view, like every bot."""
        game, at = self._referee.game, self._referee.at
        barred = sitting.bars(at, asked.seat, seat, self._away)
        if barred:
            return No(barred)
        if seat == REFEREE or not at.decisions or seat not in at.decisions[-1].seats:
            return No(own_rule(4, "nothing-to-do"))
        view = mask(at.state, seat)
        return self._act(game.bot(view, seat, legal(game, view, seat), at.seq), asked, on_box=False)

    def _open_game(self, asked: Asked, wish: OpenGame) -> Answer:
        """Begin the next game; phones keep their seats, so that nobody has to join again."""
        at = self._referee.at
        if self._opens is None or (at.result is None and asked.seat != REFEREE):
            return No(own_rule(10, "game-not-over"))
        return self._begin(wish, asked)

    def _begin(self, wish: OpenGame, asked: Asked | None) -> Answer:
        """The next game; on the box nobody asked with a phone."""
        at = self._referee.at
        if self._opens is None:
            return No(own_rule(10, "game-not-over"))
        try:
            fresh = self._opens(wish)
        except CompanionError as error:
            if isinstance(error, JournalError):
                raise
            log.warning("a game could not be opened: %s", error)
            self._show(TroublePage(say("next.cannot")), "trouble")
            return No(own_rule(5, "unreadable"))
        sitting.carry_over(at, fresh, wish.names, asked)
        if asked is not None and self._beginning is not None:
            self._beginning.end()
        self._referee, self._box, self._joining, self._away = fresh, REST, None, ()
        self._let_chance_play()
        self._signal = "turn"
        return Done(fresh.at.seq)

    def _bot_chose(self, given: BotChose) -> Answer:
        """A bot's answer counts like a phone's, as long as the seat is still the bot's and the question open."""
        referee = self._referee
        if not referee.at.chairs[given.seat].bot:
            return No(own_rule(3, "not-your-seat"))
        if given.asked != referee.at.asked[given.seat]:
            return No(own_rule(1, "stale"))
        return self._act(record.intent(referee.game, given.intent), given, on_box=False)

    def _phone_enrols(self, asked: Asked, wish: Enrol) -> Answer:
        if asked.command != self._enrolled:
            barred = self._enrol(wish)
            if barred is not None:
                return No(barred)
            self._enrolled = asked.command
        return Done(self._referee.at.seq)

    def _phone_acts(self, asked: Asked, raw: msgspec.Raw) -> Answer:
        referee = self._referee
        try:
            intent = record.intent(referee.game, raw)
        except msgspec.MsgspecError:
            return No(own_rule(5, "unreadable"))
        if asked.asked != sitting.question(referee.at, asked.seat):
            return No(own_rule(1, "stale"))
        if intent.actor != asked.seat and not self._speaks_for_table(asked, intent):
            return No(own_rule(3, "not-your-seat"))
        return self._act(intent, asked, on_box=False)

    def _speaks_for_table(self, asked: Asked, intent: Intent) -> bool:
        """Whether a phone may say this for the table: the referee a correction, who rolls what the dice show."""
        if intent.actor != TABLE:
            return False
        if is_correction(self._referee.game, intent):
            return asked.seat == REFEREE
        is_typed = verb_of(self._referee.game, intent).is_typed
        return is_typed and sitting.may_roll(self._referee.at, asked.seat, self._away)

    # Telling

    def _snapshot(self) -> Snapshot:
        stops = tuple(said for said in (self._paused, self._question) if said is not None)
        return replace(
            self._referee.snapshot(self._beat),
            flash=self._flash,
            signal=self._signal,
            troubles=(*stops, *self._troubles.values()),
            joining=self._joining,
            away=self._away,
            stranger=self._stranger,
            enrolling=self._enrolling,
            question=self._question,
            shelf=self._next_games(),
            beginning=None if self._beginning is None else self._beginning.page,
            wifi=self._machine.wifi,
        )

    def _next_games(self) -> tuple[OnShelf, ...]:
        """What could be played next; looked up once, when a game is over."""
        referee = self._referee
        if referee.at.result is None or self._opens is None or self._shelf is None:
            return ()
        if self._coming[0] != referee.table:
            self._coming = (referee.table, self._shelf(referee.game.id, len(referee.at.chairs)))
        return self._coming[1]

    def _publish(self) -> None:
        self._beat += 1
        scene = self._snapshot()
        page = self._page(scene)
        signal = self._signal
        if isinstance(page, CheckPage):
            signal = "check-problem" if page.is_problem else "check-fine"
        self.snapshot = replace(scene, page=page, signal=signal)
        self._subscribers.tell(self.snapshot)

    def _page(self, scene: Snapshot) -> Page:
        try:
            return boxes.page(scene, self._box)
        except Exception as error:  # noqa: BLE001 - a page that cannot be made must not end the game
            name_failure("a page of the box could not be made", error)
            self._box = REST
            return TroublePage(say("trouble.inside"))
