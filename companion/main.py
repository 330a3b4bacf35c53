"""The composition root: builds every part, starts them in order, stops them in reverse."""

from __future__ import annotations

import contextlib
import gc
import logging
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click
from msgspec import Struct
from msgspec.structs import replace

from companion import changeover, first_light, hotspot, service, shelf
from companion import settings as settings_file
from companion.beginning import Beginning
from companion.bots import THINKING, BotSeats
from companion.checkup import Doctor, in_its_own_process
from companion.clock import Clock
from companion.core.facts import Said
from companion.core.inputs import Button
from companion.core.rules import Intent
from companion.desk import Desk
from companion.first_run import BUTTONS
from companion.journal import JOURNAL, Journal
from companion.next_game import OnShelf
from companion.opening import (
    all_tags,
    games_on_shelf,
    give_to_bots,
    instead_of,
    is_untouched,
    load_texts,
    make_setup,
    opens_next,
    resumed,
)
from companion.own_packs import OwnPacks
from companion.pages import WifiPage
from companion.ports import Machine, PretendBox
from companion.pretending import PretendTable
from companion.referee import Referee
from companion.settings import Buttons, Settings
from companion.snapshot import Snapshot
from companion.table import Table
from companion.tagbook import TAGS, Tagbook
from companion.texts import Lang, Speaker

log = logging.getLogger(__name__)

DEFAULT_GAME = "actionworks"
SWITCH_INTERVAL = 0.0001
"""Seconds a thread may keep the interpreter from the others: a drawing display must not hold up a tap."""
PATIENCE = 5.0
"""Seconds after which a part that got nowhere counts as hanging."""
LINK_PATIENCE = 2.0
"""Seconds to wait for the first word of the readers before the address is told."""


class Options(Struct, frozen=True):
    """What `companion run` was asked for; None leaves it to the settings or to the game that is resumed."""

    data: Path
    game: str | None = None
    names: tuple[str, ...] | None = None
    port: int | None = None
    pretend: bool | None = None
    new: bool = False
    first_run: bool = False
    bots: tuple[str, ...] = ()
    thinking: float = THINKING
    pico: Literal["firmware", "quick"] = "quick"
    """Which Pico a pretend table has: the firmware itself, or a stand-in whose taps arrive at once."""


class Spoken:
    """The language of the box, which a first run asks for."""

    def __init__(self, lang: Lang) -> None:
        self.lang: Lang = lang


class Running(Struct, frozen=True):
    """The parts of a running companion that others may want to reach."""

    table: Table
    journal: Journal
    address: str
    port: int
    pretend: PretendBox | None
    checks: Mapping[str, Callable[[], bool]]
    """Whether each part still gets somewhere."""


