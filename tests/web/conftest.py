"""An evening of pick-a-card on a real table, phones around it, and an honest pretend box."""

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
from jinja2 import BytecodeCache, FileSystemBytecodeCache
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.test import TestResponse

from companion.app.updating import Incoming, asks_in
from companion.box import carrying, hands
from companion.box import stack as box_itself
from companion.core import (
    REFEREE,
    Button,
    GameId,
    Name,
    OpenGame,
    PieceId,
    Pressed,
    ReaderId,
    Said,
    SeatId,
    Seq,
    Setup,
    SetupError,
    Token,
    Uid,
)
from companion.journal import Journal
from companion.library import Lang, Tagbook, Texts
from companion.table import (
    Carried,
    Desk,
    Doctor,
    Fault,
    Held,
    Lamp,
    PretendReader,
    Referee,
    Surface,
    Table,
    Updates,
    checkup,
)
from tests.chromium import CHROMIUM, USUAL, Faces, launch
from tests.patience import PATIENCE
from tests.pick import ALL_CHIPS, GAME, Bet, Pack
from tests.pick_face import TEXTS as PICK_TEXTS
from tests.printed import Album
from web import TEXTS, create_app

HOST = "box.test"
LOCALE = Path(__file__).parents[2] / "companion" / "locale"


AXE = "axe-core@4"
Browsers = Callable[[Faces], Browser]


# A phone can type any number: one beyond a purse is refused by its rule, not by the page.
PICK = replace(
    GAME, verbs=tuple(replace(v, span=lambda _s, _i: (1, ALL_CHIPS)) if v.intent is Bet else v for v in GAME.verbs)
)
CARDS = ("Ace", "Cog", "Bat", "Dam", "Elk", "Fox")


def setup_for(seats: int, cards: tuple[str, ...] = CARDS) -> Setup[Pack]:
    """Two cards for everybody and none to draw: Ada holds Ace and Cog, Ben Bat and Dam."""
    return Setup(GAME.id, 1, seats, (("x", "off"),), Pack(tuple(map(PieceId, cards[: 2 * seats]))))


class Host:
    """A host that keeps what was asked, and does nothing."""

    is_new = True
    practises_since: Seq | None = None

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []

    def end_practice(self) -> None:
        self.asked.append(("end-practice",))

    def play(self, game: GameId) -> None:
        self.asked.append(("play", game))

    def let_bots(self, on: bool, hands: SeatId | None = None) -> None:
        self.asked.append(("bots", on, hands))

    def speak(self, lang: Lang) -> None:
        self.asked.append(("speak", lang))


class Box:
    """A pretend box without wires: it keeps what was done to it, and presses go straight to the table."""

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
        game, touched = now.game, carrying.touched(now, carrying.meanings(now))
        pack, rows = game.pack_now(now.state), carrying.rows(now).items
        return Surface(game.layout(now.state), pack, game.picture(now.state), touched, rows)

    def carry(self, held: Token) -> Held:
        now = self._table.snapshot
        known, why = carrying.meanings(now), carrying.reasons(now, held)
        return Held(carrying.lit(known, held), bool(carrying.about(known, held)), why.on, why.otherwise)

    def drop(self, held: Token | None, on: Token) -> bool:
        now = self._table.snapshot
        moves = carrying.inputs(now, box_itself.REST, carrying.meanings(now), held, on)
        for move in moves:
            assert isinstance(move, hands.Tap), "this toy is played with tags"
            self._did("tap", f"{move.token.kind}:{move.token.value}")
        return bool(moves)

    def choose(self, rows: tuple[Said, ...], at: int) -> bool:
        now = carrying.rows(self._table.snapshot)
        if now.items == rows:
            self.turn(now.steps[at])
            self.press("ok", False)
        return now.items == rows

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
        """Show something with these codes to the camera."""
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
    folder = tmp_path_factory.mktemp("pick-texts")
    for number, lang in enumerate(("en", "fr")):
        lines = [f'msgid ""\nmsgstr "Language: {lang}\\nContent-Type: text/plain; charset=utf-8\\n"\n']
        lines += [f'msgid "{key}"\nmsgstr "{said[number]}"\n' for key, said in PICK_TEXTS.items()]
        with (folder / f"{lang}.mo").open("wb") as out:
            write_mo(out, read_po(BytesIO("\n".join(lines).encode())))
    return Texts.load(folder, TEXTS, LOCALE)


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty journal, made once: making one waits for the disk several times."""
    path = tmp_path_factory.mktemp("blank") / "journal.db"
    Journal.open(path).close()
    return path


@pytest.fixture
def table(tmp_path: Path, blank: Path) -> Iterator[Table]:
    shutil.copyfile(blank, tmp_path / "journal.db")
    with Journal.open(tmp_path / "journal.db") as journal:
        ticks = iter(range(10**6))
        referee = Referee.begin(PICK, setup_for(2), ("Ada", "Ben"), "strict", journal, lambda: float(next(ticks)))

        def opens(wish: OpenGame, carried: Carried) -> Referee:
            if wish.game != GAME.id or not 2 <= len(wish.names) <= 3:
                raise SetupError("only pick-a-card is on this shelf")
            again = replace(setup_for(len(wish.names)), options=wish.options)
            return Referee.begin(PICK, again, wish.names, wish.mode, journal, lambda: float(next(ticks)), carried)

        table = Table(Desk(referee, Tagbook(), box_itself.Box(), None, opens))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def box(table: Table) -> Box:
    return Box(table)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> BytecodeCache:
    """Templates, compiled once for all apps of a process instead of once for each."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(
    table: Table, texts: Texts, box: Box, doctor: Doctor, compiled: BytecodeCache, hosting: Host, updates: Updates
) -> Flask:
    names = (HOST, "localhost", "127.0.0.1")
    book = table._desk.tagbook
    address = f"http://{HOST}"
    extras: dict[str, Any] = {"tagbook": book, "doctor": doctor, "photos": Album(), "host": hosting, "updates": updates}
    made = create_app(table, texts, box, names, address=lambda: address, **extras)
    made.jinja_env.bytecode_cache = compiled
    return made


@pytest.fixture
def hosting() -> Host:
    return Host()


@pytest.fixture
def updates(tmp_path: Path) -> Updates:
    """On a machine that only notes that it was asked."""
    return Updates(asks_in(tmp_path), Incoming(tmp_path).take)


@pytest.fixture
def doctor() -> Doctor:
    """One that checks nothing and always finds the same."""
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
    """Returns the browser with only these fonts; each is started once."""
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
    return browsers(USUAL)
