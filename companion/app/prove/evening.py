"""One evening: who plays what, how they play it through the whole stack, and what befalls them."""

from __future__ import annotations

import random
import select
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import msgspec

from companion.app.bots import bot_of, chosen
from companion.app.kit.kit import kit_of
from companion.app.main import Options
from companion.app.script.evening import quick_folder
from companion.core import TABLE, CompanionError, Intent, SeatId, mentions, thought_of
from companion.table import Snapshot

from .box import WINDOW, Box, free_port
from .broker import Broker, prepared
from .hub import Hub
from .orders import Act, Drop, Plant, Press, Tidy
from .phones import Answer, Phone
from .photos import codes_for, is_offered, is_read, photo_of
from .plan import Plan, Sent
from .record import Record

PATIENCE: Final = 120.0
"""Seconds in which everything must be well again, however busy the machine is."""
WHILE, REST = 3.0, 0.5
"""Seconds that somebody looks at the display, and that hands wait for what they have laid."""
WILD, SENSE, HANDS, LOOKS, SHOWS = 0.15, 0.8, 0.06, 0.2, 0.03
"""Of the acts: anything that can be said, and of those what makes sense by itself; what hands do on the box; how
often somebody looks at a page, or shows the box a photo of what the act is about."""
SCREENS: Final = ("seat", "seat", "table", "history")
PAGES: Final = (
    *("/seat", "/seat?wide=1", "/table", "/table?form=list", "/history", "/watch", "/report", "/check"),
    *("/api/v1/view", "/api/v1/history", "/corrections", "/lay"),
)


def room() -> tempfile.TemporaryDirectory[str]:
    """An empty folder for an evening; in memory where that can be, as it is not proven how fast a disk is."""
    return tempfile.TemporaryDirectory(prefix="prove-", dir=quick_folder())


class Stuck(CompanionError, TimeoutError):
    """Something that must come did not."""


Command: TypeAlias = tuple[Sent, dict[str, Any]]
"""What is noted of a command, and what is sent."""
T = TypeVar("T")
OUT_OF_STEP: Final = "trouble.out-of-step"


class Turn(NamedTuple):
    """One look at the game: what is so, and the seats with a phone that it waits for; none where it is over, or where
    hands must first put something right and cannot now."""

    now: Snapshot
    seats: tuple[SeatId, ...]


