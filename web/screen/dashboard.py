"""What every screen needs, bound together once: the table, the texts, the pretend box and the template engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec.structs import replace

from companion.core import Asked, Game, SeatId
from companion.library import Lang, OwnPacks, Play, Speaker, Tagbook, Texts
from companion.phones.photo.darkroom import Spots
from companion.table.outside import Answer, Doctor, Host, Moment, Network, Playback, PretendBox, Printer, Seen, Updates
from web.club import Club
from web.door import Askers, Limits, Moves, Phone, phone_of
from web.door.portal import Portal
from web.draw import Assets, Pen

from .guide import Guide

TextsOf: TypeAlias = Callable[[Game[Any, Any]], Texts]
"""The texts of a game and of everything around it."""


class AnyTable(Protocol):
    """As much of the table as phones need."""

    @property
    def moment(self) -> Moment: ...

    def ask(self, asked: Asked, timeout: float = 5.0) -> Answer: ...

    def follow(self, fn: Callable[[Moment], None]) -> Callable[[], None]: ...

    def foresee(self, fn: Callable[[Callable[[], Moment]], None]) -> Callable[[], None]: ...

    def away(self, seats: tuple[SeatId, ...]) -> None: ...


class Extras(NamedTuple):
    """What a dashboard has besides the table and its texts."""

    assets: Assets
    tagbook: Tagbook | None
    address: Callable[[], str]
    limits: Limits
    packs: OwnPacks | None = None
    doctor: Doctor | None = None
    sticker: Callable[[], str] = str
    printer: Printer | None = None
    photos: Spots | None = None
    host: Host | None = None
    playback: Playback | None = None
    network: Network | None = None
    portal: Portal | None = None
    updates: Updates | None = None
    plays: Callable[[], tuple[Play, ...]] | None = None
    club: Club | None = None


MOST_SPEAKERS: Final = 64
"""Each seat may know other cards, and each phone may read another language."""


class Dashboard:
    """One per app. Everything in it is thread-safe."""

    def __init__(
        self,
        table: AnyTable,
        texts: Texts | TextsOf,
        pretend: PretendBox | None,
        hosts: tuple[str, ...],
        lang: Lang | Callable[[], Lang],
        extras: Extras,
    ) -> None:
        self.table = table
        self.pens: dict[tuple[Speaker, Phone], Pen] = {}
        self._speakers: dict[tuple[str, tuple[str, ...], Lang, int], Speaker] = {}
        self.texts_of: TextsOf = (lambda _game: texts) if isinstance(texts, Texts) else texts
        self.tagbook = extras.tagbook
        self.packs = extras.packs
        self.doctor = extras.doctor
        self.printer = extras.printer
        self.photos = extras.photos
        """Reads the codes on photos; None if nothing can."""
        self.playback = extras.playback
        """Pauses and paces a demo; None if people play."""
        self.network = extras.network
        """The box's Wi-Fi; None if phones can't change it."""
        self.portal = extras.portal
        """Greets phones that have just joined the box's own Wi-Fi; None if it has none."""
        self.updates = extras.updates
        """Newer versions of the program; None if this machine can't install them."""
        self.plays = extras.plays
        """The finished games of this table, newest first; None if nobody keeps them."""
        self.club = extras.club
        """This table's club; None if it can't join one."""
        self.address = extras.address
        """Where phones find this box, as written beside the QR code; "" while unknown."""
        self.sticker = extras.sticker
        """What a sticker's link says between `http://` and the tag's number; "" if none are written."""
        self.pretend = pretend
        self.hosts = frozenset(host.lower() for host in hosts)
        self._lang = lang
        self.assets = extras.assets
        self.askers = Askers()
        self.moves = Moves()
        self.limits = extras.limits
        self.host = extras.host
        """The host of a pretend table; None if there is none."""
        self.guide = Guide(closed=extras.host is not None and not extras.host.is_new)

    @property
    def lang(self) -> Lang:
        """The box's language, which a first run may set: the display's, and the default for phones."""
        return self._lang() if callable(self._lang) else self._lang

    def phone(self, cookies: Mapping[str, str], prefix: str, accepts: str, public: Seen) -> Phone:
        """Who a request comes from. A made-up cookie counts as none: it doesn't cause a drawing of its own."""
        phone = phone_of(cookies, prefix, accepts, public, self.lang)
        is_known = not phone.asking or self.askers.find(phone.asking) is not None
        return phone if is_known else replace(phone, asking="")

    def speaker(self, seen: Seen, lang: Lang) -> Speaker:
        """The speaker of this table in that language: the same one until a name, a card or the game changes."""
        cards = id(seen.pack)  # the speaker holds the pack, so its id stays unique
        key = (seen.table, tuple(chair.name for chair in seen.chairs), lang, cards)
        speaker = self._speakers.get(key)
        if speaker is None:
            if len(self._speakers) >= MOST_SPEAKERS:
                self._speakers.clear()
            speaker = self._speakers.setdefault(key, Speaker(self.texts_of(seen.game), lang, seen.names()))
        return speaker
