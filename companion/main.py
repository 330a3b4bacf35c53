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
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

import click
from msgspec import Struct
from msgspec.structs import replace

from companion import first_light, hotspot, service, shelf
from companion import settings as settings_file
from companion.beginning import Beginning
from companion.bots import THINKING, BotSeats
from companion.clock import Clock
from companion.core.errors import CompanionError, SetupError
from companion.core.facts import Said
from companion.core.game import Game, Setup
from companion.core.ids import GameId, ReaderId, SeatId, Uid
from companion.core.inputs import Button, OpenGame
from companion.core.rules import Intent
from companion.desk import Desk, Opens, Shelf
from companion.enrolment import NUMBERS
from companion.first_run import BUTTONS
from companion.journal import Journal
from companion.next_game import OnShelf
from companion.own_packs import OwnPacks
from companion.pages import WifiPage
from companion.ports import Fault, Lamp, Machine, PretendBox, PretendReader
from companion.position import Chair
from companion.referee import Referee
from companion.settings import Buttons, Settings
from companion.snapshot import Snapshot
from companion.table import Table
from companion.tagbook import NumberTag, PieceTag, PlaceTag, SeatTag, Tag, Tagbook
from companion.texts import Lang, Speaker, Texts

log = logging.getLogger(__name__)

JOURNAL = "games.journal"
TAGS = "tags.toml"
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
        opens, readers = _opens(journal, tagbook, options.data, is_pretend, clock), tuple(chosen.readers)
        chance, games = pick if virtual else None, _shelf(chosen.language)
        spoken = Spoken(chosen.language)
        beginning = None
        if _never_played(options, journal):
            beginning = _beginning(options, chosen, referee, spoken)
            opens = _instead_of(referee.table, opens, journal)
        machine = _machine(options.data, lambda said: table.trouble("wifi", said))
        desk = Desk(referee, tagbook, chance, opens, readers, shelf=games, machine=machine, beginning=beginning)
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
    port = _web(stack, asked_port, chosen, table, pretend, tagbook, lambda: address[0], OwnPacks(options.data))
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


def is_untouched(journal: Journal, table: str) -> bool:
    """Whether only the program itself did something: a virtual deck deals before anybody is there."""
    return all(entry.cause is None for entry in journal.entries(table))


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
        return _shelf(spoken.lang)(referee.game.id, seats)

    return Beginning(offers, names, speak, wire, mode=chosen.mode, all_buttons=None not in pins.values())


def _instead_of(table: str, opens: Opens, journal: Journal) -> Opens:
    """Opens a game in the place of one in which nobody has done anything, which is then forgotten."""

    def open_game(wish: OpenGame) -> Referee:
        fresh = opens(wish)
        if any(row.table == table for row in journal.games()) and is_untouched(journal, table):
            journal.forget(table)
        return fresh

    return open_game


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
    from firmware_bridge.link import Down, LinkState, find_picos
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
    senses = Senses(table.put, table.question, named=tagbook.reader)
    links = Links(pico.ports if pico is not None else find_picos, senses, told)
    links.start()
    stack.callback(links.close)
    # A card laid while the link is still being made is layout, not a play: do not invite people before.
    heard.wait(LINK_PATIENCE)
    return pico, links


def _opens(journal: Journal, tagbook: Tagbook, data: Path, is_pretend: bool, clock: Clock) -> Opens:
    """How the next game is opened, at the wish of a phone."""

    def open_game(wish: OpenGame) -> Referee:
        game = shelf.open(wish.game)
        setup = make_setup(game, len(wish.names), wish.options, shelf.pack(game, wish.pack, data))
        if is_pretend:
            tagbook.pretend(all_tags(game, setup))
        return Referee.begin(game, setup, wish.names, wish.mode, journal, clock)

    return open_game


def _shelf(lang: Lang) -> Shelf:
    """The games for so many people, the one just played first; one that gives no game does not hide the others."""

    def games(played: GameId, seats: int) -> tuple[OnShelf, ...]:
        found = []
        for game_id in sorted(shelf.games(), key=lambda game_id: game_id != played):
            try:
                game = shelf.open(game_id)
                title = Speaker(load_texts(game), lang).key("game.short")
            except CompanionError as error:
                log.warning("%s is not on the shelf: %s", game_id, error)
                continue
            if game.seats[0] <= seats <= game.seats[1]:
                found.append(OnShelf(game_id, title))
        return tuple(found)

    return games


def _web(
    stack: ExitStack,
    port: int,
    chosen: Settings,
    table: Table,
    pretend: PretendBox | None,
    tagbook: Tagbook,
    address: Callable[[], str],
    packs: OwnPacks,
) -> int:
    from web import create_app
    from web.server import WebServer

    hosts, lang = own_hosts(chosen), chosen.language
    app = create_app(table, load_texts, pretend, hosts, lang, tagbook=tagbook, address=address, packs=packs)
    server = stack.enter_context(WebServer(app, port=port))
    return server.port


