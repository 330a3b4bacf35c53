"""Evenings on the drawn pretend table, by dragging alone and by keys alone, in a real browser.

    python tests/campaigns/drawn_evenings.py [--acts N] [--short] [--only GAME] [--way drag|keys] [--seed N]

The game's bot says what is to be done; a hand does it on the page: a piece is picked up, a place that the page lights
takes it; a place is touched; a row of the box's list is chosen; OK is pressed where the box asks. Nothing else is used,
the page never scrolls (a tall picture does, inside its frame), and what the page lights must be what the rules allow.
A turn of U.S. Patent takes at most five clicks in the median; a drag is one. Control: a page that lights one place too
many or too few is caught.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Final, TypeAlias

sys.path.insert(0, str(Path(__file__).parents[2]))

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, ElementHandle, Page, sync_playwright

import companion.app.main
from companion.app.main import Options, Running
from companion.app.pretending import PretendTable
from companion.box import carrying
from companion.box import stack as stacks
from companion.box.hands import Tap, moves_for
from companion.box.stack import REST, Stack
from companion.core import TABLE, ChoosePage, Intent, Pressed, Token, Turned, legal, mask
from companion.table import Do, Held, Snapshot
from tests.chromium import CHROMIUM, launch, new_phone
from tests.patience import hear_out_slow_devices
from web.pretend.drawn import written
from web.pretend.screen import mark_of

GAMES: Final = ("us-patent", "timeline", "one-false-step", "actionworks")
NAMES: Final = ("Ada", "Ben", "Chloé")
WIDTH, HEIGHT = 1280, 800
MOST_CLICKS: Final = 5
SHOWN: Final = """([seq, rows]) => document.querySelector('#surface .code').textContent === seq
  && JSON.parse(document.querySelector('#rows button')?.dataset.body ?? '{"rows":""}').rows === rows"""
LIT: Final = """() => [...document.querySelectorAll('.th.lit')].map((el) => [el.dataset.token, el.dataset.at ?? ''])"""


DRAWN: Final = """() => [...document.querySelectorAll('.th')].map((el) => [el.dataset.token, el.dataset.at ?? ''])"""
FREE: Final = """(el) => {
  const { left, top, width, height } = el.getBoundingClientRect();
  const parts = [5, 4, 6, 3, 7, 2, 8, 1, 9];
  for (const y of parts) for (const x of parts) {
    const at = [left + width * x / 10, top + height * y / 10];
    const hit = document.elementFromPoint(...at)?.closest("[data-token], button, summary");
    if (hit === el || el.contains(hit)) return at;
  }
  return null;
}"""
BEYOND: Final = """(el) => {
  const pane = el.closest(".leaves.tall"), room = pane?.getBoundingClientRect(), lies = el.getBoundingClientRect();
  const up = pane?.scrollTop > 0 && lies.top < room.top + 24;
  const down = pane?.scrollTop + pane?.clientHeight < pane?.scrollHeight - 1 && lies.bottom > room.bottom - 24;
  return up || down ? [room.left + room.width / 2, up ? room.top + 4 : room.bottom - 4] : null;
}"""
"""The edge of the picture behind which a thing lies; null if it is in sight."""
TWICE, FAR = 310, 8
OFTEN: Final = 0.3
SHORT: Final = 4
FEW: Final = 5
"""Fewer turns than this say nothing about their median."""
MOST_OKS, MOST_STEPS = 3, 40
CONTROL: Final = 60
"""Acts within which a lie must be found out."""
PATIENCE: Final = 500
"""Checks, ten milliseconds apart, until a box that doesn't hear counts as deaf."""
Lie: TypeAlias = Callable[[frozenset[Token]], frozenset[Token]]


class Wrong(AssertionError):
    """The page did something other than the table."""


