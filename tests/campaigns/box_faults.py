"""A fault at every single call of every device, one at a time, during a scripted game: the same result as without.

    python tests/campaigns/box_faults.py [--short] [--acts N] [--game ID]

Display, buttons, dial, lamp and buzzer are the product's own on pretend pins and a pretend chip. First an evening is
played with nothing wrong and the calls of each device are counted; then it is played again for each of them, and that
call fails. Entries, state and inputs must be equal. The control is a box whose buttons lose a press after a fault.
"""

from __future__ import annotations

import argparse
import logging
import queue
import sys
from collections.abc import Iterator
from typing import Any

from companion.library import shelf
from hw.keys.buttons import Buttons
from tests.hw.evening import Evening
from tests.hw.faults import DEVICES, Faults, played


def calls_of(game: str, device: str, acts: int) -> int:
    faults = Faults()
    played(game, device, faults, acts)
    return faults.calls


def tried(game: str, device: str, ats: list[int], acts: int, truth: tuple[int, str, int]) -> Iterator[str]:
    """The calls whose fault made a difference."""
    for n, at in enumerate(ats):
        try:
            result: object = played(game, device, Faults(at), acts)
        except (AssertionError, queue.Empty) as error:
            result = repr(error)
        if result != truth:
            yield f"{device}, call {at}: {result}"
        print(f"\r{device}: {n + 1} of {len(ats)} calls", end="", file=sys.stderr, flush=True)


def control_is_caught(game: str, acts: int, truth: tuple[int, str, int]) -> bool:
    """Buttons that give up after their first fault must be noticed."""
    real, patience = Buttons._look_safely, Evening.patience

    def gives_up(self: Any) -> None:
        if not self._failed:
            real(self)

    Buttons._look_safely = gives_up  # type: ignore[method-assign]
    Evening.patience = 2.0
    try:
        return any(tried(game, "buttons", list(range(38, 46)), acts, truth))
    finally:
        Buttons._look_safely = real  # type: ignore[method-assign]
        Evening.patience = patience


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="some calls of each device")
    parser.add_argument("--acts", type=int, default=30)
    parser.add_argument("--game", default=shelf.games()[0])
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    sys.unraisablehook = lambda _: None  # gpiozero closes forgotten devices late, where a fault harms nobody
    truth = played(options.game, "display", Faults(), options.acts)
    wrong, total = list[str](), 0
    for device in DEVICES:
        calls = calls_of(options.game, device, options.acts)
        ats = list(range(1, calls + 1, max(calls // 3, 1) if options.short else 1))
        wrong += tried(options.game, device, ats, options.acts, truth)
        total += len(ats)
        print(f": {calls} calls in all", file=sys.stderr)
    caught = control_is_caught(options.game, options.acts, truth)
    print(
        f"{options.game}, {truth[2]} inputs: {total} faults, one at a time, {len(wrong)} with another result. "
        f"Control whose buttons give up: {'caught' if caught else 'NOT CAUGHT'}."
    )
    for line in wrong[:20]:
        print("DIFFERS", line)
    return 1 if wrong or not caught else 0


if __name__ == "__main__":
    sys.exit(main())