class PretendTable:
    """The whole pretend table for the page that drives it: readers from the pretend Pico, the rest from the box."""

    def __init__(self, pico: Any, box: Any) -> None:
        self._pico, self._box = pico, box

    def readers(self) -> tuple[PretendReader, ...]:
        readers: tuple[PretendReader, ...] = self._pico.readers()
        return readers

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        self._pico.lay(uid, reader)

    def lift(self, uid: Uid) -> None:
        self._pico.lift(uid)

    def press(self, button: Button, held: bool) -> None:
        self._box.press(button, held)

    def turn(self, steps: int) -> None:
        self._box.turn(steps)

    def set_fault(self, fault: Fault, on: bool) -> None:
        (self._box if fault == "display" else self._pico).set_fault(fault, on)

    def faults(self) -> tuple[Fault, ...]:
        return (*self._pico.faults(), *self._box.faults())

    def screen(self) -> bytes:
        png: bytes = self._box.screen()
        return png

    def lamp(self) -> Lamp:
        lamp: Lamp = self._box.lamp()
        return lamp

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        ends = (self._pico.watch(fn), self._box.watch(fn))

        def end() -> None:
            for stop in ends:
                stop()

        return end


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
    """The newest unfinished game of the kind asked for, or a new one."""
    resumed = None if options.new else _resumed(options, journal, clock)
    if resumed is not None:
        tell(f"Going on with {resumed.game.id}, game {resumed.table}, at #{resumed.at.seq}.")
        return resumed
    game = shelf.open(options.game or DEFAULT_GAME)
    names = options.names or ("Ada", "Ben", "Chloé")[: max(game.seats[0], 3)]
    referee = Referee.begin(game, make_setup(game, len(names)), names, chosen.mode, journal, clock)
    tell(f"A new game of {game.id}, {referee.table}, for {', '.join(names)}.")
    return referee


def _resumed(options: Options, journal: Journal, clock: Clock) -> Referee | None:
    """The newest game that was neither finished nor put away; one that this shelf does not have is passed over."""
    for row in reversed(journal.games()):
        is_meant = options.game in (None, row.game) and options.names in (None, row.names)
        if is_meant and not row.archived and row.game in shelf.games():
            referee = Referee(shelf.open(row.game), journal, row.table, clock)
            if referee.at.result is None:
                return referee
    return None


def make_setup(
    game: Game[Any, Any], seats: int, options: tuple[tuple[str, str], ...] = (), pack: Any = None
) -> Setup[Any]:
    """A set-up, with the shipped pack where no other is given; options not given have their default."""
    low, high = game.seats
    if not low <= seats <= high:
        raise SetupError(f"{game.id} is for {low} to {high} seats, not {seats}; give that many names with --seats")
    given = dict(options)
    for option in game.options:
        if given.get(option.name, option.choices[0]) not in option.choices:
            raise SetupError(
                f"{option.name} of {game.id} is one of {', '.join(option.choices)}, not {given[option.name]}"
            )
    whole = tuple((option.name, given.get(option.name, option.choices[0])) for option in game.options)
    return Setup(game.id, game.version, seats, whole, shelf.pack(game) if pack is None else pack)


def texts_folders(game: Game[Any, Any]) -> tuple[Path, ...]:
    root = Path(__file__).parent.parent
    return (*shelf.texts_folders(game.id), root / "hw" / "texts", root / "web" / "texts")


@cache
def load_texts(game: Game[Any, Any]) -> Texts:
    """The texts of a game and of everything around it; read once."""
    return Texts.load(*texts_folders(game))


def all_tags(game: Game[Any, Any], setup: Setup[Any]) -> list[Tag]:
    """The tags of everything that can be tapped on a pretend table."""
    pieces = [PieceTag(game.id, piece) for piece in game.pieces(setup.pack)]
    places = [PlaceTag(game.id, place) for place in game.places(setup.pack)]
    return [*pieces, *places, *(SeatTag(SeatId(s)) for s in range(setup.seats)), *(NumberTag(n) for n in NUMBERS)]


def give_to_bots(referee: Referee, names: tuple[str, ...]) -> None:
    """From now on a bot plays for the seats of these names; SetupError where nobody has such a name."""
    chairs = referee.at.chairs
    seated = {chair.name.casefold(): SeatId(seat) for seat, chair in enumerate(chairs)}
    for name in names:
        if name.casefold() not in seated:
            there = ", ".join(chair.name for chair in chairs)
            raise SetupError(f"nobody called {name!r} sits here, so no bot can play for them; there are {there}")
    for name in names:
        seat = seated[name.casefold()]
        if not chairs[seat].bot:
            referee.seat(seat, Chair(chairs[seat].name, chairs[seat].key, bot=True), None)


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
