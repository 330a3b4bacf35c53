"""The composition root: builds every part, starts them in order, stops them in reverse."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from companion.box import Box
from companion.journal import JOURNAL, Journal
from companion.library import TAGS, Settings, Speaker, Tagbook, TurnClock, load_settings
from companion.table import Desk, Host, Machine, Opens, Playback, PretendBox, Referee, Seen, Table, pick_by_weight

from . import changeover, first_light, hosting, machine, opening, readers, service, serving
from .bots import BotSeats
from .hosting import Opener, PretendHost
from .machine import Spoken
from .pretending import Ear, PretendTable
from .readers import Pico, Trial
from .serving import Stickers, sticker_text

SWITCH_INTERVAL = 0.001
"""Seconds for which a thread may keep the interpreter: a drawing display must not hold up a tap, but with a tenth of
this, threads that draw for eight phones spend their time passing it around."""
PATIENCE = 5.0
"""Seconds without progress after which a part counts as hanging."""


class Options(Struct, frozen=True):
    """What `companion run` was asked for; None leaves it to the settings or to the resumed game."""

    data: Path
    game: str | None = None
    names: tuple[str, ...] | None = None
    port: int | None = None
    pretend: bool | None = None
    new: bool = False
    first_run: bool = False
    bots: tuple[str, ...] = ()
    thinking: float | None = None
    pico: Pico = "quick"
    mat: str | None = None
    clock: TurnClock | None = None
    playback: Playback | None = None
    """Controls a demo, if this is one."""
    trial: Trial = Trial()


class Running(Struct, frozen=True):
    """The parts of a running companion that others may want to reach."""

    table: Table
    journal: Journal
    address: str
    port: int
    pretend: PretendBox | None
    host: Host | None
    """Whoever sets up a pretend table."""
    checks: Mapping[str, Callable[[], bool]]
    """Whether each part is still making progress."""


@contextlib.contextmanager
def companion(options: Options, tell: Callable[[str], None] = click.echo, light: Any = None) -> Iterator[Running]:
    """The whole program, for the length of the block. `tell` gets whole sentences about what starts.

    `light` is the display if it was lit before; see `first_light`.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    changeover.finish(options.data)
    chosen = _chosen(options)
    is_pretend = wants_pretend(options, chosen)
    tell(_first_line(is_pretend))
    first_light.now(light, chosen, "record")
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(options.data / JOURNAL, _connect=options.trial.connect))
        clock, is_new = opening.clock_after(journal, options.trial.wall), not journal.games()
        practice = hosting.practise(stack, clock, tell) if is_new and _wants_practice(options, chosen) else None
        asked = (options.game, options.names, chosen.mode, journal, tell, clock)
        referee = practice.referee if practice else opening.referee_for(*asked, new=options.new)
        opening.give_to_bots(referee, options.bots)
        if lacking := opening.lacks_mat(chosen, referee.game):
            tell(f"{lacking}. Every reader is a wand.")
        tagbook = Tagbook.load(options.data / TAGS)
        if is_pretend:
            opening.get_tags(tagbook, referee.game, referee.setup)
        opens = opening.opens_next(journal, tagbook, options.data, is_pretend, clock)
        spoken = Spoken(chosen.language)
        network = machine.network(options.data, lambda said: table.trouble("wifi", said))
        first = machine.first_run(chosen, referee, spoken, network) if _never_played(options, journal) else None
        opens = opens if first is None else opening.instead_of(referee.table, opens, journal)
        stickers = Stickers()
        under = machine.machine(options.data, chosen, spoken, network, clock)
        under = replace(under, link=stickers.write)
        box = Box(first)
        table = Table(_desk(chosen, referee, tagbook, box, opens, under, is_pretend, options))
        clock.tells(partial(table.trouble, "clock"))
        opening.load_texts(referee.game)
        opener = Opener(journal, clock, chosen.mode, partial(opening.get_tags, tagbook))
        host = PretendHost(table, opener, practice, is_new=is_new) if is_pretend else None
        parts = (stack, options, chosen, journal, table, tagbook, box, host)
        running = _opened(*parts, light=light, spoken=spoken, stickers=stickers, network=network)
        stack.enter_context(BotSeats(table, thinking=chosen.bot_pause, reads=spoken.words_on))
        machine.keep_time(stack, table)
        machine.watch_network(stack, network, serving.is_reachable)
        yield running


