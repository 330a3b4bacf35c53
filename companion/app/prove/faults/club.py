"""What happens between a table and its club."""

from __future__ import annotations

from companion.app.prove.evening import Evening
from companion.app.prove.hub import Hub

from .machine import down, restart
from .registry import NotNow, fault

_KNOWS = "the club shows what is so"


def _hub(evening: Evening) -> Hub:
    if evening.hub is None:
        raise NotNow("the table is in no club")
    return evening.hub


@fault("broker-goes", "the club's broker is killed, somebody plays on, and it is back", _KNOWS, in_club=True)
def _goes(evening: Evening) -> None:
    hub = _hub(evening)
    hub.broker.kill()
    evening.act()
    hub.broker.start()
    hub.leave()
    hub.listen()
    hub.knows()


@fault("broker-hangs", "the club's broker takes what comes and answers nobody for a while", _KNOWS, in_club=True)
def _hangs(evening: Evening) -> None:
    hub = _hub(evening)
    hub.broker.hang()
    try:
        evening.act()
    finally:
        hub.broker.go_on()
    hub.knows()


@fault("started-while-broker-hangs", "it starts while the club's broker answers nobody", _KNOWS, in_club=True)
def _starts(evening: Evening) -> None:
    hub = _hub(evening)
    hub.broker.hang()
    try:
        down(evening)
        restart(evening)
        evening.act()
    finally:
        hub.broker.go_on()
    hub.knows()


@fault("hub-goes", "the hub goes away, somebody plays on, and it is back", _KNOWS, in_club=True)
def _hub_goes(evening: Evening) -> None:
    hub = _hub(evening)
    hub.leave()
    evening.act()
    hub.listen()
    hub.knows()
