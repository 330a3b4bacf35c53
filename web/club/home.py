"""A table as a device in Home Assistant: whose turn it is, which game, whether something is wrong, the lamp's
signal.

Uses the device discovery of its MQTT integration, which every Home Assistant since 2024.11 reads:
https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.json import encode

from companion.core import Signal
from companion.library import Speaker
from companion.table.outside import Seen

from .membership import Membership
from .teller import Retained
from .topics import DEVICE, HERE, topic

Speaks = Callable[[Seen], Speaker]
"""Gives the speaker of a table in its box's language."""
Platform = Literal["sensor", "binary_sensor"]
DISCOVERY: Final = "homeassistant/device"
"""Where a stock Home Assistant looks for devices."""
LONGEST: Final = 255
"""Home Assistant doesn't keep a longer state."""


class Component(Struct, frozen=True, omit_defaults=True):
    platform: Platform
    unique_id: str
    name: str
    value_template: str
    icon: str = ""
    device_class: str = ""
    options: tuple[str, ...] = ()


class Appliance(Struct, frozen=True):
    identifiers: tuple[str, ...]
    name: str
    manufacturer: str
    model: str
    sw_version: str


class Origin(Struct, frozen=True):
    name: str
    sw_version: str


class Discovery(Struct, frozen=True):
    device: Appliance
    origin: Origin
    components: dict[str, Component]
    state_topic: str
    availability_topic: str
    availability_template: str
    qos: int = 1


class HomeState(Struct, frozen=True):
    """What the components read."""

    turn: str
    game: str
    trouble: Literal["ON", "OFF"]
    lamp: Signal


def home(member: Membership, version: str, speaks: Speaks) -> tuple[Retained, ...]:
    """The two topics that Home Assistant reads: what the device is, and its state."""
    table = member.paired.table
    return (
        Retained(f"{DISCOVERY}/{table}/config", lambda seen: encode(discovery(member, version, speaks(seen)))),
        Retained(topic(table, DEVICE), lambda seen: encode(state(seen, member, speaks(seen)))),
    )


def discovery(member: Membership, version: str, speaker: Speaker) -> Discovery:
    table, words = member.paired.table, speaker.key
    maker = words("box.title")

    def part(name: str, platform: Platform, icon: str = "", kind: str = "", options: tuple[str, ...] = ()) -> Component:
        read = f"{{{{ value_json.{name} }}}}"
        return Component(platform, f"{table}-{name}", words(f"club.home.{name}"), read, icon, kind, options)

    return Discovery(
        device=Appliance((f"table-companion-{table}",), member.name, maker, words("club.home.table"), version),
        origin=Origin(maker, version),
        components={
            "turn": part("turn", "sensor", "mdi:account-clock"),
            "game": part("game", "sensor", "mdi:cards-playing"),
            "trouble": part("trouble", "binary_sensor", kind="problem"),
            "lamp": part("lamp", "sensor", "mdi:lightbulb", "enum", get_args(Signal)),
        },
        state_topic=topic(table, DEVICE),
        availability_topic=topic(table, HERE),
        availability_template="{{ 'online' if value_json.here else 'offline' }}",
    )


def state(seen: Seen, member: Membership, speaker: Speaker) -> HomeState:
    named = (member.guests.called(chair.name) for chair in seen.chairs)
    names = [name or speaker.key("first.seat", n=seat) for seat, name in enumerate(named, 1)]
    awaited = () if seen.result is not None else seen.awaited
    return HomeState(
        turn=", ".join(names[seat] for seat in awaited if seat >= 0)[:LONGEST],
        game=speaker.key("game.title")[:LONGEST],
        trouble="ON" if seen.troubles else "OFF",
        lamp=seen.signal,
    )
