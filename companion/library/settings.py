"""What the owner of the box has chosen, from one TOML file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_type_hints

import msgspec
from msgspec import Meta, Struct

from companion.core import Mat, Mode, PlaceId, ReaderId

from .form_words import expectation, shown
from .texts import Lang
from .toml_forms import FormError, Problem, fill, is_missing, nearest, read_toml
from .whole_files import write_whole

SETTINGS: Final = "settings.toml"
MOST_READERS: Final = 48
MOST_SEATS: Final = 8
"""None of our games is for more people than this."""
READER: Final = r"(?!-\Z)[a-z0-9-]{1,16}"
"""What the wire can carry as the name of a reader."""

Pin = Annotated[int, Meta(ge=0, le=27, description="a GPIO number from 0 to 27")]
Host = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z", description='a host name, such as "table.local"'),
]
TimeZone = Annotated[
    str, Meta(max_length=64, description='a time zone, such as "Europe/Paris"; "" is that of the machine')
]
MatName = Annotated[str, Meta(description='the name of a mat, such as "slots"')]
DeviceName = Annotated[
    str,
    Meta(min_length=1, max_length=120, description='the name of a device, or a part of it, such as "ACR122U"'),
]
Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z", description='a time, such as "22:30"')]


class SettingsError(FormError):
    """The settings cannot be used; lists every problem."""


class Wand(Struct, frozen=True, tag_field="kind", tag="wand", omit_defaults=True):
    """A free reader, for whatever is tapped on it. It belongs to a Pico unless it is a smart-card reader (`pcsc`) or
    one that types (`wedge`), each known by a part of its name; `reverse` is for one that types the last byte first."""

    pcsc: DeviceName | None = None
    wedge: DeviceName | None = None
    reverse: bool = False


class Zone(Struct, frozen=True, tag_field="kind", tag="zone", omit_defaults=True):
    """A reader bound to a place; a place may have several. Typing readers cannot be one: no tag ever leaves them."""

    place: PlaceId
    pcsc: DeviceName | None = None


Antenna: TypeAlias = Wand | Zone


class OwnReader(Struct, frozen=True):
    """The device behind a reader that is not a Pico's."""

    kind: Literal["pcsc", "wedge"]
    name: str
    reverse: bool = False


class ButtonPins(Struct, frozen=True, forbid_unknown_fields=True):
    check: Pin | None = 5
    ok: Pin | None = 6
    back: Pin | None = 13
    next: Pin | None = 19


class DialPins(Struct, frozen=True):
    """The optional dial; without `a` and `b` there is none."""

    a: Pin | None = None
    b: Pin | None = None
    push: Pin | None = None


class OledPins(Struct, frozen=True):
    driver: Literal["ssd1306", "sh1106", "pretend"] = "ssd1306"
    address: Annotated[int, Meta(ge=0x08, le=0x77, description="an I2C address from 0x08 to 0x77")] = 0x3C
    port: Annotated[int, Meta(ge=0, le=31)] = 1


class LampPins(Struct, frozen=True):
    red: Pin | None = 17
    green: Pin | None = 27
    blue: Pin | None = 22


class Lamps(Struct, frozen=True, forbid_unknown_fields=True):
    """A small lamp at each seat, in the order of the seats; none without pins."""

    pins: Annotated[tuple[Pin, ...], Meta(max_length=MOST_SEATS)] = ()


class BuzzerPin(Struct, frozen=True):
    """The buzzer's pin and how loud it is (0 = never)."""

    pin: Pin | None = 18
    volume: Annotated[int, Meta(ge=0, le=10)] = 6


class NightHours(Struct, frozen=True):
    """From when to when the lamp is dim and the buzzer silent; equal times mean never."""

    begins: Clock = "22:30"
    ends: Clock = "07:00"


ClockKind = Literal["off", "soft", "strict"]


