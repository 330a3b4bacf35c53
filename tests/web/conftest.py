"""A toy game with hands, a number and a correction, the real table under it, and an honest pretend box."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.test import TestResponse

from companion.box import stack as box_itself
from companion.core import (
    REFEREE,
    Bar,
    Button,
    Card,
    Cell,
    Check,
    Checks,
    Decision,
    Disc,
    Event,
    Facts,
    Finding,
    Game,
    GameId,
    Guarded,
    Hidden,
    Intent,
    Ledger,
    Lies,
    Line,
    Meter,
    Name,
    Noted,
    OpenGame,
    Part,
    Picture,
    Piece,
    PieceId,
    PlaceId,
    Pressed,
    Public,
    ReaderId,
    Result,
    Row,
    Rule,
    RuleId,
    Said,
    Seat,
    SeatId,
    Setup,
    SetupError,
    Shape,
    Shown,
    Slots,
    Standing,
    Static,
    Status,
    Stroke,
    Token,
    Track,
    Uid,
    Verb,
    Zone,
    alone,
    say,
    unless,
)
from companion.journal import Journal
from companion.library import Tagbook, Texts
from companion.table import Carried, Desk, Doctor, Fault, Lamp, PretendReader, Referee, Surface, Table, Updates, checkup
from tests.chromium import CHROMIUM, DEJAVU, Faces, launch
from tests.patience import PATIENCE
from tests.printed import Album
from web import TEXTS, create_app

HOST = "box.test"
LOCALE = Path(__file__).parents[2] / "companion" / "locale"


AXE = "axe-core@4"
Browsers = Callable[[Faces], Browser]


class ToyPack(Struct, frozen=True):
    cards: tuple[str, ...]


NO_SETUP: Setup[ToyPack] = Setup(GameId("toy"), 1, 0, (), ToyPack(()))


class ToyState(Struct, frozen=True):
    turn: Public[SeatId]
    hands: Guarded[tuple[Hidden[tuple[PieceId, ...]], ...]]
    played: Public[tuple[PieceId, ...]]
    gold: Public[tuple[int, ...]]
    setup: Static[Setup[ToyPack]] = NO_SETUP


class Play(Intent, frozen=True):
    card: PieceId


class Bid(Intent, frozen=True):
    amount: int


class EndTurn(Intent, frozen=True):
    pass


class SetGold(Intent, frozen=True):
    seat: SeatId
    amount: int


class Played(Event, frozen=True):
    actor: Public[SeatId]
    card: Public[PieceId]


class Paid(Event, frozen=True):
    actor: Public[SeatId]
    amount: Public[int]


class TurnEnded(Event, frozen=True):
    actor: Public[SeatId]


class GoldSet(Event, frozen=True):
    seat: Public[SeatId]
    amount: Public[int]


def _start(setup: Setup[ToyPack]) -> ToyState:
    cards = [PieceId(card) for card in setup.pack.cards]
    hands = tuple(Hidden(tuple(cards[i :: setup.seats]), (SeatId(i),)) for i in range(setup.seats))
    return ToyState(SeatId(0), hands, (), (5,) * setup.seats, setup)


def _apply(state: ToyState, event: Event) -> ToyState:
    match event:
        case Played(actor=actor, card=card):
            hand = state.hands[actor]
            left = Hidden(tuple(c for c in hand.value if c != card), hand.known_by)
            hands = (*state.hands[:actor], left, *state.hands[actor + 1 :])
            return replace(state, hands=hands, played=(*state.played, card))
        case Paid(actor=actor, amount=amount):
            return _with_gold(state, actor, state.gold[actor] - amount)
        case GoldSet(seat=seat, amount=amount):
            return _with_gold(state, seat, amount)
        case _:
            return replace(state, turn=state.setup.left_of(state.turn))


def _with_gold(state: ToyState, seat: SeatId, gold: int) -> ToyState:
    return replace(state, gold=(*state.gold[:seat], gold, *state.gold[seat + 1 :]))


def _not_in_hand(state: ToyState, intent: Play) -> Facts | None:
    return unless(intent.card not in state.hands[intent.actor].value, card=Piece(intent.card))


def _cannot_pay(state: ToyState, intent: Bid) -> Facts | None:
    return unless(intent.amount > state.gold[intent.actor], gold=state.gold[intent.actor], amount=intent.amount)


def _layout(state: ToyState) -> tuple[Lies, ...]:
    held = (Lies(c, PlaceId(f"hand-{i}"), "down") for i, hand in enumerate(state.hands) for c in hand.value)
    return (*held, *(Lies(card, PlaceId("middle"), "up") for card in state.played))


def _panels(gold: int) -> tuple[Shown, ...]:
    """Every panel that a page can draw."""
    said = say("toy.gold", n=gold)
    bar, check, row = (
        Bar(said, (Part(said, gold, "used"), Part(said, 1, "left"))),
        Check(said, False, RuleId("T3")),
        Row(said, said, "1"),
    )
    return (
        Standing((said,), SeatId(0), say("toy.stands"), say("toy.word"), str(gold), bar, (check,), said, (said,)),
        Slots((), (Cell(said, "lab", said, 1, down=True), Cell(said, "lab"))),
        Meter((), (bar,), said),
        Track((), said, ("1", "2", "!"), 1, said),
        Checks((), said, (check,)),
        Noted(said, "lab"),
        Ledger((), said, said, (row,)),
        Ledger((), said, said, (row,), folded=True),
    )


def _picture(state: ToyState) -> Picture:
    held = [
        Card(10 + 70 * i, 10 + 110 * s, 60, 90, say("toy.card", card=Piece(c)), down=True)
        for s, hand in enumerate(state.hands)
        for i, c in enumerate(hand.value)
    ]
    shapes: tuple[Shape, ...] = (
        Zone(0, 0, 360, 110, say("toy.zone"), SeatId(0), Token("place", "hand-0")),
        *held,
        Stroke(((0, 215), (360, 235)), "brass", "double", say("toy.zone")),
        Stroke(((0, 225), (360, 225)), "brass", "double"),
    )
    disc = Disc(330, 260, 14, say("toy.pawn", who=Seat(state.turn)), state.turn, "seal")
    return Picture(360, 300, (*shapes, disc), tuple(card.said for card in held))


TURN: Rule[Any, Any] = Rule(RuleId("T1"), "turn", lambda s, a: unless(s.turn != a, who=Seat(s.turn)))
HELD: Rule[Any, Any] = Rule(RuleId("T2"), "held", _not_in_hand, physical=True)
NO_MORE: Rule[Any, Any] = Rule(RuleId("T3"), "chips", lambda s, i: unless(i.amount > 99), physical=True)
PAYS: Rule[Any, Any] = Rule(RuleId("T3"), "pays", _cannot_pay)

TOY: Game[ToyState, ToyPack] = Game(
    id=GameId("toy"),
    version=1,
    seats=(2, 4),
    options=(),
    rules=("T1", "T2", "T3"),
    pack=ToyPack,
    state=ToyState,
    event=Played | Paid | TurnEnded | GoldSet,
    verbs=(
        Verb(EndTurn, (TURN,), alone(EndTurn), (), lambda s, i: (TurnEnded(i.actor),)),
        Verb(
            Play,
            (TURN,),
            lambda s, a: (Play(a, c) for c in s.hands[a].value),
            (HELD,),
            lambda s, i: (Played(i.actor, i.card),),
        ),
        Verb(
            Bid,
            (TURN,),
            lambda s, a: (Bid(a, 1),),
            (PAYS,),
            lambda s, i: (Paid(i.actor, i.amount),),
            span=lambda s, i: (1, 9),
        ),
    ),
    corrections=(
        Verb(
            SetGold,
            (),
            lambda s, a: (SetGold(a, SeatId(seat), 0) for seat in range(len(s.gold))),
            (NO_MORE,),
            lambda s, i: (GoldSet(i.seat, i.amount),),
            span=lambda s, i: (0, 99),
            now=lambda s, i: s.gold[i.seat],
        ),
    ),
    start=_start,
    decisions=lambda s: (Decision("act", (s.turn,), str(len(s.played))),),
    forced=lambda s: (),
    apply=_apply,
    result=lambda s: None if any(h.value for h in s.hands) else Result((SeatId(0),), say("toy.over")),
    weight=lambda s, i: 1,
    layout=_layout,
    pieces=lambda pack: tuple(PieceId(c) for c in pack.cards),
    describe=lambda pack, piece: say("toy.piece", name=Name(piece)),
    place=lambda place: Said(f"place.{place}"),
    headline=lambda s: say("toy.headline", n=len(s.played)),
    icons={"lab": '<path d="M9 3h6v6l5 12H4l5-12z"/>'},
    own=lambda s, seat: (
        say("toy.gold", n=s.gold[seat]),
        *(say("toy.card", card=Piece(c)) for c in s.hands[seat].value),
    ),
    status=lambda s: Status(_panels(s.gold[0]), (Finding(RuleId("T3"), say("toy.poor")),) if s.gold[0] == 0 else ()),
    picture=_picture,
    foresee=lambda s, i: (say("toy.foreseen"),),
    series=lambda s: (Line("toy.series", s.gold), Line("toy.series", (len(s.played),))),
    bot=lambda view, seat, legal, number: legal[number % len(legal)],
)

TOY_TEXTS = {
    "game.title": ("Toy & Co", "Jouet & Cie"),
    "game.short": ("TOY", "JOUET"),
    "toy.stands": ("stands well", "est bien"),
    "toy.word": ("Gold", "or"),
    "verb.play": ("Play a card", "Jouer une carte"),
    "verb.bid": ("Bid", "Miser"),
    "verb.end-turn": ("End the turn", "Finir le tour"),
    "verb.set-gold": ("Set Gold", "Fixer l’or"),
    "intent.play": ("Play {card}", "Jouer {card}"),
    "intent.bid": ("Bid {amount}", "Miser {amount}"),
    "intent.end-turn": ("End the turn", "Finir le tour"),
    "intent.set-gold": ("{seat} has {amount} Gold", "{seat} a {amount} pièces"),
    "no.chips": ("There are 99 chips.", "Il y a 99 jetons."),
    "event.played": ("{actor} played {card}", "{actor} a joué {card}"),
    "event.paid": ("{actor} paid {amount}", "{actor} a payé {amount}"),
    "event.turn-ended": ("{actor} ended the turn", "{actor} a fini le tour"),
    "event.gold-set": ("Gold of {seat} set to {amount}", "Or de {seat} fixé à {amount}"),
    "decide.act": ("Play, bid or end the turn.", "Jouez, misez ou finissez le tour."),
    "no.turn": ("It is the turn of {who}.", "C’est le tour de {who}."),
    "ok.turn": ("It is your turn", "C’est votre tour"),
    "no.held": ("{card} is not in your hand.", "{card} n’est pas dans votre main."),
    "ok.held": ("The card is in your hand", "La carte est dans votre main"),
    "no.pays": ("{amount} is more than your {gold} Gold.", "{amount}, c’est plus que vos {gold} pièces."),
    "ok.pays": ("You can pay it", "Vous pouvez payer"),
    "rule.T1": ("Only the seat whose turn it is acts.", "Seul celui dont c’est le tour agit."),
    "rule.T2": ("A card is played from the own hand.", "Une carte se joue de sa propre main."),
    "rule.T3": ("Nobody pays more than they own.", "Nul ne paie plus qu’il n’a."),
    "place.hand-0": ("Hand of the first seat", "Main de la première place"),
    "place.hand-1": ("Hand of the second seat", "Main de la deuxième place"),
    "place.middle": ("The middle", "Le milieu"),
    "toy.zone": ("First hand", "Première main"),
    "toy.card": ("{card}", "{card}"),
    "toy.pawn": ("Pawn of {who}", "Pion de {who}"),
    "toy.piece": ("Card {name}", "Carte {name}"),
    "toy.headline": ("{n} played", "{n} jouées"),
    "toy.gold": ("{n} Gold", "{n} pièces"),
    "toy.poor": ("The first seat is out of Gold.", "La première place n’a plus d’or."),
    "toy.over": ("All cards are played.", "Toutes les cartes sont jouées."),
    "toy.series": ("Gold over time", "L’or au fil du temps"),
    "toy.foreseen": ("then one card less", "puis une carte de moins"),
}


class Box:
    """A pretend box without wires: what was done to it is kept, and presses go straight to the table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lying: dict[Uid, ReaderId] = {}
        self._faults: set[Fault] = set()
        self._watchers: list[Callable[[], None]] = []
        self.done: list[tuple[str, ...]] = []

    def readers(self) -> tuple[PretendReader, ...]:
        return tuple(
            PretendReader(ReaderId(name), Said(f"reader.{name}"), tuple(u for u, r in self._lying.items() if r == name))
            for name in ("left", "right")
        )

    def surface(self) -> Surface:
        now = self._table.snapshot
        return Surface(now.game.layout(now.state), now.game.pack_now(now.state))

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        self._lying[uid] = reader
        self._did("lay", uid, reader)

    def lift(self, uid: Uid) -> None:
        self._lying.pop(uid, None)
        self._did("lift", uid)

    def press(self, button: Button, held: bool) -> None:
        self._did("press", button, str(held))
        self._table.put(Pressed(button, held))

    def turn(self, steps: int) -> None:
        self._did("turn", str(steps))

    def set_fault(self, fault: Fault, on: bool) -> None:
        (self._faults.add if on else self._faults.discard)(fault)
        self._did("fault", fault, str(on))

    def faults(self) -> tuple[Fault, ...]:
        return tuple(self._faults)

    def screen(self) -> bytes:
        out = BytesIO()
        Image.new("1", (128, 64)).save(out, "PNG")
        return out.getvalue()

    def lamp(self) -> Lamp:
        return Lamp("turn", 40, 160, 90)

    def seat_lamps(self) -> tuple[bool, ...]:
        return tuple(seat in self._table.snapshot.awaited for seat in range(8))

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        self._watchers.append(fn)
        return lambda: self._watchers.remove(fn)

    def _did(self, *what: str) -> None:
        self.done.append(what)
        for fn in tuple(self._watchers):
            fn()