@contextlib.contextmanager
def companion(options: Options, tell: Callable[[str], None] = click.echo, light: Any = None) -> Iterator[Running]:
    """The whole program, from here to the end of the block. `tell` is told in whole sentences what starts.

    `light` is the display where it was lit before, see `first_light`.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    changeover.finish(options.data)
    chosen = settings_file.load(options.data)
    is_pretend = wants_pretend(options, chosen)
    tell(_first_line(is_pretend))
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(options.data / JOURNAL))
        clock = Clock(max((row.last for row in journal.games()), default=0.0))
        referee = _referee(options, chosen, journal, tell, clock)
        give_to_bots(referee, options.bots)
        tagbook = Tagbook.load(options.data / TAGS)
        if is_pretend:
            tagbook.pretend(all_tags(referee.game, referee.setup))
        virtual = chosen.chance == "virtual" or (chosen.chance == "auto" and is_pretend)
        opens, readers = opens_next(journal, tagbook, options.data, is_pretend, clock), tuple(chosen.readers)
        chance, games = pick if virtual else None, games_on_shelf(chosen.language)
        spoken = Spoken(chosen.language)
        beginning = None
        if _never_played(options, journal):
            beginning = _beginning(options, chosen, referee, spoken)
            opens = instead_of(referee.table, opens, journal)
        machine = _machine(options.data, lambda said: table.trouble("wifi", said))
        desk = Desk(
            referee,
            tagbook,
            chance,
            opens,
            readers,
            zones=chosen.zones(),
            shelf=games,
            machine=machine,
            beginning=beginning,
        )
        table = Table(desk)
        clock.tells(partial(table.trouble, "clock"))
        load_texts(referee.game)
        running = _opened(stack, options, chosen, journal, table, tagbook, is_pretend, light=light, spoken=spoken)
        bots = BotSeats(table, thinking=options.thinking)
        bots.start()
        stack.callback(bots.close)
        yield running


def _opened(
    stack: ExitStack,
    options: Options,
    chosen: Settings,
    journal: Journal,
    table: Table,
    tagbook: Tagbook,
    is_pretend: bool,
    *,
    light: Any,
    spoken: Spoken,
) -> Running:
    """Start table, box, readers and web, in this order. Heavy imports wait until the display can say something."""
    table.start()
    stack.callback(table.stop)
    address: list[str] = [""]

    def speaks(snapshot: Snapshot) -> Speaker:
        return Speaker(load_texts(snapshot.game), spoken.lang, snapshot.names())

    from hw.box import PretendHardware, real_hardware

    box = (
        PretendHardware(table, speaks, address=lambda: address[0], light=light)
        if is_pretend
        else real_hardware(table, speaks, chosen, address=lambda: address[0], light=light)
    )
    stack.enter_context(box)
    pico, links = _readers(stack, options, chosen, table, tagbook, is_pretend)
    pretend = PretendTable(pico, box) if is_pretend else None
    asked_port = chosen.port if options.port is None else options.port
    port = _web(
        stack, asked_port, chosen, spoken, table, pretend, tagbook, address=lambda: address[0], data=options.data
    )
    address[0] = f"http://{own_address()}{'' if port == 80 else f':{port}'}"
    _rest_the_collector()
    checks = {
        "writer": partial(table.is_alive, PATIENCE),
        "link": partial(links.is_alive, PATIENCE),
        "web": partial(service.page_is_served, port),
    }
    return Running(table, journal, address[0], port, pretend, checks)


def _never_played(options: Options, journal: Journal) -> bool:
    """Whether the questions of a first run are wanted: nobody ever did anything in any game of this journal."""
    return options.first_run and all(is_untouched(journal, row.table) for row in journal.games())


def _beginning(options: Options, chosen: Settings, referee: Referee, spoken: Spoken) -> Beginning:
    """The questions of a first run; what is answered is kept in the settings."""
    pins = {button: getattr(chosen.buttons, button) for button in BUTTONS}

    def save(**answers: Any) -> None:
        now = settings_file.load(options.data)
        settings_file.save(options.data, replace(now, **answers))

    def speak(lang: Lang) -> None:
        spoken.lang = lang
        save(language=lang)

    def wire(keys: tuple[Button, ...]) -> None:
        save(buttons=Buttons(**{button: pins[key] for button, key in zip(BUTTONS, keys, strict=True)}))

    def names(seats: int) -> tuple[str, ...]:
        speaker = Speaker(load_texts(referee.game), spoken.lang)
        return tuple(speaker.key("first.seat", n=seat + 1) for seat in range(seats))

    def offers(seats: int) -> tuple[OnShelf, ...]:
        return games_on_shelf(spoken.lang)(referee.game.id, seats)

    return Beginning(offers, names, speak, wire, mode=chosen.mode, all_buttons=None not in pins.values())


def _machine(data: Path, tell: Callable[[Said | None], None]) -> Machine:
    """What may be asked of this machine: only where it runs us as a service."""
    own = hotspot.load(data)
    wifi = None if own is None else WifiPage(own.name, own.password, own.code)
    open_wifi = service.way_to_open_wifi(tell) if wifi else None
    return Machine(service.way_to(service.SWITCH_OFF), open_wifi, wifi)


def _rest_the_collector() -> None:
    """What is loaded stays for the evening: looking through it again and again would only hold up taps."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _readers(
    stack: ExitStack, options: Options, chosen: Settings, table: Table, tagbook: Tagbook, is_pretend: bool
) -> tuple[Any, Any]:
    """The pretend Pico, where there is one, and the links to it or to the real ones."""
    from firmware_bridge.greeting import Down, LinkState
    from firmware_bridge.link import find_picos
    from firmware_bridge.links import Links
    from firmware_bridge.pretend import PretendPico
    from firmware_bridge.pretend_firmware import PretendFirmware
    from firmware_bridge.senses import Senses

    heard = threading.Event()

    def told(state: LinkState) -> None:
        table.trouble("link", state.trouble if isinstance(state, Down) else None)
        heard.set()

    made = PretendFirmware if options.pico == "firmware" else PretendPico
    pico = made(tuple(chosen.readers)) if is_pretend else None
    if pico is not None:
        pico.start()
        stack.callback(pico.close)
    senses = Senses(table.put, table.question, named=tagbook.reader, has_room=table.has_room)
    links = Links(pico.ports if pico is not None else find_picos, senses, told)
    links.start()
    stack.callback(links.close)
    # A card laid while the link is still being made is layout, not a play: do not invite people before.
    heard.wait(LINK_PATIENCE)
    return pico, links


