"""The machine under the box, and the questions of a box that has never played, whose answers are kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Any

from msgspec.structs import replace

from companion.box import BUTTONS, FirstRun, Offers
from companion.core import AcceptedPage, Button, Said, Stick, WifiPage
from companion.library import ButtonPins, Lang, Settings, Speaker, TurnClock, load_settings, save_settings
from companion.table import Machine, OnShelf, Referee, Snapshot, Table

from . import hotspot, service
from .clock import Clock, Timekeeper, has_no_zone, use_zone
from .network import Network
from .opening import games_on_shelf, load_texts
from .stick import Sticks
from .unreached import Unreached, provide


class Spoken:
    """The language of the box, which the first run asks for."""

    def __init__(self, lang: Lang) -> None:
        self.lang: Lang = lang

    def words_on(self, snapshot: Snapshot) -> int:
        """How many words the display says about the last act."""
        page = snapshot.flash
        if not isinstance(page, AcceptedPage):
            return 0
        speaker = Speaker(load_texts(snapshot.game), self.lang, snapshot.names())
        return sum(len(speaker.say(line).split()) for line in page.lines)


def first_run(chosen: Settings, referee: Referee, spoken: Spoken, network: Network | None) -> FirstRun:
    """The questions of a box that has never played."""

    def names(seats: int) -> tuple[str, ...]:
        speaker = Speaker(load_texts(referee.game), spoken.lang)
        return tuple(speaker.key("first.seat", n=seat + 1) for seat in range(seats))

    def games(seats: int) -> tuple[OnShelf, ...]:
        return games_on_shelf(spoken.lang)(referee.game.id, seats)

    own = (lambda: True) if network is None else network.is_own
    return FirstRun(Offers(games, names, chosen.mode, own), all_buttons=None not in _pins(chosen).values())


def _pins(chosen: Settings) -> dict[Button, Any]:
    return {button: getattr(chosen.buttons, button) for button in BUTTONS}


def network(data: Path, tell: Callable[[Said | None], None]) -> Network | None:
    """The Wi-Fi of this machine; None if we do not run as a service."""
    folder = service.folder()
    if folder is None:
        return None
    provide(data)
    own = hotspot.load(data)
    return Network(folder, "" if own is None else own.name, tell)


def machine(data: Path, chosen: Settings, spoken: Spoken, network: Network | None, clock: Clock) -> Machine:
    """What can be asked of this machine; switching it off only if we run as a service. Answers are kept."""
    own = hotspot.load(data)
    wifi = None if own is None else WifiPage(own.name, own.password, own.code)
    open_wifi = network.open_own if wifi and network else None

    def save(**answers: Any) -> None:
        save_settings(data, replace(load_settings(data), **answers))

    def speak(lang: Lang) -> None:
        spoken.lang = lang
        save(language=lang)

    def wire(keys: tuple[Button, ...]) -> None:
        pins = _pins(chosen)
        save(buttons=ButtonPins(**{button: pins[key] for button, key in zip(BUTTONS, keys, strict=True)}))

    def keep_clock(clock: TurnClock) -> None:
        save(clock=clock)

    def hear_time(now: float, zone: str) -> None:
        clock.hint(now)
        if has_no_zone() and use_zone(zone):
            save(time_zone=zone)

    use_zone(chosen.time_zone)
    folder = service.folder()
    return Machine(
        service.way_to(service.SWITCH_OFF),
        *(open_wifi, wifi),
        use_stick=None if folder is None else Sticks(folder, lambda _stick, _said: None).use,
        speak=speak,
        wire=wire,
        keep_clock=keep_clock,
        hear_time=None if folder is None else hear_time,  # an ordinary computer has a clock of its own
    )


def keep_time(stack: ExitStack, table: Table) -> None:
    """Watch the turn clock until the stack is closed."""
    keeper = Timekeeper(table)
    keeper.start()
    stack.callback(keeper.close)


def watch_network(stack: ExitStack, network: Network | None, is_reachable: Callable[[], bool]) -> None:
    """Open the box's own Wi-Fi if no other lets it in, until the stack is closed."""
    if network is not None and network.has_own:
        watching = Unreached(is_reachable, network.open_own)
        watching.start()
        stack.callback(watching.close)


def watch_sticks(stack: ExitStack, tell: Callable[[Stick | None, Said | None], None]) -> None:
    """Watch for USB sticks until the stack is closed; without systemd there are none."""
    folder = service.folder()
    if folder is None:
        return
    sticks = Sticks(folder, tell)
    thread = Thread(target=sticks.run, name="sticks", daemon=True)
    thread.start()
    stack.callback(thread.join)
    stack.callback(sticks.close)