class Phone:
    """One phone: a test client that sends what our script sends."""

    def __init__(self, app: Flask, table: Table, prefix: str = "") -> None:
        self.client: FlaskClient = app.test_client()
        self.table = table
        self.prefix = prefix
        self._commands = 0

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(self.prefix + path, base_url=f"http://{HOST}", headers=headers)

    def html(self, path: str, **headers: str) -> str:
        response = self.get(path, **headers)
        assert response.status_code == 200, response.status
        return response.get_data(as_text=True)

    def post(self, path: str, **content: Any) -> TestResponse:
        self._commands += 1
        content.setdefault("command", f"command-{id(self)}-{self._commands}")
        return self.client.post(
            self.prefix + path,
            base_url=f"http://{HOST}",
            json=content,
            headers={"X-Companion": "1", "Origin": f"http://{HOST}"},
        )

    def photo(self, *codes: str, kind: str = "image/jpeg", path: str = "/photo?", **more: Any) -> TestResponse:
        """Show what has these codes to the camera."""
        self._commands += 1
        return self.client.post(
            f"{self.prefix}{path}command=command-{id(self)}-{self._commands}",
            base_url=f"http://{HOST}",
            data=" ".join(codes).encode(),
            headers={"X-Companion": "1", "Origin": f"http://{HOST}", "Content-Type": kind, **more},
        )

    def act(self, intent: dict[str, Any], asked: int | None = None, **extra: Any) -> TestResponse:
        now = self.table.snapshot.asked[intent["actor"]] if asked is None else asked
        return self.post("/command", asked=now, wish={"type": "act", "intent": intent}, **extra)

    def sit(self, seat: int, name: str = "") -> Phone:
        """Ask for a seat, have OK held on the box, claim."""
        assert self.post("/join", seat=seat, name=name).status_code == 200
        self.hold_ok()
        assert self.post("/claim").status_code == 200
        return self

    @property
    def secret(self) -> str:
        """The cookie by which the box knows it."""
        kept = self.client.get_cookie("companion-seat", domain=HOST)
        assert kept is not None, "it sits nowhere"
        return kept.value

    def hold_ok(self) -> None:
        admitted = threading.Event()
        end = self.table.subscribe(lambda s: admitted.set() if any(each.admitted for each in s.joining) else None)
        self.table.put(Pressed("ok", held=True))
        assert admitted.wait(PATIENCE), "the box did not let the phone in"
        end()


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    folder = tmp_path_factory.mktemp("toy-texts")
    for number, lang in enumerate(("en", "fr")):
        lines = [f'msgid ""\nmsgstr "Language: {lang}\\nContent-Type: text/plain; charset=utf-8\\n"\n']
        lines += [f'msgid "{key}"\nmsgstr "{said[number]}"\n' for key, said in TOY_TEXTS.items()]
        with (folder / f"{lang}.mo").open("wb") as out:
            write_mo(out, read_po(BytesIO("\n".join(lines).encode())))
    return Texts.load(folder, TEXTS, LOCALE)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    setup = Setup(TOY.id, 1, 2, (), ToyPack(("Ace", "Bat", "Cog", "Dam")))
    with Journal.open(tmp_path / "journal.db") as journal:
        ticks = iter(range(10**6))
        referee = Referee.begin(TOY, setup, ("Ada", "Ben"), "strict", journal, lambda: float(next(ticks)))

        def opens(wish: OpenGame, carried: Carried) -> Referee:
            if wish.game != TOY.id or not 2 <= len(wish.names) <= 4:
                raise SetupError("only the toy is on this shelf")
            again = Setup(TOY.id, 1, len(wish.names), wish.options, setup.pack)
            return Referee.begin(TOY, again, wish.names, wish.mode, journal, lambda: float(next(ticks)), carried)

        table = Table(Desk(referee, Tagbook(), box_itself.Box(), None, opens))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def box(table: Table) -> Box:
    return Box(table)