def _chosen(options: Options) -> Settings:
    """The settings, overridden by what was asked for."""
    chosen = load_settings(options.data)
    pause = chosen.bot_pause if options.thinking is None else options.thinking
    return replace(chosen, mat=options.mat or chosen.mat, bot_pause=pause, clock=options.clock or chosen.clock)


def _desk(
    chosen: Settings,
    referee: Referee,
    tagbook: Tagbook,
    box: Box,
    opens: Opens,
    under: Machine,
    is_pretend: bool,
    options: Options,
) -> Desk:
    """The table's desk as the settings want it: who rolls and draws, and which readers lie where."""
    by_program = chosen.chance in ("virtual", "dice") or (chosen.chance == "auto" and is_pretend)
    return Desk(
        *(referee, tagbook, box, (options.trial.pick or pick_by_weight) if by_program else None, opens),
        shelf=opening.games_on_shelf(chosen.language),
        machine=under,
        wired=opening.wired(chosen),
        has_mat=chosen.mat is not None,
        dice_only=chosen.chance == "dice",
        turn_clock=chosen.clock,
        banner=opening.banner_for(options.playback),
    )


def _opened(
    stack: ExitStack,
    options: Options,
    chosen: Settings,
    journal: Journal,
    table: Table,
    tagbook: Tagbook,
    dialogs: Box,
    host: PretendHost | None,
    *,
    light: Any,
    spoken: Spoken,
    stickers: Stickers,
    network: Any,
) -> Running:
    """Start table, box, readers and web, in this order. Heavy imports wait until the display can say something."""
    is_pretend = host is not None
    table.start()
    stack.callback(table.stop)
    machine.watch_sticks(stack, table.stick)
    where = serving.Place()

    def speaks(seen: Seen) -> Speaker:
        return Speaker(opening.load_texts(seen.game), spoken.lang, seen.names())

    first_light.now(light, chosen, "devices")
    from hw.box import PretendHardware, real_hardware

    box = (
        PretendHardware(table, speaks, address=where, light=light, has_voice=chosen.voice.on)
        if is_pretend
        else real_hardware(table, speaks, chosen, address=where, light=light)
    )
    stack.enter_context(box)
    ear = Ear(table.put)
    asked, put = (options.pico, ear.put) if is_pretend else (None, None)
    pico, links = readers.read(stack, chosen, table, tagbook, asked, put, options.trial.plugs)
    pretend = PretendTable(pico, box, table, opening.wired(chosen), dialogs, ear) if is_pretend else None
    parts = {"address": where, "sticker": stickers.says, "data": options.data, "network": network}
    port = where.port = serving.serve(
        stack, options.port, chosen, spoken, table, pretend, host, tagbook, playback=options.playback, **parts
    )
    stickers.serve(links.write_link, sticker_text(chosen, serving.own_address(), port))
    service.rest_the_collector()
    return Running(table, journal, where(), port, pretend, host, _checks(table, links, port))


def _checks(table: Table, links: Any, port: int) -> Mapping[str, Callable[[], bool]]:
    return {
        "writer": partial(table.is_alive, PATIENCE),
        "link": partial(links.is_alive, PATIENCE),
        "web": partial(service.page_is_served, port),
    }


def _wants_practice(options: Options, chosen: Settings) -> bool:
    """Whether nothing particular was asked for yet; practice is about refusals, so it is for strict tables."""
    asked = options.game or options.names or options.new or options.first_run
    return wants_pretend(options, chosen) and not asked and chosen.mode == "strict"


def _never_played(options: Options, journal: Journal) -> bool:
    """Whether to ask the first-run questions: nobody ever did anything in any game of this journal."""
    return options.first_run and all(opening.is_untouched(journal, row.table) for row in journal.games())


def wants_pretend(options: Options, chosen: Settings) -> bool:
    return first_light.is_pretend(options.pretend, chosen)


def _first_line(is_pretend: bool) -> str:
    if is_pretend:
        drawn = "readers, buttons, lamp and display are drawn"
        return f"PRETEND TABLE: {drawn}; everything behind them is the real program."
    return "Table companion on this Raspberry Pi."