class Hand:
    """One hand on one page, by pointer or by keys. A drag is one click, and so is anything for which Enter is
    pressed.
    """

    def __init__(self, running: Running, page: Page, way: str) -> None:
        self._table, self._page, self._way, self.clicks = running.table, page, way, 0

    def find(self, token: Token, *, held: bool = False) -> ElementHandle | None:
        """The element that stands for a thing, where it can be reached."""
        name = written(token)
        wanted = f'[data-uid][data-token="{name}"]' if held else f'.th[data-token="{name}"], .th[data-at="{name}"]'
        return next((each for each in self._page.query_selector_all(wanted) if each.is_visible()), None)

    def click(self, element: ElementHandle) -> None:
        self.clicks += 1
        if self._way == "keys":
            element.focus()
            if element.evaluate("(el) => el.tabIndex") < 0:
                raise Wrong("no key reaches it")
            self._page.keyboard.press("Enter")
        else:
            self._page.wait_for_timeout(TWICE)  # people who tap faster mean only the first button
            self._page.mouse.click(*self._middle(element))

    def carry(self, held: ElementHandle, target: ElementHandle) -> None:
        """Drop a thing on another, after the page has asked what lights up for it."""
        if self._way == "keys":
            self.pick(held)
            target.focus()
            with self._heard():
                self._page.keyboard.press("Enter")
            self.clicks += 1
            return
        held.scroll_into_view_if_needed()  # in a tall picture, as with a mouse wheel
        x, y = self._middle(held)
        self._page.mouse.move(x, y)
        self._page.mouse.down()
        self._page.mouse.move(x + FAR, y + FAR)
        with self._heard():
            self._bring(target)
            self._page.wait_for_function(f"(el) => ({FREE})(el) !== null", arg=target)  # open heaps make way
            self._page.mouse.move(*self._middle(target), steps=3)
            self._page.mouse.up()
        self.clicks += 1

    def _bring(self, target: ElementHandle) -> None:
        """A tall picture scrolls under what is held at its edge."""
        beyond = target.evaluate(BEYOND)
        if beyond is not None:
            self._page.mouse.move(*beyond, steps=3)
            self._page.wait_for_function(f"(el) => ({BEYOND})(el) === null", arg=target)
            self._page.mouse.move(beyond[0], HEIGHT / 2)  # away from the edge: it stays still

    def pick(self, held: ElementHandle) -> None:
        held.focus()
        with self._page.expect_response("**/pretend/carry*"):
            self._page.keyboard.press("Enter")
        self._page.wait_for_function("() => document.querySelector('#told').textContent")

    def press(self, name: str) -> None:
        found = self._page.wait_for_selector(f"#{name}")  # the box may be showing what was done
        assert found is not None, name
        self.touch(found)

    def touch(self, element: ElementHandle) -> None:
        with self._heard():
            self.click(element)

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Until the box has heard what was done and has nothing left to handle."""
        before = self._table.snapshot
        with self._page.expect_response(lambda response: response.request.method == "POST"):
            yield
        self._page.wait_for_selector("body:not(.holding)")
        for _ in range(PATIENCE):
            if self._table.snapshot is not before and self._table._inbox.empty() and self._table._busy_since is None:
                return
            self._page.wait_for_timeout(10)

    def _middle(self, element: ElementHandle) -> tuple[float, float]:
        """A point where a finger meets the thing itself, as close to its middle as possible."""
        point = element.evaluate(FREE)
        if point is None:
            raise Wrong(f"no finger reaches {element.evaluate('(el) => el.id')}")
        return point[0], point[1]


class Evening:
    """One game on the page of a running companion."""

    def __init__(self, running: Running, page: Page, way: str, chance: random.Random) -> None:
        self._running, self._page, self._chance = running, page, chance
        self._hand = Hand(running, page, way)
        self.turns: list[int] = []
        self.ways = Counter[str]()

    def play(self, acts: int) -> int:
        """At most this many acts; returns how many there were."""
        done, turn, before = 0, self._turn, 0
        while done < acts and self.now.result is None:
            now = self.now
            self._act(now)
            if self.now.seq == now.seq:
                raise Wrong(f"nothing came of {self._wish} at {now.seq}; the box shows {self.now.page}")
            done += 1
            if self._turn != turn:
                turn, spent = self._turn, self._hand.clicks - before
                before = self._hand.clicks
                self.turns.append(spent)
        return done

    @property
    def now(self) -> Snapshot:
        return self._running.table.snapshot

    @property
    def _turn(self) -> object:
        """Changes when a turn is over; One False Step has days instead."""
        state = self.now.state
        return getattr(state, "turns", None) or (getattr(state, "day", ""), self.now.awaited[:1])

    def _caught_up(self) -> None:
        """Wait until the page is up to date."""
        pretend = self._running.pretend
        assert pretend is not None
        self._page.wait_for_function(SHOWN, arg=[f"#{self.now.seq}", mark_of(pretend.surface().rows)])

    def _act(self, now: Snapshot) -> None:
        self._caught_up()
        self._wish = intent = self._wanted(now)
        known = carrying.meanings(now)
        mine = next((meant for meant in known if meant.intent == intent), None)
        if mine is None or not (self._dropped(now, known, mine) or self._touched(now, known, mine)):
            self._by_box(intent)
        for _ in range(MOST_OKS):
            if self.now.seq > now.seq:
                return
            if isinstance(self.now.page, ChoosePage):  # a card that the box may not name is laid after the place
                self._by_box(intent)
            else:
                self._hand.press("press-ok")

    def _wanted(self, now: Snapshot) -> Intent:
        game, seat = now.game, now.awaited[0]
        assert seat != TABLE, "the box rolls and draws by itself"
        view = mask(now.state, seat)
        chosen: Intent = game.bot(view, seat, legal(game, view, seat), self._chance.randrange(1 << 16))
        return chosen

    def _dropped(self, now: Snapshot, known: carrying.Meanings, mine: carrying.Meant) -> bool:
        """Carry one of its pieces to one of its places, where that means nothing else."""
        pawn = Token("seat", mine.intent.actor)
        for held in (pawn, *sorted((t for t in mine.things if t.kind == "piece"), key=written)):
            goals = sorted(carrying.lit((mine,), held), key=written)
            for on in (each for each in goals if each.kind == "place" and self._is(now, known, held, each, mine)):
                piece, place = self._hand.find(held, held=True), self._hand.find(on)
                if piece is not None and place is not None:
                    self._check_lit(known, held, piece)
                    self._hand.carry(piece, place)
                    self.ways["carried"] += 1
                    return True
        return False

    def _check_lit(self, known: carrying.Meanings, held: Token, piece: ElementHandle) -> None:
        """Every now and then: what the page lights is exactly what the rules allow."""
        if self._chance.random() > OFTEN:
            return
        self._hand.pick(piece)
        lit = {written(each) for each in carrying.lit(known, held)}
        shown = [set(pair) for pair in self._page.evaluate(LIT)]
        drawn = {token for pair in self._page.evaluate(DRAWN) for token in pair} - {written(held)}
        self._page.keyboard.press("Escape")
        missing = [token for token in lit & drawn if not any(token in pair for pair in shown)]
        extra = [pair for pair in shown if not lit & pair]
        if missing or extra:
            raise Wrong(f"for {held} the page lights {extra} too many, {missing} too few")

    def _touched(self, now: Snapshot, known: carrying.Meanings, mine: carrying.Meant) -> bool:
        for on in sorted((t for t in mine.things if t.kind != "piece"), key=written):
            place = self._hand.find(on) if self._is(now, known, None, on, mine) else None
            if place is not None and place.evaluate("(el) => el.matches('.may:not([data-uid])')"):
                self._hand.touch(place)
                self.ways["touched"] += 1
                return True
        return False

    def _is(self, now: Snapshot, known: carrying.Meanings, held: Token | None, on: Token, mine: carrying.Meant) -> bool:
        """Whether it means exactly this."""
        alike = [each for each in carrying.about(known, held) if on in carrying.lit((each,), held)]
        return alike == [mine] and bool(carrying.inputs(now, REST, known, held, on))

    def _by_box(self, intent: Intent) -> None:
        """Rows, readers and buttons, in the order of the box's own list: the quickest way."""
        self.ways["listed"] += 1
        before = self.now.seq
        for _ in range(MOST_STEPS):
            if self.now.seq > before:
                return
            self._caught_up()
            row, moves = self._best_row(intent), moves_for(self.now, intent, self._stack) or ()
            if row is not None and row[0] <= len(moves):
                self._hand.press(f"row-{row[1]}")
                continue
            match moves[0] if moves else Pressed("ok"):
                case Turned(steps=steps):
                    self._hand.press("dial-right" if steps > 0 else "dial-left")
                case Tap(token=token):
                    self._laid(token)
                case Pressed(button=button):
                    self._hand.press(f"press-{button}")

    @property
    def _stack(self) -> Stack:
        pretend = self._running.pretend
        assert isinstance(pretend, PretendTable)
        return pretend._dialogs.stack

    def _best_row(self, intent: Intent) -> tuple[int, int] | None:
        """How many inputs remain after the best row, and which row that is."""
        now, found = self.now, []
        for at, steps in enumerate(carrying.rows(now).steps):
            turned = stacks.turn(now, self._stack, steps) if steps else self._stack
            after, wish = stacks.press(now, turned, "ok", False)
            left = () if isinstance(wish, Do) and wish.intent == intent else moves_for(now, intent, after)
            if left is not None and (wish is None or left == ()):
                found.append((1 + len(left), at))
        return min(found, default=None)

    def _laid(self, token: Token) -> None:
        """On a reader; things in a heap are taken out first, and a place is touched where it is drawn."""
        piece, place = self._hand.find(token, held=True), self._hand.find(token)
        if piece is None and token.kind == "place" and place is not None:
            self._hand.touch(place)
            return
        if piece is None:  # perhaps the page is still being drawn
            self._page.wait_for_selector(f'[data-token="{written(token)}"]', state="attached")
            piece = self._hand.find(token, held=True)
        if piece is None:
            fold = self._page.query_selector(f'details:has([data-token="{written(token)}"]) > summary')
            assert fold is not None, token
            self._hand.click(fold)
            piece = self._hand.find(token, held=True)
        reader = self._page.query_selector(".lay-here")
        assert piece is not None
        assert reader is not None
        self._hand.carry(piece, reader)