class Evening:
    """Plays a plan in an empty folder. What befalls it is told by `befall`, which is in `faults`."""

    def __init__(self, plan: Plan, folder: Path, plant: Plant, falls: tuple[msgspec.Raw, ...] = ()) -> None:
        self.plan, self.folder = plan, folder
        self.kit = kit_of(plan.game)
        self.dice = random.Random(plan.seed)  # noqa: S311  a proof must be the same again, and guards nothing
        self.data = folder / "data"
        options = Options(
            *(self.data, plan.game, plan.names, free_port(), True),
            bots=plan.bots,
            thinking=0.0,
            pico=plan.pico,
            mat=plan.mat or None,
        )
        self.box = Box(options, folder / "box.log", plant, falls)
        self.phones = {seat: Phone(plan.seed * 8 % 30_000 + seat) for seat in plan.people}
        self.stranger = Phone(plan.seed * 8 % 30_000 + 7)
        self.sent: list[Sent] = []
        self.survived: Counter[str] = Counter()
        self.befell: list[tuple[int, str]] = []
        """Each fault with the newest entry before it."""
        self.recovered: dict[str, list[float]] = defaultdict(list)
        self.photos = self.offered = 0
        """Photos that were read, and those of them whose sheet offered what was wanted."""
        self.again = 0
        """How often hands had to do something on the box again."""
        self.hub: Hub | None = None
        """Of the club that the table is shown at, where it is in one."""
        self.has_begun = self.was_over = False
        self.is_calm = True
        """Whether nothing befalls it just now."""
        self._commands = 0

    # The beginning and the end

    def begin(self) -> None:
        now = self.box.start()
        if now.error:
            raise Stuck(f"the box does not start: {now.error}")
        self.record, self.has_begun = Record(self.data, self.kit.game), True
        for seat, phone in self.phones.items():
            self._sit(seat, phone)
        self.stranger.listen(self.box.port, "watch")
        if self.plan.club and (ready := prepared()) is not None:
            self.hub = Hub(Broker(ready, self.folder / "club", free_port(WINDOW // 2)), self)
            self.hub.begin()

    def _sit(self, seat: SeatId, phone: Phone) -> None:
        wanted = {"command": self.new_id(), "seat": seat, "name": self.plan.names[seat]}
        self.until(lambda: self._is_let_in(phone, wanted), f"{self.plan.names[seat]} is let in")
        phone.listen(self.box.port, self.screen())

    def _is_let_in(self, phone: Phone, wanted: dict[str, Any]) -> bool:
        """Ask for the seat and press OK. On a slow machine the press may meet a trouble that is told just then; whoever
        sees that nobody was let in does it again.
        """
        phone.post(self.box.port, "/join", wanted, self.newest)
        self.box.order(Press("ok", held=True))
        late = time.monotonic() + WHILE
        while not (is_in := self.claimed(phone)) and time.monotonic() < late:
            self.hear(0.01)
        return is_in

    def claimed(self, phone: Phone) -> bool:
        return phone.post(self.box.port, "/claim", {"command": self.new_id()}, self.newest).status == 200

    def end(self) -> None:
        """Leave everything as it is, and nothing running."""
        for phone in (*self.phones.values(), self.stranger):
            phone.close()
        self.box.kill()
        if self.hub is not None:
            self.hub.close()
        if self.has_begun:
            self.record.close()

    @property
    def reached(self) -> int:
        """The newest entry that was read."""
        return int(self.record.referee.at.seq) if self.has_begun else 0

    @property
    def suffers(self) -> str:
        """What befell it last."""
        return self.befell[-1][1] if self.befell else "the beginning"

    # What people do

    @property
    def is_over(self) -> bool:
        return self.record.now().result is not None

    def act(self) -> bool:
        """Somebody with a phone does something, once the game waits for one of them; False where it is over."""
        if self.dice.random() < LOOKS:
            self.look()
        self.put_right()
        now, seats = self.awaited()
        if not seats:
            return now.result is None
        seat = self.dice.choice(seats)
        intent = self.choose(now, seat)
        if self.dice.random() < HANDS and self.has_tags(intent):
            (self.carry if self.plan.mat else self.by_hand)(intent, now)
        else:
            if self.dice.random() < SHOWS:
                self.show(now, seat, intent)
            self.send(self.command(now, seat, intent))
        return True

    def awaited(self) -> Turn:
        """Wait until the game waits for somebody with a phone, or is over."""
        return self.until(self.turn, "the game waits for somebody")

    def turn(self) -> Turn | None:
        """None while it waits for bots."""
        now = self.record.now()
        seats = tuple(seat for seat in now.awaited if seat in self.phones)
        if seats or now.result is not None or self.put_right():
            return Turn(now, seats)
        return None

    def put_right(self) -> bool:
        """Where something lies astray, nobody can play: hands put everything where it belongs, as soon as readers work.

        Whether they could not do so now.
        """
        if not self.plan.mat or OUT_OF_STEP not in self.box.look().troubles:
            return False
        if not self.is_calm:
            return True
        self.until(self._is_in_step, "what lies wrong was put right, and the box has seen it")
        return False

    def _is_in_step(self) -> bool:
        self.box.order(Tidy())
        late = time.monotonic() + REST
        while OUT_OF_STEP in self.box.look().troubles and time.monotonic() < late:
            self.hear(0.02)
        return OUT_OF_STEP not in self.box.look().troubles

    def choose(self, now: Snapshot, seat: SeatId) -> Intent:
        """What a sensible or a careless person would do, and now and then anything that can be said."""
        dice, game = self.dice, self.kit.game
        if dice.random() < WILD:
            return self.wild(now, seat)
        bot = bot_of(game, dice.choice(("sensible", "random")))
        intent = chosen(game, bot, now.view(seat), seat, dice.randrange(1 << 30))
        assert intent is not None, f"{seat} is awaited and may do nothing"
        return intent

    def wild(self, now: Snapshot, seat: SeatId) -> Intent:
        """Anything that can be said with what this seat may know, sense or nonsense.

        Who names a card is answered about that card: so nobody names what they have never seen.
        """
        view, verbs = now.view(seat), [verb for verb in self.kit.game.verbs if not verb.chance]
        thought = list(thought_of(self.dice.choice(verbs), view, seat, ()))
        if thought and self.dice.random() < SENSE:
            return self.dice.choice(thought)
        return self.kit.wild(view, len(self.plan.names), self.dice)

    def by_hand(self, intent: Intent, now: Snapshot) -> None:
        """With taps and presses on the box: then it is recorded.

        Whoever sees nothing of it after a while goes back. Once nothing is spoilt any more they do it again: a card
        that was laid while something was may be told only now, and be taken for one of theirs.
        """
        if self._tries(intent, now) and self.is_calm:
            what = f"hands did {intent} on the box, and it is recorded"
            self.until(lambda: self.newest() > now.seq or self._tries_again(intent, now), what)

    def _tries(self, intent: Intent, now: Snapshot) -> bool:
        """False if hands do not know how."""
        is_done = self.box.order(Act(msgspec.Raw(msgspec.json.encode(intent)), now.seq)).is_done
        late = time.monotonic() + WHILE
        while is_done and self.newest() == now.seq and time.monotonic() < late:
            self.hear(0.01)
        if self.newest() == now.seq:
            self.box.order(Press("back"))
            self.box.order(Press("back"))
        return is_done

    def _tries_again(self, intent: Intent, now: Snapshot) -> bool:
        self.again += 1
        self._tries(intent, now)
        return self.newest() > now.seq

    def carry(self, intent: Intent, now: Snapshot) -> None:
        """Where readers lie under the table, a piece is carried to its place; the table finds out what that means.

        Where it finds nothing, the piece is taken back: one that lies astray would hold up the bots.
        """
        pointed = {token.kind: str(token.value) for token in mentions(intent)}
        if "piece" in pointed and "place" in pointed:
            self.box.order(Drop(pointed["piece"], pointed["place"]))
            late = time.monotonic() + REST
            while self.newest() == now.seq and time.monotonic() < late:
                self.hear(0.05)
            if self.newest() == now.seq:
                self.box.order(Drop(pointed["piece"], pointed["place"], back=True))

    def has_tags(self, intent: Intent) -> bool:
        """Whether hands can hold what it is about: nobody has a hidden card, or the tag of a seat that is not there."""
        there = {*self.kit.game.pieces(self.kit.pack), *range(len(self.plan.names))}
        return all(token.value in there for token in mentions(intent) if token.kind in ("piece", "seat"))

    def show(self, now: Snapshot, seat: SeatId, intent: Intent) -> None:
        """Photograph what an act is about; the sheet that comes of it may offer the act."""
        codes = codes_for(now, seat, intent)
        picture = photo_of(self.dice.choice(codes), self.dice) if codes else None
        if picture is not None:
            answer = self.phones[seat].show(self.box.port, f"/photo?command={self.new_id()}", picture, self.newest)
            self.photos += is_read(answer)
            self.offered += is_read(answer) and is_offered(answer.data, intent)

    def look(self) -> None:
        """Somebody looks at a page."""
        phone = self.dice.choice((*self.phones.values(), self.stranger))
        phone.get(self.box.port, self.dice.choice(PAGES), self.newest)

    def newest(self) -> int:
        return int(self.record.now().seq)

    # Commands

    def new_id(self) -> str:
        self._commands += 1
        return f"c-{self.plan.seed:08d}-{self._commands:06d}"

    def command(self, now: Snapshot, seat: SeatId, intent: Intent) -> Command:
        sent = Sent(self.new_id(), seat, intent)
        self.sent.append(sent)
        wish = {"type": "act", "intent": msgspec.to_builtins(intent)}
        asked = now.asked[seat] if seat != TABLE else 0
        return sent, {"command": sent.command, "asked": asked, "wish": wish, "table": now.table}

    def send(self, command: Command) -> Answer:
        """Send it, and note what it was answered."""
        sent, body = command
        answer = self.phones[sent.seat].post(self.box.port, "/command", body, self.newest)
        if answer.status in (200, 409):
            sent.seq = answer.seq
        return answer

    # Waiting

    def hear(self, seconds: float) -> None:
        """Take in what phones are told, for so long at most."""
        hub = () if self.hub is None else (self.hub,)
        everyone = (*self.phones.values(), self.stranger, *hub)
        ears = {each.ear: each for each in everyone if each.ear is not None}
        ready, _, _ = select.select([*ears], [], [], seconds)
        for each in {ears[ear] for ear in ready}.union(hub):  # what is encrypted may have come with what was read
            each.hear()

    def until(self, is_so: Callable[[], T | None], what: str) -> T:
        """Hear until it is so, and tell how; raises Stuck where it never is."""
        late = time.monotonic() + PATIENCE
        while not (found := is_so()):
            if time.monotonic() > late:
                raise Stuck(f"after {PATIENCE:g} s still not so: {what}; the box names {self.box.look().troubles}")
            self.hear(0.01)
        return found

    def screen(self) -> str:
        """What somebody has open."""
        return self.dice.choice(SCREENS)

    def awake(self) -> None:
        """Every phone listens, as pages do by themselves when their stream has ended."""
        for phone in self.phones.values():
            if phone.ear is None:
                phone.listen(self.box.port, self.screen())
        if self.stranger.ear is None:
            self.stranger.listen(self.box.port, "watch")
