"""How many inputs a turn of U.S. Patent takes beyond what hands move anyway, on each of its mats.

    python tests/campaigns/inputs_a_turn.py [--evenings N] [--short] [--seed N]

Whole evenings of sensible bots, carried out by hands. A movement that the game asks for anyway is no input: a card
laid into the slot of its machine, or into a Market with a reader; a pawn that comes to stand on one. Everything
else is: a card that only passes by a reader, a tag of a number or a space, a press of a button, a turn of the dial by
however many steps. What is moved is read as what was meant, or it is an error. The set-up, which is in the first turn,
is not counted.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app.kit.kit import Kit
from companion.box import hands
from companion.box.hands import Tap, tag_of
from companion.core import TABLE, Intent, Lies, Mat, PieceId, PlaceId, Pressed, ReaderId, Tapped, Token, legal, verb_of
from companion.core.legality import carry_out
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import TO_LAB, TO_MARKET, Moving
from companion.library import pretend_uid, shelf
from companion.table.letters import handle
from tests.campaigns._moving import MovedTable

SEATS: Final = 4
AIM: Final = 2.5
LIMITED: Final = ("turn", True)
TAGGED: Final = 12
"""The highest number that has a tag."""
LONGEST: Final = 4
"""Acts that one movement may express: roll, go, look, take."""


class Evening:
    """One game on one mat; `turns` has the inputs of each turn, by kind."""

    def __init__(self, kit: Kit, table: MovedTable, chance: random.Random) -> None:
        self.kit, self.table, self.chance = kit, table, chance
        self.turns: dict[int, Counter[str]] = {}
        self.trays = {place: reader for reader, place in table.desk.trays.items()}
        self.watched = set(table.desk.hands.sight.zones.values())

    def play(self) -> list[Counter[str]]:
        self.table.desk.let_chance_play()
        while self.table.desk.referee.at.result is None:
            self.turns.setdefault(self.table.state.turns, Counter())
            self._step()
            self.table.check()
            assert not self.table.desk.hands.astray, self.table.desk.hands.repairs
            self.table.do_what_is_owed()
        return [inputs for turn, inputs in self.turns.items() if turn > 1]

    def _step(self) -> None:
        """What is done next, by whatever hands need for it."""
        state = self.table.state
        seq, plan = self.table.desk.referee.at.seq, self._plan(state)
        count, moved = self._movement(state, plan)
        if moved:
            self.table.move(moved)
            self.table.rest()
        elif isinstance(plan[0], i.Drew) and len(plan) > 1 and (tray := self._tray(plan[1])):
            self._tap(Token("piece", plan[0].card), tray, "card on a tray")
            count = 2
        else:
            count = 1
            self._tell(plan[0])
        done = [each for each in self.table.done_since(seq) if not self._is_rolled_by_box(each)]
        if moved and not done:
            self._tell(plan[0])
            return
        assert done == plan[:count], f"{plan[:count]} was read as {done}"

    def _plan(self, state: Any) -> list[Intent]:
        """What is done next, up to the first act that moves or turns a card; a researched one is also laid
        somewhere.
        """
        plan: list[Intent] = []
        cards = self._cards(state)
        while len(plan) < LONGEST and self.kit.game.decisions(state):
            intent = self._chosen(state)
            if plan and intent.actor != plan[-1].actor and not isinstance(plan[-1], i.Drew):
                break
            plan.append(intent)
            state = carry_out(self.kit.game, state, verb_of(self.kit.game, intent), intent)[1]
            if not isinstance(intent, i.Drew) and self._cards(state) != cards:
                break
        return plan

    def _cards(self, state: Any) -> frozenset[Lies]:
        beside = self.kit.game.beside(self.kit.pack)
        return frozenset(lies for lies in self.kit.game.layout(state) if lies.piece not in beside)

    def _chosen(self, state: Any) -> Intent:
        chosen = self.kit.sensible_pick(state, self.chance)
        is_roll = isinstance(chosen, i.Roll) and isinstance(state.steps[-1], Moving)
        rolls = legal(self.kit.game, state, TABLE) if is_roll else ()
        if rolls and self.table.dice is None:  # entering the die also says that it was rolled
            rolled = self.chance.choices(rolls, [self.kit.game.weight(state, roll) for roll in rolls])[0]
            return rolled if getattr(rolled, "number", 0) <= TAGGED else chosen
        return chosen

    def _is_rolled_by_box(self, intent: Intent) -> bool:
        return self.table.dice is not None and verb_of(self.kit.game, intent).is_typed

    def _watched(self, state: Any) -> dict[PieceId, PlaceId]:
        """What lies where a reader sees it; a pawn on a reader is seen, too."""
        seen = self.watched | set(self.trays)
        return {piece: place for piece, place in self.table.layout(state).items() if place in seen}

    def _movement(self, state: Any, plan: list[Intent]) -> tuple[int, dict[PieceId, PlaceId]]:
        """How many acts of the plan this movement is read as."""
        now = state
        for count, intent in enumerate(plan, 1):
            after = carry_out(self.kit.game, now, verb_of(self.kit.game, intent), intent)[1]
            came = dict(self._watched(after).items() - self._watched(state).items())
            if came and self._is_readable(plan[:count]):
                there, here = self.table.layout(after), self.table.layout(state)
                return count, {piece: place for piece, place in there.items() if here.get(piece) != place}
            now = after
        return 0, {}

    def _is_readable(self, plan: list[Intent]) -> bool:
        """Whether a movement also expresses the acts before it: dice say nothing, and a researched card is laid."""
        return not any(verb_of(self.kit.game, each).is_typed for each in plan)

    def _tray(self, intent: Intent) -> ReaderId | None:
        place = {i.PlaceInLab: TO_LAB, i.PlaceInMarket: TO_MARKET}.get(type(intent))
        return None if place is None else self.trays.get(place)

    # What is counted

    def _tell(self, intent: Intent) -> None:
        desk, number = self.table.desk, getattr(intent, "number", 0)
        if intent.actor == TABLE and 0 < number <= TAGGED:
            self._tap(Token("number", number), None, "number")
            return
        moves = hands.moves_for(desk.snapshot, intent, self.table.box.stack)
        assert moves is not None, f"no way to {intent} on the box"
        for move in moves:
            if isinstance(move, Tap):
                self._tap(move.token, None, move.token.kind)
            else:
                self._count(f"press {move.button}" if isinstance(move, Pressed) else "dial")
                handle(desk, move)
                desk.draw()

    def _tap(self, token: Token, reader: ReaderId | None, kind: str) -> None:
        self._count(kind)
        uid = pretend_uid(tag_of(self.kit.game.id, token))
        handle(self.table.desk, Tapped(uid, reader or ReaderId("r01")))
        self.table.desk.draw()

    def _count(self, kind: str) -> None:
        self.turns[max(self.turns)][kind] += 1


def thrown(chance: random.Random, candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    return chance.choices(candidates, weights)[0]


def evenings(kit: Kit, mat: Mat, seeds: range, *, rolls: bool) -> Iterator[Counter[str]]:
    for seed in seeds:
        chance = random.Random(f"{seed}{mat.name}")
        dice = partial(thrown, chance) if rolls else None
        with MovedTable(kit.game, kit.setup(SEATS, seed), mat, chance, dice) as table:
            yield from Evening(kit, table, chance).play()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=20)
    parser.add_argument("--short", action="store_true", help="two evenings for the mat with a limit")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + (2 if options.short else options.evenings))
    kit = Kit(shelf.open("us-patent"))
    medians: dict[tuple[str, bool], float] = {}
    for mat in kit.game.mats(SEATS):
        for rolls in (False, True):
            if options.short and (mat.name, rolls) != LIMITED:
                continue
            turns = list(evenings(kit, mat, seeds, rolls=rolls))
            inputs = [turn.total() for turn in turns]
            medians[mat.name, rolls] = median(inputs)
            told = f"{mat.name:6} {len(mat.spots):2} readers, {'the box rolls' if rolls else 'real dice'}"
            print(f"{told}: median {median(inputs):g}, mean {mean(inputs):.2f} inputs in {len(turns)} turns")
            kinds = sum(turns, Counter[str]()).most_common()
            print("   a turn: " + ", ".join(f"{n / len(turns):.2f} {kind}" for kind, n in kinds))
    return 0 if medians[LIMITED] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