@contextmanager
def evening(opens: Callable[[], Browser], game: str, way: str, seed: int) -> Iterator[Evening]:
    """With its own browser: a busy Chromium may take forever to close just a context."""
    chance = random.Random(f"{game}{way}{seed}")
    companion.app.main.pick_by_weight = lambda candidates, weights: chance.choices(candidates, weights)[0]  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as data, pytest.MonkeyPatch.context() as patch:
        hear_out_slow_devices(patch)
        options = Options(Path(data), game, NAMES, pretend=True, port=0)
        with companion.app.main.companion(options, tell=lambda _line: None) as running, closing(opens()) as browser:
            page = new_phone(browser, WIDTH, HEIGHT).new_page()
            page.goto(f"http://127.0.0.1:{running.port}/pretend")
            page.click("#guide-close")
            page.wait_for_selector("#guide-again")
            yield Evening(running, page, way, chance)


def is_caught(opens: Callable[[], Browser], lie: Lie) -> bool:
    """Whether a build that lights differently is found out within a few turns."""
    honest = PretendTable.carry

    def carry(self: PretendTable, held: Token) -> Held:
        found = honest(self, held)
        return replace(found, lit=lie(found.lit))

    PretendTable.carry = carry  # type: ignore[method-assign]
    try:
        with evening(opens, "us-patent", "drag", 1) as played:
            played.play(CONTROL)
    except Wrong as wrong:
        print("   control:", wrong)
        return True
    finally:
        PretendTable.carry = honest  # type: ignore[method-assign]
    return False


