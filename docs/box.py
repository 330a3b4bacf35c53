"""Make buttons.md from the code: python docs/box.py

What each button does is found by pressing it: every page is opened on a real game, every button is pressed and held, and
what came of it is written down. A test compares the file with what is made here.
"""

from __future__ import annotations

import tempfile
from collections import deque
from pathlib import Path

from msgspec.structs import replace
from wiring import table_of

from companion.app.opening import make_setup
from companion.box import Dialog, stack
from companion.box.check import Check
from companion.box.choosing import Choosing
from companion.box.club import HubSpelling, Code, HubChoosing, Numbered, Spelling, Sure
from companion.box.correcting import Correcting
from companion.box.door import Door
from companion.box.join import ClubPage, Join, Wifi
from companion.box.next_game import NextGame
from companion.box.pointing import Pointing
from companion.box.rest import Rest
from companion.box.stack import REST, Stack
from companion.box.switching_off import SwitchingOff
from companion.box.tags import Pieces, Tags
from companion.box.take_back import TakeBack
from companion.core import (
    TABLE,
    BelieveTable,
    Button,
    ChoosePage,
    ConfirmPage,
    Enrol,
    GameId,
    HubFound,
    Hubs,
    LetStand,
    NumberPage,
    Refusal,
    RefusedPage,
    RuleId,
    SeatId,
    Stick,
    Uid,
    WifiPage,
    legal,
    mentions,
    say,
)
from companion.journal import Journal
from companion.library import Enrolling, NumberTag, Settings, shelf
from companion.table import AskMachine, Do, FindHubs, GoBack, GoOn, JoinClub, LetIn, OnShelf, Referee, SendAway, Snapshot, Tick, UseStick
from companion.table.seen import Appealed
from companion.table.snapshot import Joining
from hw.keys.filter import HOLD, LONGER, LONGEST, REPEAT, STUCK
from hw.keys.jobs import BUTTONS, keys_of

HERE = Path(__file__).parent
GAME = "actionworks"
PRESSES: tuple[tuple[str, Button | None, bool], ...] = (
    ("CHECK", "check", False),
    ("OK", "ok", False),
    ("BACK", "back", False),
    ("NEXT", "next", False),
    ("dial", None, False),
    ("hold CHECK", "check", True),
    ("hold OK", "ok", True),
    ("hold BACK", "back", True),
    ("hold NEXT", "next", True),
)


TO_DO = (say("step.hands"), say("step.astray"))
GUESTS = (Joining(SeatId(0), "Ada", "KQX"), Joining(SeatId(1), "Ben", "BTL"))

CLUB = JoinClub("192.168.1.20:8090", "K7MPQ2XW")
NO = Refusal(RuleId("A5"), "your-turn")

ENROL = {
    "skip": "skip it",
    "undo": "take the last one back",
    "anyway": "give it anyway",
    "look": "only tell what tags are",
    "link": "also write links",
    "dead": "no tag is read: say so",
    "end": "end",
}

# What each button does


