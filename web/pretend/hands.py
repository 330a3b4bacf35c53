"""Hands on the pretend table: they drive only the pretend box; the table hears of it over the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Blueprint, Response, abort, jsonify
from msgspec import Meta, Struct

from companion.core import Button, Uid
from companion.library import PieceTag, pretend_uid
from companion.table.outside import Fault, PretendBox
from web.screen import CommandId, Dashboard, body_as
from web.screens import shown

from . import bar
from .guiding import guided, settle
from .holding import add_holding
from .screen import PAGE
from .setting import moves


class Laid(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    uid: Annotated[str, Meta(pattern="^[0-9A-F]{8,20}$")]
    reader: Annotated[str, Meta(max_length=40)]


class LiftedOff(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    uid: Annotated[str, Meta(pattern="^[0-9A-F]{8,20}$")]


class Alone(Struct, frozen=True, forbid_unknown_fields=True):
    """A request without arguments."""

    command: CommandId


class Press(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    button: Button
    held: bool = False


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    steps: Annotated[int, Meta(ge=-20, le=20)]


class Trouble(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    fault: Fault
    on: bool


class Guided(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants from the guide: `skip` this step, `close` it, or open it `again`."""

    command: CommandId
    do: Literal["skip", "close", "again"]
    step: Annotated[str, Meta(max_length=20)] = ""


def blueprint(dash: Dashboard, box: PretendBox) -> Blueprint:
    screens = Blueprint("pretend", __name__, url_prefix="/pretend")
    _add_readers(screens, dash, box)
    _add_guide(screens, dash)
    bar.add(screens, dash)
    add_holding(screens, dash, box)

    screens.add_url_rule("", view_func=shown(PAGE))

    @screens.get("/screen.png")
    def screen() -> Response:
        return Response(box.screen(), mimetype="image/png")

    @screens.post("/press")
    def press() -> Response:
        pressed = body_as(Press)
        box.press(pressed.button, pressed.held)
        if pressed.button == "check":
            dash.guide.did("checked")
        return jsonify({})

    @screens.post("/turn")
    def turn() -> Response:
        box.turn(body_as(Turn).steps)
        return jsonify({})

    @screens.post("/trouble")
    def trouble() -> Response:
        wanted = body_as(Trouble)
        box.set_fault(wanted.fault, wanted.on)
        return jsonify({})

    return screens


def _add_readers(screens: Blueprint, dash: Dashboard, box: PretendBox) -> None:
    @screens.post("/lay")
    def lay() -> Response:
        laid = body_as(Laid)
        reader = next((r for r in box.readers() if r.id == laid.reader), None)
        if reader is None:
            abort(400)
        # Hands take away what lies there first: one reader, one card.
        for uid in reader.lying:
            box.lift(uid)
        box.lay(Uid(laid.uid), reader.id)
        return jsonify({})

    @screens.post("/set")
    def set_table() -> Response:
        body_as(Alone)
        game = dash.table.moment.public.game
        beside = game.beside(box.surface().pack)
        lying = tuple(lies for lies in box.surface().lying if lies.piece not in beside)
        wanted = moves(box.readers(), lying, lambda piece: pretend_uid(PieceTag(game.id, piece)))
        for uid in wanted.lifts:
            box.lift(uid)
        for uid, reader in wanted.lays:
            box.lay(uid, reader)
        return jsonify({})

    @screens.post("/lift")
    def lift() -> Response:
        box.lift(Uid(body_as(LiftedOff).uid))
        return jsonify({})


def _names(dash: Dashboard) -> tuple[str, ...]:
    return tuple(step.name for step in guided(dash, dash.table.moment, (), frozenset()).steps)


def _add_guide(screens: Blueprint, dash: Dashboard) -> None:
    if dash.host is not None and dash.host.practises_since is not None:
        dash.table.follow(lambda moment: settle(dash, moment))
        dash.guide.watch(lambda: settle(dash, dash.table.moment))

    @screens.post("/guide")
    def guide() -> Response:
        wanted = body_as(Guided)
        match wanted.do:
            case "skip" if wanted.step in _names(dash):
                dash.guide.did(wanted.step)
            case "skip":
                abort(400)
            case "close":
                dash.guide.close()
                if dash.host is not None:
                    dash.host.end_practice()
            case "again":
                now = dash.table.moment.public
                dash.guide.open_again(now.table, now.seq)
        return jsonify({})