class TurnClock(Struct, frozen=True):
    """How long a turn may take: `soft` says when time is up, `strict` also skips the seat."""

    kind: ClockKind = "off"
    seconds: Annotated[int, Meta(ge=5, le=3600)] = 90


class VoiceSettings(Struct, frozen=True):
    """Whether the box reads its display aloud, how loud, and at how many words a minute."""

    on: bool = False
    volume: Annotated[int, Meta(ge=1, le=10)] = 6
    speed: Annotated[int, Meta(ge=80, le=400)] = 160


def _two_wands() -> dict[ReaderId, Antenna]:
    return {ReaderId("left"): Wand(), ReaderId("right"): Wand()}


class Settings(Struct, frozen=True, kw_only=True):
    """Every setting with its default. `hardware` "auto" is real on a Raspberry Pi and pretend elsewhere.

    `chance` "virtual" lets the program roll and draw; "typed" waits for real dice and cards; with "dice" the box rolls
    and cards are real; "auto" is virtual on the pretend table and typed on a real one. `mat` names the antennas under
    the table: r01, r02 … lie where the mat of the present game says; `readers` adds to these or overrides them.
    `bot_pause` is how many seconds a bot waits before it acts, longer when there is more to read. `time_zone` is learnt
    from the first phone if the machine was never told.
    """

    language: Lang = "en"
    mode: Mode = "strict"
    chance: Literal["auto", "typed", "dice", "virtual"] = "auto"
    hardware: Literal["auto", "real", "pretend"] = "auto"
    port: Annotated[int, Meta(ge=1, le=65535)] = 8080
    hosts: tuple[Host, ...] = ("table.local",)
    mat: MatName | None = None
    bot_pause: Annotated[float, Meta(ge=0, le=30)] = 1.5
    readers: dict[ReaderId, Antenna] = msgspec.field(default_factory=_two_wands)
    buttons: ButtonPins = ButtonPins()
    dial: DialPins = DialPins()
    oled: OledPins = OledPins()
    lamp: LampPins = LampPins()
    lamps: Lamps = Lamps()
    buzzer: BuzzerPin = BuzzerPin()
    night: NightHours = NightHours()
    voice: VoiceSettings = VoiceSettings()
    clock: TurnClock = TurnClock()
    time_zone: TimeZone = ""

    def antennas(self, mat: Mat | None = None) -> dict[ReaderId, PlaceId | None]:
        """Every reader with the place it is bound to; None for a wand. With a mat, the two default wands do not
        count."""
        laid: dict[ReaderId, PlaceId | None] = {reader: spot.place for reader, spot in mat.readers()} if mat else {}
        own = {} if mat and self.readers == _two_wands() else self.readers
        return laid | {reader: a.place if isinstance(a, Zone) else None for reader, a in own.items()}


def own_of(antenna: Antenna) -> OwnReader | None:
    """The device of a reader that is not a Pico's."""
    if antenna.pcsc is not None:
        return OwnReader("pcsc", antenna.pcsc)
    if isinstance(antenna, Wand) and antenna.wedge is not None:
        return OwnReader("wedge", antenna.wedge, antenna.reverse)
    return None


def load_settings(data: Path) -> Settings:
    """The settings of a data folder; without a file, the defaults. Raises SettingsError with every problem."""
    path = data / SETTINGS
    if is_missing(path):
        return Settings()
    tables, problems = read_toml(path, SETTINGS)
    if not problems:
        settings, problems = fill(Settings, tables, SETTINGS)
        if settings is not None:
            problems = tuple(_clashes(settings))
            if not problems:
                return settings
    raise SettingsError(problems, f"Repair {path}, or move it away to use the defaults.")


def save_settings(data: Path, settings: Settings) -> None:
    """Save all settings to their file, each with its explanation; the owner's comments are lost."""
    write_whole(data / SETTINGS, described_settings(settings))