def scene_of(folder: Path) -> Snapshot:
    """A game in which somebody has just acted."""
    journal = Journal.open(folder / "games.journal")
    game = shelf.open(GAME)
    referee = Referee.begin(game, make_setup(game, 3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
    acted = 0
    while acted < 2 or referee.at.decisions[-1].is_chance:
        seat = TABLE if referee.at.decisions[-1].is_chance else referee.at.decisions[-1].seats[0]
        intents = legal(game, referee.at.state, seat)
        acted += seat != TABLE
        referee.act(intents[-1 if seat != TABLE else 0], None, on_box=True)
    journal.close()
    return referee.snapshot(1)


def pages(scene: Snapshot) -> dict[str, tuple[Snapshot, Stack]]:
    """Each page that has something to press, with the box's dialogs there."""
    guests = replace(scene, joining=GUESTS)
    clubs = replace(scene, hubs=Hubs(True, (HubFound("Club night", CLUB.address),), "192.168.1."))
    found = {
        "turn": (scene, REST),
        "check": (scene, (*REST, Check())),
        "check: a seat": (scene, (*REST, Check(at=1))),
        "check: behind it": (scene, (*REST, Check(at=1, line=0))),
        "take back?": (scene, (*REST, TakeBack())),
        "join (QR)": (scene, (*REST, Join())),
        "tags": (scene, (*REST, Tags())),
        "whose tag?": (scene, (*REST, Pieces())),
        "switch off?": (scene, (*REST, SwitchingOff())),
        "its Wi-Fi": (replace(scene, wifi=WifiPage("TABLE", "K7QX2M9PAB", "")), (*REST, Wifi())),
        "club?": (clubs, (*REST, ClubPage())),
        "which club?": (clubs, (*REST, HubChoosing())),
        "its address": (clubs, (*REST, HubSpelling("192.168.1.2"))),
        "its code": (clubs, (*REST, Code("K7M", 3, CLUB.address))),
        "table number": (clubs, (*REST, Numbered(CLUB))),
        "join it?": (clubs, (*REST, Sure(CLUB))),
        "USB stick?": (replace(scene, stick=Stick("2026-11-17")), REST),
        "enrol": (replace(scene, enrolling=Enrolling("numbers", (NumberTag(1), NumberTag(2)))), REST),
        "used tag": (replace(scene, enrolling=_with_used_tag()), REST),
        "by hand now": (replace(scene, to_do=TO_DO, is_watched=True), REST),
        "the same without readers": (replace(scene, to_do=TO_DO), REST),
        "out of step": (replace(scene, repairs=TO_DO), REST),
        "question": (replace(scene, question=say("trouble.two-readers")), REST),
        "next game?": (replace(scene, shelf=(OnShelf(GameId(GAME), GAME),)), (*REST, NextGame())),
        "refused": (replace(scene, flash=RefusedPage(NO, held="stands")), REST),
        "let it stand?": (replace(scene, appeal=Appealed(SeatId(1), say("choice", item=1), NO, "c1")), REST),
        "phones ask": (guests, REST),
        "one is marked": (guests, (*REST, Door("KQX"))),
    }
    found |= _choices(scene)
    if "ready?" not in found:
        found["ready?"] = _ready(scene)
    return found


def _choices(scene: Snapshot) -> dict[str, tuple[Snapshot, Stack]]:
    """A list, a number and an act that is ready, found by pressing OK and NEXT."""
    kinds = {ChoosePage: "choose", NumberPage: "number", ConfirmPage: "ready?"}
    found: dict[str, tuple[Snapshot, Stack]] = {}
    ways: deque[Stack] = deque([(*REST, Choosing(listed=True)), (*REST, Correcting())])
    seen = set(ways)
    while ways and len(found) < len(kinds) + 1:
        now = ways.popleft()
        name = kinds.get(type(stack.page(scene, now)))
        if name == "number":
            found.setdefault("number as it is", (scene, now))
            now = stack.turn(scene, now, 1)
        if name is not None and (name != "choose" or now[-1].walks(scene)):
            found.setdefault(name, (scene, now))
        for button in ("ok", "next"):
            after, wish = stack.press(scene, now, button, False)
            if wish is None and after not in seen and len(pointed(after[-1])) < 4:
                seen.add(after)
                ways.append(after)
    return found


def pointed(dialog: Dialog) -> tuple[object, ...]:
    return dialog.tokens if isinstance(dialog, Pointing) else ()


def _with_used_tag() -> Enrolling:
    return Enrolling("numbers", (NumberTag(1),), (), say("enrol.used", item=2), refused=Uid("04000001"))


def _ready(scene: Snapshot) -> tuple[Snapshot, Stack]:
    """An act that asks for OK because it reveals, rolls or spends; it is reached by laying a card."""
    for seat in scene.awaited:
        for intent in legal(scene.game, scene.state, seat):
            for token in mentions(intent):
                after, wish = stack.tap(scene, REST, token)
                if wish is None and isinstance(stack.page(scene, after), ConfirmPage):
                    return scene, after
    raise AssertionError("no act of this game asks for OK; play it a little further")


def effect(scene: Snapshot, now: Stack, button: Button | None, held: bool) -> str:
    """What a press does here, in words."""
    now = stack.settled(scene, now)
    if button is None:
        after, wish = stack.turn(scene, now, 1), None
    else:
        after, wish = stack.press(scene, now, button, held)
    match wish:
        case Do():
            return "do it"
        case LetStand(yes=yes):
            return "let it stand" if yes else "do not let it stand"
        case GoBack(as_referee=True):
            return "take back, whoever acted"
        case GoBack():
            return "take back, where it is free"
        case SendAway(codes=codes):
            return "send it away" if len(codes) == 1 else "send all away"
        case LetIn(codes=codes):
            return "let it in" if len(codes) == 1 else "let all in"
        case GoOn():
            return "go on"
        case Tick(said=said):
            return "all is done" if said is None else "this is done"
        case BelieveTable():
            return "believe the table"
        case AskMachine(to=to):
            return "switch off" if to == "off" else "open its Wi-Fi"
        case UseStick(to=to):
            return {"save": "save everything on it", "restore": "bring it back", "no": "leave it alone"}[to]
        case FindHubs():
            return "look for clubs"
        case JoinClub():
            return "join it"
        case Enrol(do="begin"):
            return "begin"
        case Enrol(do=do):
            return ENROL[do]
        case _:
            return moved(scene, now, after)


OPENED: dict[type[Dialog], str] = {
    Rest: "back to the turn",
    Choosing: "what can be done",
    Check: "the referee check",
    Correcting: "correct a fact",
    TakeBack: "take back?",
    Join: "the QR code",
    Wifi: "its Wi-Fi",
    ClubPage: "join a club",
    HubChoosing: "which club?",
    HubSpelling: "take it",
    Code: "its code",
    Numbered: "table number",
    Sure: "take it",
    Tags: "give tags",
    Pieces: "take it",
    NextGame: "the next game",
    SwitchingOff: "switch off?",
}


def moved(scene: Snapshot, now: Stack, after: Stack) -> str:
    """What happened to the top dialog."""
    if after == now:
        return "–"
    before, then = now[-1], after[-1]
    if type(then) is not type(before):
        return OPENED[type(then)]
    match before, then:
        case Door(), Door():
            return "mark the next"
        case Check(line=None), Check(line=line) if line is not None:
            return "what is behind it"
        case Check(line=line), Check() if line is not None:
            return "next line" if then.line is not None else "one step back"
        case Check(), Check():
            return "next page"
        case NextGame(game=None), NextGame(game=game) if game is not None:
            return "take it"
        case Pointing(), Pointing() if len(pointed(then)) != len(pointed(before)):
            return "take it" if len(pointed(then)) > len(pointed(before)) else "one step back"
        case Pointing(), Pointing() if then.down != before.down:
            return "NEXT makes it less"
        case Spelling(), Spelling() if then.typed != before.typed:
            if len(then.typed) > len(before.typed):
                return "take the sign"
            return "delete all" if not then.typed else "delete a sign"
        case Spelling(), Spelling():
            return "next sign"
        case Pieces(), Pieces() if then.at - before.at > 1:
            return f"{then.at - before.at} lines on"
        case _:
            return "one more" if isinstance(stack.page(scene, now), NumberPage) else "next line"


def buttons_md() -> str:
    with tempfile.TemporaryDirectory() as folder:
        scene = scene_of(Path(folder))
        order = (
            "turn", "choose", "number", "number as it is", "ready?", "check", "check: a seat", "check: behind it", "take back?", "refused", "let it stand?", "phones ask", "one is marked", "join (QR)", "by hand now", "the same without readers", "out of step", "question", "tags",
            "whose tag?", "enrol", "used tag", "next game?", "switch off?", "its Wi-Fi", "club?", "which club?", "its address", "its code", "table number", "join it?", "USB stick?",
        )  # fmt: skip
        found = pages(scene)
        rows = [[name, *(effect(*found[name], button, held) for _, button, held in PRESSES)] for name in order]
    table = table_of(("page", *(title for title, _, _ in PRESSES)), rows)
    return (HERE / "buttons.in.md").read_text().replace("{{table}}", table).replace("{{heirs}}", _heirs())


def _heirs() -> str:
    rows = []
    for missing in BUTTONS:
        wired = replace(Settings().buttons, **{missing: None})
        (heir,) = (key for key in keys_of(wired) if key.also == missing)
        name = heir.name.upper()
        rows.append([missing.upper(), f"{name}, {LONGER:g} s", f"{name}, {LONGEST:g} s"])
    times = f"A hold is {HOLD:g} s; NEXT then repeats every {REPEAT:g} s. Down for {STUCK:g} s, a button is stuck: it is named and ignored."
    return table_of(("not there", "its press", "its hold"), rows) + "\n\n" + times


if __name__ == "__main__":
    (HERE / "buttons.md").write_text(buttons_md())
