"""Games that bots play by themselves, without a table: what `companion sim` counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from companion.core import TABLE, Game, Intent, Refused, SeatId, Setup, judge, legal, mask
from companion.library import shelf

from .bots import Kind, bot_of, chosen
from .opening import make_setup

MOST_ACTS: Final = 5000
"""A game that is not over by then is abandoned: people would have gone to bed."""
_DIE: Final = 1 << 30


class Order(Struct, frozen=True):
    """What to play: the game, the number of seats, the kind of bots, the seed."""

    game: str
    seats: int
    bot: Kind
    seed: int
    most: int = MOST_ACTS


class Played(Struct, frozen=True):
    """How one game went. `numbers` are those of the report (`Game.series`) at its end."""

    is_over: bool
    acts: int
    turns: int
    winners: tuple[SeatId, ...]
    numbers: tuple[tuple[str, tuple[int | None, ...]], ...]
    refused: tuple[str, ...] = ()


def play(order: Order) -> Played:
    """One game from its seed: the same seed gives the same game."""
    game = shelf.open(order.game)
    return _play(game, make_setup(game, order.seats), order)


def _play(game: Game[Any, Any], setup: Setup[Any], order: Order) -> Played:
    dice = random.Random(order.seed)  # noqa: S311 - a game that can be played again, no secret
    bot = bot_of(game, order.bot)
    state = game.start(setup)
    acts = turns = 0
    last: SeatId | None = None
    refused: list[str] = []
    while acts < order.most and (asked := game.decisions(state)):
        seat = dice.choice(asked[-1].seats)
        intent = _fallen(game, state, dice) if seat == TABLE else _chosen(game, bot, state, seat, dice)
        if intent is None:
            break
        verdict = judge(game, state, intent)
        if isinstance(verdict, Refused):
            refused.append(verdict.refusals[0].rule)
            break
        state = verdict.after
        if seat != TABLE:
            acts += 1
            turns += seat != last
            last = seat
    result = game.result(state)
    numbers = tuple((line.key, line.values) for line in game.series(state))
    return Played(result is not None, acts, turns, result.winners if result else (), numbers, tuple(refused))


def _fallen(game: Game[Any, Any], state: Any, dice: random.Random) -> Intent | None:
    candidates = legal(game, state, TABLE)
    weights = [game.weight(state, candidate) for candidate in candidates]
    return dice.choices(candidates, weights)[0] if candidates else None


def _chosen(game: Game[Any, Any], bot: Any, state: Any, seat: SeatId, dice: random.Random) -> Intent | None:
    return chosen(game, bot, mask(state, seat), seat, dice.randrange(_DIE))


def summary(order: Order, games: Iterable[Played]) -> Iterator[str]:
    """The table of results, one row per seat."""
    played = tuple(games)
    over = [one for one in played if one.is_over]
    yield f"{order.game}, {order.seats} seats, {order.bot} bots, {len(played)} games from seed {order.seed}"
    yield f"over: {len(over)}   given up after {order.most} acts or stuck: {len(played) - len(over)}"
    if not over:
        return
    yield "numbers: lowest … middle … highest"
    yield f"acts:  {_spread([one.acts for one in over])}"
    yield f"turns: {_spread([one.turns for one in over])}"
    kept = {key: [dict(one.numbers)[key] for one in over] for key, _ in over[0].numbers}
    whole = {key: values for key, values in kept.items() if len(values[0]) != order.seats}
    for key, values in whole.items():
        yield f"{_called(key)}: {_spread([value for value, *_ in values])}"
    shares = Counter(seat for one in over for seat in one.winners)
    keys = [key for key in kept if key not in whole]
    yield "  ".join(("seat", "won     ", *(f"{_called(key):<24}" for key in keys))).rstrip()
    for seat in range(order.seats):
        numbers = (_spread([values[seat] for values in kept[key]]) for key in keys)
        won = f"{100 * shares[SeatId(seat)] / len(over):5.1f} %"
        yield "  ".join((f"{seat + 1:>4}", f"{won:<8}", *(f"{n:<24}" for n in numbers))).rstrip()
    broken = Counter(rule for one in played for rule in one.refused)
    yield f"refused: {', '.join(f'{rule} {n}' for rule, n in sorted(broken.items())) or 'nothing'}"


def _called(key: str) -> str:
    return key.removeprefix("series.")


def _spread(given: Sequence[int | None]) -> str:
    """Over the games that had the number at the end."""
    numbers = sorted(number for number in given if number is not None)
    return f"{numbers[0]} … {numbers[len(numbers) // 2]} … {numbers[-1]}" if numbers else "none"