def described_settings(settings: Settings | None = None) -> str:
    """Every setting as TOML, with what it takes and its default; without `settings`, the defaults themselves."""
    shown, default = settings or Settings(), Settings()
    return "\n".join(_table(shown, default, "")) + "\n"


def _clashes(settings: Settings) -> Iterator[Problem]:
    """What only shows when settings are looked at together."""
    taken: dict[int, str] = {}
    for key, pin in _pins(settings):
        if pin in taken:
            yield Problem(SETTINGS, key, str(pin), f"expected a pin of its own; {taken[pin]} has this one")
        taken.setdefault(pin, key)
    yield from _readers_wrong(settings.readers)
    if settings.mat is not None:
        yield from _mat_wrong(settings.mat)
    if (settings.dial.a is None) != (settings.dial.b is None):
        yield Problem(SETTINGS, "dial", "", "expected both a and b, or neither")


def _mat_wrong(mat: str) -> Iterator[Problem]:
    from . import mats  # opens every game of the shelf

    if mat not in (there := mats.mat_names()):
        guess = nearest(mat, there)
        named = ", ".join(map(shown, there))
        yield Problem(SETTINGS, "mat", shown(mat), f"expected one of {named}", shown(guess) if guess else "")


def _readers_wrong(readers: Mapping[ReaderId, Antenna]) -> Iterator[Problem]:
    """Readers that no device could be."""
    if not 1 <= len(readers) <= MOST_READERS:
        yield Problem(SETTINGS, "readers", f"{len(readers)} of them", f"expected 1 to {MOST_READERS} readers")
    for reader in readers:
        if not re.fullmatch(READER, reader):
            yield Problem(SETTINGS, "readers", shown(reader), "expected a name of 1 to 16 of a-z, 0-9 and -")
    for reader, antenna in readers.items():
        if isinstance(antenna, Wand) and antenna.pcsc is not None and antenna.wedge is not None:
            yield Problem(SETTINGS, f"readers.{reader}", "", "expected pcsc or wedge; a reader is one of them")


def _pins(settings: Settings) -> Iterator[tuple[str, int]]:
    if settings.oled.driver != "pretend" and settings.oled.port == 1:
        yield from (("oled (SDA)", 2), ("oled (SCL)", 3))
    for table in ("buttons", "dial", "lamp", "buzzer"):
        for name, pin in msgspec.structs.asdict(getattr(settings, table)).items():
            if pin is not None and name != "volume":
                yield f"{table}.{name}", pin
    yield from ((f"lamps.pins[{seat}]", pin) for seat, pin in enumerate(settings.lamps.pins))


def _table(shown: Struct, default: Struct, key: str) -> Iterator[str]:
    hints = get_type_hints(type(shown), include_extras=True)
    inner: list[str] = []
    for field in msgspec.structs.fields(shown):
        value, usual = getattr(shown, field.name), getattr(default, field.name)
        if isinstance(value, Struct):
            inner += ["", f"[{field.name}]", *_table(value, usual, field.name)]
        elif field.name == "readers":
            inner += _readers(value)
        else:
            yield f"{_assigned(field.name, value):<32} # {expectation(hints[field.name])}; default: {_plain(usual)}"
    yield from inner


def _readers(readers: Mapping[ReaderId, Antenna]) -> list[str]:
    lines = []
    for name, antenna in readers.items():
        kinds = 'kind: "wand", or "zone" with a place; pcsc or wedge: the name of a device that is no Pico\'s'
        kinds += '; default: "left" and "right", both wands, or those of the mat'
        lines += ["", f"[readers.{name}] # {kinds}", *(f"{k} = {_plain(v)}" for k, v in _antenna(antenna).items())]
    return lines


def _antenna(antenna: Antenna) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(antenna)
    return built


def _assigned(name: str, value: Any) -> str:
    return f"# {name} =" if value is None else f"{name} = {_plain(value)}"


def _plain(value: Any) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()
