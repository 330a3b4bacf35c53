"""What happens to buttons and the dial."""

from __future__ import annotations

from companion.app.prove.evening import Evening
from companion.app.prove.orders import Jam, Press, Turn

from .registry import fault

_GOES_ON = "somebody acts, and it is recorded"


def _rest(evening: Evening) -> None:
    """Whatever dialog is open is left."""
    for _ in range(3):
        evening.box.order(Press("back"))
    evening.act()


@fault("button-bounces", "a button bounces at both ends of a press", _GOES_ON)
def _bounces(evening: Evening) -> None:
    evening.box.order(Press(evening.dice.choice(("check", "next", "back")), bounces=evening.dice.randrange(1, 20)))
    _rest(evening)


@fault("button-jams", "a button hangs, and is freed", _GOES_ON)
def _jams(evening: Evening) -> None:
    evening.box.order(Jam("next", down=True))
    evening.act()
    evening.box.order(Jam("next", down=False))
    _rest(evening)


@fault("dial-spins", "somebody plays with the dial", _GOES_ON)
def _spins(evening: Evening) -> None:
    for _ in range(evening.dice.randrange(1, 5)):
        evening.box.order(Turn(evening.dice.randint(-15, 15)))
    _rest(evening)


@fault("check-mid-turn", "somebody has the game checked in the middle of a turn", _GOES_ON)
def _check(evening: Evening) -> None:
    evening.box.order(Press("check", held=evening.dice.random() < 0.5))
    evening.box.order(Press("next"))
    _rest(evening)