def one_too_few(lit: frozenset[Token]) -> frozenset[Token]:
    return lit - {min(lit, key=written)} if len(lit) > 1 else lit


def one_too_many(lit: frozenset[Token]) -> frozenset[Token]:
    return lit | {Token("place", "0/mechanic"), Token("place", "0/office")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=int, default=400)
    parser.add_argument("--short", action="store_true", help="four acts of each game, without the control")
    parser.add_argument("--only", choices=GAMES)
    parser.add_argument("--way", choices=("drag", "keys"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not CHROMIUM.exists():
        print("needs Chromium: apt-get install chromium")
        return 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        opens = partial(launch, playwright, Path(folder))
        wrong = False
        for at, game in enumerate((options.only,) if options.only else GAMES):
            ways = ("drag", "keys") if not options.short else ("drag", "keys")[at % 2 :][:1]
            for way in (options.way,) if options.way else ways:
                wrong |= not told(opens, game, way, SHORT if options.short else options.acts, options.seed)
        if not options.short:
            wrong |= not all(is_caught(opens, lie) for lie in (one_too_few, one_too_many))
    return int(wrong)


def told(opens: Callable[[], Browser], game: str, way: str, acts: int, seed: int) -> bool:
    """Play one evening and report it; returns whether all was well."""
    with evening(opens, game, way, seed) as played:
        done = played.play(acts)
        ways = ", ".join(f"{n} {name}" for name, n in played.ways.most_common())
        ended = "over" if played.now.result is not None else "not over"
        print(f"{game:14} {way}: {done} acts ({ways}), the game {ended}", flush=True)
        turns = played.turns[1:]  # the first includes the set-up
    if len(turns) < FEW:
        return True
    print(f"   {len(turns)} turns: median {median(turns):g}, mean {mean(turns):.1f} clicks")
    return game != "us-patent" or median(turns) <= MOST_CLICKS


if __name__ == "__main__":
    sys.exit(main())