@pytest.fixture
def app(table: Table, texts: Texts, box: Box, doctor: Doctor, updates: Updates) -> Flask:
    names = (HOST, "localhost", "127.0.0.1")
    book = table._desk.tagbook
    return create_app(
        table,
        texts,
        box,
        names,
        tagbook=book,
        address=lambda: f"http://{HOST}",
        doctor=doctor,
        photos=Album(),
        updates=updates,
    )


@pytest.fixture
def updates(tmp_path: Path) -> Updates:
    """On a machine that only notes that it was asked."""
    return Updates((tmp_path / "update").touch)


@pytest.fixture
def doctor() -> Doctor:
    """One that looks at nothing and always finds the same."""
    path = Name("/dev/ttyACM0")
    ill = (checkup.ailing("readers-locked", path=path), checkup.wrong("pins-lgpio"), checkup.absent("letters-absent"))
    return Doctor(lambda: (checkup.fine("clock"), *ill))


@pytest.fixture
def phone(app: Flask, table: Table) -> Callable[[], Phone]:
    return lambda: Phone(app, table)


@pytest.fixture
def ada(phone: Callable[[], Phone]) -> Phone:
    return phone().sit(0)


@pytest.fixture
def ben(phone: Callable[[], Phone]) -> Phone:
    return phone().sit(1)


