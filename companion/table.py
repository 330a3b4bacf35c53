"""The one writer: every input goes through its inbox, every change through its journal, every change is published.

The thread never waits for a device, a socket or a sleep. How everybody is told is in `publishing`, who may sit where
in `sitting`, what taps and buttons mean in `box`.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeAlias, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from . import box as boxes
from . import record, sitting
from .answers import Answer, Done, No
from .box import REST, Admit, Do, GoBack, Show
from .core.errors import CompanionError
from .core.facts import Name, Said, Word, say
from .core.ids import PUBLIC, REFEREE, TABLE, SeatId, Seq, Uid
from .core.inputs import (
    Act,
    Asked,
    BotChose,
    Claim,
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
from .core.judge import is_correction, legal
from .core.rules import Intent, Token
from .core.secrets import mask
from .core.telling import told
from .journal import JournalError, WasRefused
from .pages import AcceptedPage, CheckPage, Page, PiecePage, RefusedPage, Signal, TroublePage
from .publishing import Latest, Subscribers, name_failure
from .record import own_rule
from .referee import Referee
from .snapshot import Joining, Snapshot
from .tagbook import NumberTag, PieceTag, SeatTag, Tagbook

log = logging.getLogger(__name__)

Chance: TypeAlias = Callable[[tuple[Intent, ...], tuple[int, ...]], Intent | None]
"""Picks one of the candidates by weight: the virtual dice and deck. None leaves it to hands."""

Opens: TypeAlias = Callable[[OpenGame], Referee]
"""Opens another game in the same journal; raises CompanionError where it cannot."""

ACCEPTED_LINES: Final = 3


class Trouble(Struct, frozen=True):
    """Something around the table is wrong, or (None) no longer; not an input, nothing is journalled."""

    source: str
    said: Said | None


class Away(Struct, frozen=True):
    """The seats whose phones no longer listen; nothing is journalled."""

    seats: tuple[SeatId, ...]


_News: TypeAlias = Trouble | Away
_Letter: TypeAlias = tuple[Input | _News | None, Future[Answer] | None]


class Table:
    """The table thread and its inbox. `chance` is None where real dice and cards are tapped and typed.

    `opens` lets phones begin the next game when this one is over; without it, one game is all there is.
    """

    def __init__(
        self, referee: Referee, tagbook: Tagbook, chance: Chance | None = None, opens: Opens | None = None
    ) -> None:
        self._referee = referee
        self._tagbook = tagbook
        self._chance = chance
        self._opens = opens
        self._inbox: queue.SimpleQueue[_Letter] = queue.SimpleQueue()
        self._subscribers = Subscribers()
        self._box = REST
        self._flash: Page | None = None
        self._signal: Signal = "turn"
        self._joining: Joining | None = None
        self._troubles: dict[str, Said] = {}
        self._away: tuple[SeatId, ...] = ()
        self._stranger: Uid | None = None
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

    def put(self, given: Input) -> None:
        """Hand an input over; never waits."""
        self._inbox.put((given, None))

    def trouble(self, source: str, said: Said | None) -> None:
        """Name what is wrong with a device, or (None) that it is right again; never waits."""
        self._inbox.put((Trouble(source, said), None))

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
            given, answer = self._inbox.get()
            if given is None:
                return
            self._take(given, answer)

    def _take(self, given: Input | _News, answer: Future[Answer] | None) -> None:
        if isinstance(given, Lifted):
            return
        reply = self._handle_safely(given)
        self._publish()
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
            case Pressed(button=button, held=held):
                self._box, want = boxes.press(self.snapshot, self._box, button, held)
                return self._want(want, given)
            case Turned(steps=steps):
                self._box = boxes.turn(self.snapshot, self._box, steps)
            case ReaderLost(reader=reader):
                self._name_trouble(reader, say("trouble.reader-lost", reader=Word(f"reader.{reader}")))
            case ReaderBack(reader=reader):
                self._name_trouble(reader, None)
            case Trouble() | Away():
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

    def _heard(self, news: _News) -> None:
        match news:
            case Trouble(source=source, said=said):
                self._name_trouble(source, said)
            case Away(seats=seats):
                self._away = seats
            case _:
                assert_never(news)

    def _tapped(self, given: Tapped) -> Answer | None:
        tag = self._tagbook.find(given.uid)
        match tag:
            case None:
                self._stranger = given.uid
                self._show(TroublePage(say("tap.unknown-tag", uid=Name(given.uid))), "trouble")
                return None
            case PieceTag(game=game) if game != self._referee.game.id:
                self._show(PiecePage(say("tap.other-game"), say("choice", item=Name(game))), "trouble")
                return None
            case PieceTag(piece=piece):
                token = Token("piece", piece)
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
            case Show(page=page):
                self._show(page)
                return None
            case _:
                assert_never(want)

    def _show(self, page: Page, signal: Signal = "quiet") -> None:
        self._flash, self._signal = page, signal

    def _name_trouble(self, source: str, said: Said | None) -> None:
        if said is None:
            self._troubles.pop(source, None)
        else:
            self._troubles[source] = said
            self._show(TroublePage(said), "trouble")

    # Acts

    def _act(self, intent: Intent, cause: Input, *, on_box: bool) -> Answer:
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
            case Leave(seat=seat):
                return sitting.reseat(self._referee, asked, seat, key="")
            case LetBot(on=on, seat=seat):
                return sitting.reseat(self._referee, asked, seat, self._away, bot=on)
            case HandOver(name=name, key=key):
                return sitting.reseat(self._referee, asked, None, key=key, name=name)
            case Skip(seat=seat):
                return self._skip(asked, seat)
            case OpenGame():
                return self._open_game(asked, wish)
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
        try:
            fresh = self._opens(wish)
        except CompanionError as error:
            if isinstance(error, JournalError):
                raise
            log.warning("a game could not be opened: %s", error)
            return No(own_rule(5, "unreadable"))
        sitting.carry_over(at, fresh, wish.names, asked)
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

    def _phone_acts(self, asked: Asked, raw: msgspec.Raw) -> Answer:
        referee = self._referee
        try:
            intent = record.intent(referee.game, raw)
        except msgspec.MsgspecError:
            return No(own_rule(5, "unreadable"))
        corrects = asked.seat == REFEREE and intent.actor == TABLE and is_correction(referee.game, intent)
        if intent.actor != asked.seat and not corrects:
            return No(own_rule(3, "not-your-seat"))
        if asked.asked != sitting.question(referee.at, asked.seat):
            return No(own_rule(1, "stale"))
        return self._act(intent, asked, on_box=False)

    # Telling

    def _snapshot(self) -> Snapshot:
        paused = (self._paused,) if self._paused else ()
        return replace(
            self._referee.snapshot(self._beat),
            flash=self._flash,
            signal=self._signal,
            troubles=(*paused, *self._troubles.values()),
            joining=self._joining,
            away=self._away,
            stranger=self._stranger,
        )

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
