"""Joining a club with buttons and dial: where its hub is, the code it shows, and a number for this table."""

from __future__ import annotations

import ipaddress
from typing import ClassVar, Final

from msgspec.structs import replace

from companion.core import (
    CODE_LENGTH,
    CODE_SIGNS,
    ChoosePage,
    ConfirmPage,
    Hubs,
    Name,
    NumberPage,
    Page,
    SpellPage,
    TroublePage,
    say,
)
from companion.table import JoinClub, Show, Snapshot

from .dialog import REST, Dialog, Then

END: Final = ""
"""The sign that ends it."""
ADDRESS_SIGNS: Final = (END, *"0123456789.:")
LONGEST: Final = 21
MOST: Final = 99
"""The highest number a table can have."""


class ToClub(Dialog, frozen=True):
    """A step on the way into a club."""

    to_club: ClassVar[bool] = True

    def walks(self, scene: Snapshot) -> bool:
        return True


class HubChoosing(ToClub, frozen=True):
    """The hubs that announce themselves, and last the way to type an address."""

    at: int = 0

    def page(self, scene: Snapshot) -> Page:
        hubs = _hubs(scene)
        if not hubs.looked:
            return TroublePage(say("club.looking"))
        rows = (*(say("choice", item=Name(hub.name)) for hub in hubs.near), say("club.type"))
        return ChoosePage(say("club.where"), rows, self.at % len(rows))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        hubs = _hubs(scene)
        if not hubs.looked:
            return self, None
        at = self.at % (len(hubs.near) + 1)
        return (Code(address=hubs.near[at].address) if at < len(hubs.near) else HubSpelling(hubs.network)), None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % (len(_hubs(scene).near) + 1))


class Spelling(ToClub, frozen=True):
    """Words spelled sign by sign. BACK deletes the last sign or, held, all of them; with none left it goes back."""

    typed: str = ""
    at: int = 0

    def back(self, scene: Snapshot, held: bool) -> Then:
        return (replace(self, typed="" if held else self.typed[:-1]) if self.typed else HubChoosing()), None


class HubSpelling(Spelling, frozen=True):
    """Numbers, dots and perhaps a port, starting as addresses start here. It ends with the end sign or a held OK."""

    at: int = 1

    def page(self, scene: Snapshot) -> Page:
        return SpellPage(say("club.address"), self.typed, ADDRESS_SIGNS, self.at)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        sign = ADDRESS_SIGNS[self.at]
        if not held and sign != END:
            return replace(self, typed=(self.typed + sign)[:LONGEST]), None
        if not _is_address(self.typed):
            return self, Show(TroublePage(say("club.no.address")))
        return Code(address=self.typed), None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % len(ADDRESS_SIGNS))


class Code(Spelling, frozen=True):
    """The code on the hub's screen; complete with its last sign."""

    address: str = ""
    number: int = 0

    def page(self, scene: Snapshot) -> Page:
        return SpellPage(say("club.code"), self.typed, tuple(CODE_SIGNS), self.at, CODE_LENGTH)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        typed = (self.typed + CODE_SIGNS[self.at])[:CODE_LENGTH]
        if len(typed) < CODE_LENGTH:
            return replace(self, typed=typed), None
        wish = JoinClub(self.address, typed, self.number)
        return (Sure(wish) if self.number or _hubs(scene).called else Numbered(wish)), None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % len(CODE_SIGNS))


class Numbered(ToClub, frozen=True):
    """The number by which people at the club know this table."""

    wish: JoinClub
    at: int = 1

    def page(self, scene: Snapshot) -> Page:
        return NumberPage(say("club.number"), 1, MOST, self.at)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return Sure(replace(self.wish, number=self.at)), None

    def back(self, scene: Snapshot, held: bool) -> Then:
        return _code(self.wish), None

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at - 1 + steps) % MOST + 1)


class Sure(ToClub, frozen=True):
    """All of it once more. It stays until the club has answered: if something is wrong, BACK leads to it."""

    wish: JoinClub

    def page(self, scene: Snapshot) -> Page:
        code = f"{self.wish.code[: CODE_LENGTH // 2]}-{self.wish.code[CODE_LENGTH // 2 :]}"
        return ConfirmPage(say("club.sure", code=Name(code)), (say("club.at", address=Name(self.wish.address)),))

    def ok(self, scene: Snapshot, held: bool) -> Then:
        return self, self.wish

    def back(self, scene: Snapshot, held: bool) -> Then:
        return REST if held else (_code(self.wish), None)

    def walks(self, scene: Snapshot) -> bool:
        return False


def _code(wish: JoinClub) -> Code:
    """The code as typed, ready to be corrected."""
    return Code(wish.code, CODE_SIGNS.index(wish.code[-1]), wish.address, wish.number)


def _hubs(scene: Snapshot) -> Hubs:
    return scene.hubs or Hubs()


def _is_address(typed: str) -> bool:
    host, has_port, port = typed.partition(":")
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return not has_port or (port.isdecimal() and 0 < int(port) < 1 << 16)
