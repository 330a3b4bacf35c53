"""How many taps a turn of U.S. Patent takes on a phone, by what its pages offer.

    python tests/campaigns/taps_a_turn.py [--evenings N] [--short] [--seed N]

Whole evenings of sensible bots, each act done the shortest way that the page of its seat has: a lit thing that is
done at once or a button in sight is one tap; a button in a fold, or on the sheet of a lit thing, is two; a number is as
many more as it takes to step there, at most three. What is typed for real dice is a tap, too. A way that the page
does not offer is an error. The set-up, which is in the first turn, is not counted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from flask.testing import FlaskClient
from msgspec import Struct, to_builtins

from companion.app.kit.kit import Kit
from companion.app.opening import load_texts
from companion.box import Box
from companion.core import TABLE, Intent, SeatId, verb_of
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Chair, Desk, Referee, Table
from web import create_app
from web.door import key_of

SEATS: Final = ("Ada", "Ben", "Chloé", "Dan")
AIM: Final = 3
HOST: Final = "box.test"
BASE: Final = f"http://{HOST}"
STEPS: Final = 3
"""A number that is more than this many steps away is typed instead."""
SHORT: Final = 4
"""Evenings after which the median of turns has settled: an attacker may sit at two of them."""


class Way(Struct, frozen=True):
    """A way to an act on a page: the act as it is sent, after how many taps, and the name of its number."""

    act: dict[str, Any]
    taps: int
    kind: str
    number: str = ""


class Ways(HTMLParser):
    """Finds the ways on one page; `sheets` are those of its lit things."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Way] = []
        self.sheets: list[str] = []
        self.asked = ""
        self._folds = 0
        self._form: Way | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        its = {name: value or "" for name, value in attrs}
        classes = its.get("class", "").split()
        self._folds += tag == "details"
        if tag == "a" and "lit" in classes:
            if "data-act" in its:
                self.found.append(Way(json.loads(its["data-act"]), 1, "touch"))
            else:
                self.sheets.append(its["href"])
        if tag == "form" and (wish := json.loads(its.get("data-wish", "{}"))).get("type") == "act":
            taps = 2 if self._folds else 1
            self._form = Way(wish["intent"], taps, "fold" if self._folds else "button")
            self.found.append(self._form)
        if tag == "input" and "data-number" in its and self._form is not None:
            self.found[-1] = Way(self._form.act, self._form.taps, "number", its["data-number"])

    def handle_endtag(self, tag: str) -> None:
        self._folds -= tag == "details"


def ways_of(html: str) -> Ways:
    ways = Ways()
    ways.feed(html)
    return ways


class Evening:
    """One game on four phones; `turns` has the taps of each turn, by kind."""

    def __init__(self, kit: Kit, seed: int, folder: Path, *, rolls: bool) -> None:
        self.kit, self.chance = kit, random.Random(seed)
        self.turns: dict[int, Counter[str]] = {}
        self._commands = iter(range(10**9))
        journal = Journal.open(folder / f"{seed}.{rolls}.db")
        self.referee = Referee.begin(kit.game, kit.setup(len(SEATS), seed), SEATS, "strict", journal, lambda: 0.0)
        for seat, name in enumerate(SEATS):
            self.referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        thrown = partial(_thrown, self.chance) if rolls else partial(_drawn, kit, self.chance)
        self.table = Table(Desk(self.referee, Tagbook(), Box(), thrown))
        self.table.start()
        self._app = create_app(self.table, load_texts(kit.game), None, (HOST,))

    def play(self) -> Iterator[Counter[str]]:
        try:
            while self.table.snapshot.result is None:
                self._step()
        finally:
            self.table.stop()
        return (taps for turn, taps in self.turns.items() if turn > 1)

    def _step(self) -> None:
        state = self.table.snapshot.state
        taps = self.turns.setdefault(state.turns, Counter())
        intent = self.kit.sensible_pick(state, self.chance)
        seat = state.turn if intent.actor == TABLE else intent.actor
        seat = next((s for s in range(len(SEATS)) if intent.actor == TABLE and self._types(s)), seat)
        phone = self._phone(seat)
        way, number = self._way(phone, intent)
        taps[way.kind] += way.taps + number
        asked, table = self.table.snapshot.asked[seat], self.referee.table
        wish = {"type": "act", "intent": to_builtins(intent)}
        body = {"command": f"c{next(self._commands):015}", "asked": asked, "table": table, "wish": wish}
        answer = phone.post("/command", base_url=BASE, json=body, headers={"X-Companion": "1", "Origin": BASE})
        assert answer.status_code == 200, f"{intent}: {answer.get_data(as_text=True)[:400]}"

    def _types(self, seat: int) -> bool:
        return 'class="keypad' in self._phone(seat).get("/seat", base_url=BASE).get_data(as_text=True)

    def _phone(self, seat: int) -> FlaskClient:
        client = self._app.test_client()
        client.set_cookie("companion-seat", f"phone-{seat}", domain=HOST)
        return client

    def _way(self, phone: FlaskClient, intent: Intent) -> tuple[Way, int]:
        """The shortest, and the extra taps for a number."""
        page = ways_of(phone.get("/seat", base_url=BASE).get_data(as_text=True))
        found = [(way, steps) for way in page.found if (steps := _steps(way, intent)) is not None]
        if not found or min(way.taps + steps for way, steps in found) > 2:
            for sheet in page.sheets:
                of_sheet = ways_of(
                    phone.get(sheet, base_url=BASE, headers={"X-Companion": "1"}).get_data(as_text=True)
                ).found
                here = ((Way(way.act, 2, "sheet", way.number), _steps(way, intent)) for way in of_sheet)
                found += [(way, steps) for way, steps in here if steps is not None]
        assert found, f"no way to {intent} on the page of its seat"
        return min(found, key=lambda each: each[0].taps + each[1])


def _steps(way: Way, intent: Intent) -> int | None:
    """How many taps its number takes; None if this isn't a way to the intent."""
    act, wanted = dict(way.act), to_builtins(intent)
    if not way.number:
        return 0 if act == wanted else None
    low, high = act.pop(way.number), wanted.pop(way.number)
    return min(high - low, STEPS) if act == wanted else None


def _thrown(chance: random.Random, candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    return chance.choices(candidates, weights)[0]


def _drawn(kit: Kit, chance: random.Random, candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent | None:
    """Cards are drawn, dice are typed."""
    if verb_of(kit.game, candidates[0]).is_typed:
        return None
    return _thrown(chance, candidates, weights)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=10)
    parser.add_argument("--short", action="store_true", help=f"{SHORT} evenings where the box rolls")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + (SHORT if options.short else options.evenings))
    kit, medians = Kit(shelf.open("us-patent")), {}
    for rolls in (True,) if options.short else (True, False):
        with tempfile.TemporaryDirectory() as folder:
            turns = [taps for seed in seeds for taps in Evening(kit, seed, Path(folder), rolls=rolls).play()]
        taps = [turn.total() for turn in turns]
        medians[rolls] = median(taps)
        told = "the box rolls" if rolls else "real dice"
        print(f"{told}: median {median(taps):g}, mean {mean(taps):.2f} taps in {len(turns)} turns")
        kinds = sum(turns, Counter[str]()).most_common()
        print("   a turn: " + ", ".join(f"{n / len(turns):.2f} {kind}" for kind, n in kinds))
    return 0 if medians[True] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