def _web(
    stack: ExitStack,
    port: int,
    chosen: Settings,
    spoken: Spoken,
    table: Table,
    pretend: PretendBox | None,
    tagbook: Tagbook,
    *,
    address: Callable[[], str],
    data: Path,
) -> int:
    from web import create_app
    from web.server import WebServer

    hosts = own_hosts(chosen)
    packs, doctor = OwnPacks(data), Doctor(partial(in_its_own_process, data))
    app = create_app(
        table,
        load_texts,
        pretend,
        hosts,
        lambda: spoken.lang,
        tagbook=tagbook,
        address=address,
        packs=packs,
        doctor=doctor,
    )
    server = stack.enter_context(WebServer(app, port=port))
    return server.port


def wants_pretend(options: Options, chosen: Settings) -> bool:
    return first_light.is_pretend(options.pretend, chosen)


def _first_line(is_pretend: bool) -> str:
    if is_pretend:
        drawn = "readers, buttons, lamp and display are drawn"
        return f"PRETEND TABLE: {drawn}; everything behind them is the real program."
    return "Table companion on this Raspberry Pi."


def _referee(
    options: Options, chosen: Settings, journal: Journal, tell: Callable[[str], None], clock: Clock
) -> Referee:
    """The newest unfinished game of the kind asked for, the one that has just ended, or a new one."""
    found = None if options.new else resumed(options.game, options.names, journal, clock)
    if found is not None:
        tell(_going_on(found))
        return found
    game = shelf.open(options.game or DEFAULT_GAME)
    names = options.names or ("Ada", "Ben", "Chloé")[: max(game.seats[0], 3)]
    referee = Referee.begin(game, make_setup(game, len(names)), names, chosen.mode, journal, clock)
    tell(f"A new game of {game.id}, {referee.table}, for {', '.join(names)}.")
    return referee


def _going_on(found: Referee) -> str:
    if found.at.result is not None:
        return f"The game of {found.game.id}, {found.table}, is over; everybody is still seated for the next one."
    return f"Going on with {found.game.id}, game {found.table}, at #{found.at.seq}."


def pick(candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    """The virtual dice and deck: one of the candidates, by weight, from the system's randomness."""
    at = secrets.randbelow(sum(weights))
    for intent, weight in zip(candidates, weights, strict=True):
        at -= weight
        if at < 0:
            return intent
    raise AssertionError("weights add up")


def own_hosts(chosen: Settings) -> tuple[str, ...]:
    """The names under which phones may reach us: those of the settings, this machine's, and its addresses."""
    name = socket.gethostname()
    found = {"localhost", "127.0.0.1", name, f"{name}.local", own_address(), *chosen.hosts}
    return tuple(sorted(found))


def own_address() -> str:
    """This machine's address on the local network; no packet is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
