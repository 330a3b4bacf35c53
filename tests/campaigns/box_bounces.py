"""Random bounce trains on the buttons: one press is one input, one hold is one hold, and nothing floods the table.

    python tests/campaigns/box_bounces.py [--short] [--trains N] [--seed N]

Each train has up to 20 edges within 5 ms at either end. Presses go through pretend pins, the product's own thread and
filter. Then a contact flaps for minutes and another one is stuck: what reaches the table stays few. The control
believes every edge and must be caught.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable

from companion.core import Input, Pressed
from hw.keys import buttons
from hw.keys.buttons import Buttons
from hw.keys.filter import HOLD, MANY, REPEAT, STUCK, Filter, Told
from hw.keys.jobs import BUTTONS, pin_of
from hw.pretend.pins import PretendFactory
from tests.hw.room import Inbox
from tests.patience import PATIENCE

BOUNCE = 0.005


class Hasty(Filter):
    """Believes every edge at once."""

    def edge(self, down: bool, at: float) -> tuple[Told, ...]:
        return (*super().edge(down, at), *super().tick(at + BOUNCE * 4))


class Still(PretendFactory):
    """Pins whose time advances only with the hands: a busy machine must not make a press longer than it was."""

    def ticks(self) -> float:  # type: ignore[override]
        return self._skipped


class Hands:
    """Fingers on bad contacts; time advances only when they say so."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.factory = Still()

    def move(self, button: str, down: bool) -> None:
        """Up to 20 edges within 5 ms; the last one stays."""
        pin = self.factory.pin(pin_of(button, buttons.WIRED))  # type: ignore[arg-type]
        edges = self._dice.randrange(1, 21)
        level = down if edges % 2 else not down
        for moment in sorted(self._dice.uniform(0, BOUNCE / edges) for _ in range(edges)):
            pin.touch(level)
            self.factory.skip(moment)
            level = not level
        pin.touch(down)

    def press(self, button: str) -> bool:
        """One press or hold; returns whether it was a hold. NEXT is held briefly enough not to repeat."""
        held = self._dice.random() < 0.3
        longest = HOLD + REPEAT - 3 * BOUNCE if button == "next" else STUCK / 2
        self.move(button, True)
        self.factory.skip(self._dice.uniform(HOLD + BOUNCE, longest) if held else self._dice.uniform(0.03, HOLD - 0.05))
        self.move(button, False)
        self.factory.skip(self._dice.uniform(0.05, 0.5))
        return held


def trains(count: int, seed: int, patience: float = PATIENCE) -> list[str]:
    """Whatever arrived differently from how it was pressed."""
    dice, inbox = random.Random(seed), Inbox()
    hands = Hands(dice)
    wanted: list[Input] = []
    with Buttons(inbox.put, hands.factory):
        for n in range(count):
            button = dice.choice(BUTTONS)
            wanted.append(Pressed(button, hands.press(button)))
            if n % 200 == 199:
                _wait(inbox, len(wanted), patience)
        _wait(inbox, len(wanted), patience)
    wrong = [f"press {n}: {a} became {b}" for n, (a, b) in enumerate(zip(wanted, inbox.inputs, strict=False)) if a != b]
    if len(inbox.inputs) != len(wanted):
        wrong.append(f"{len(wanted)} presses became {len(inbox.inputs)} inputs")
    return wrong


def _wait(inbox: Inbox, many: int, patience: float = PATIENCE) -> None:
    try:
        inbox.first(many, patience)
    except AssertionError:
        return


def flood(seconds: float, act: Callable[[Hands], None]) -> int:
    """How many inputs a faulty button makes in this many seconds."""
    inbox, hands = Inbox(), Hands(random.Random(1))
    with Buttons(inbox.put, hands.factory):
        begun = hands.factory.ticks()
        while hands.factory.ticks() - begun < seconds:
            act(hands)
        hands.factory.skip(5.0)
        hands.press("ok")
        _wait(inbox, 1)
    return len(inbox.inputs)


def flap(hands: Hands) -> None:
    hands.move("next", True)
    hands.factory.skip(0.03)
    hands.move("next", False)
    hands.factory.skip(0.03)


def stick(hands: Hands) -> None:
    hands.move("next", True)
    hands.factory.skip(1.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="10^3 trains")
    parser.add_argument("--trains", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = 1_000 if options.short else options.trains
    wrong = trains(count, options.seed)
    flapping, stuck = flood(120.0, flap), flood(120.0, stick)
    setattr(buttons, "Filter", Hasty)  # noqa: B010 - a build broken on purpose
    caught = bool(trains(50, options.seed, patience=2.0))
    most = max(MANY, round(STUCK / REPEAT)) + 4
    print(
        f"{count} presses and holds, up to 20 edges in 5 ms at either end: {len(wrong)} came otherwise. "
        f"Two minutes of flapping: {flapping} inputs; of being stuck: {stuck} (at most {most} each). "
        f"Control that believes every edge: {'caught' if caught else 'NOT CAUGHT'}."
    )
    for line in wrong[:10]:
        print("DIFFERS", line)
    return 1 if wrong or not caught or max(flapping, stuck) > most else 0


if __name__ == "__main__":
    sys.exit(main())