@pytest.fixture
def referee(phone: Callable[[], Phone]) -> Phone:
    return phone().sit(REFEREE, "Rosa")


@pytest.fixture(scope="session")
def axe(request: pytest.FixtureRequest) -> str:
    """The script of axe-core, from npm; kept in pytest's cache."""
    folder = Path(request.config.cache.mkdir("axe"))
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        if shutil.which("npm") is None:
            pytest.skip("needs axe-core: install npm (apt-get install npm)")
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), AXE]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip(f"needs axe-core, which npm could not fetch: {' '.join(command)}")
    return script.read_text()


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page in which its script is loaded."""
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [f"{page.url} {v['id']}: {'; '.join(node['html'][:160] for node in v['nodes'][:3])}" for v in found]


@pytest.fixture(scope="session")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    """Gives the browser that has only these faces; each is started once."""
    if not CHROMIUM.exists():
        pytest.skip("needs Chromium: apt-get install chromium")
    folder, started = tmp_path_factory.mktemp("chromium"), dict[str, Browser]()
    with sync_playwright() as playwright:

        def with_faces(faces: Faces) -> Browser:
            if not faces.is_here:
                pytest.skip(f"needs other fonts: apt-get install {faces.package}")
            if faces.folder not in started:
                started[faces.folder] = launch(playwright, folder, faces)
            return started[faces.folder]

        yield with_faces
        for browser in started.values():
            browser.close()


@pytest.fixture(scope="session")
def chromium(browsers: Browsers) -> Browser:
    return browsers(DEJAVU)
