"""All sheets of a game in order: instructions, cards, docks and seats, boards, counters, backs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from msgspec import Struct

from companion.app.opening import load_texts
from companion.app.sheet import Paper
from companion.core import (
    Board,
    Counter,
    Dock,
    Front,
    Game,
    Piece,
    Place,
    PlaceId,
    Prints,
    Said,
    Seat,
    SeatId,
    Setup,
    Token,
    say,
)
from companion.library import NUMBERS, Lang, Names, Speaker, Things, codes_of

from .backs import draw_back
from .boards import draw_board, height_of
from .counters import ON_A_SHEET, cell, draw_counter, draw_grid
from .docks import draw_dock, draw_reference, draw_seat_card
from .faces import FONTS
from .first_page import Backs, how
from .fronts import draw_front
from .paper import COLUMNS, GRID, ROWS, Page, card_marks, margin, new_pdf, page_of
from .pen import Pen, Placed

Kind = Literal["all", "labels", "blank"]
_T = TypeVar("_T")
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The same sheets give the same file, whenever they are made."""


class Order(Struct, frozen=True):
    """What to print: a game and its setup, in the words of `speaker`.

    The backs come `once` per deck, to be printed on as many sheets as needed; or after `each` sheet, for a printer that
    prints on both sides; or not at all. With `labels` only codes, with `blank` only the cards that nobody has described
    yet.
    """

    game: Game[Any, Any]
    setup: Setup[Any]
    speaker: Speaker
    paper: Paper = "a4"
    kind: Kind = "all"
    backs: Backs = "once"
    fonts: Path = FONTS


class Made(Struct, frozen=True):
    """The PDF, its codes, what did not fit and which signs no face has: the last two are empty for our own packs."""

    pdf: bytes
    sheets: int
    codes: tuple[Placed, ...]
    cut: tuple[str, ...]
    missing: tuple[str, ...]


class Sheet(Struct, frozen=True):
    """One page: its name, what to do with it, and what draws it."""

    title: Said
    doing: Said
    draw: Callable[[Pen, Page], None]
    back: int | None = None


Sheets: TypeAlias = Iterator[Sheet]
_CUT: Final = say("print.cut")


def make(order: Order) -> Made:
    """The whole PDF."""
    page, sheets = page_of(order.paper), tuple(_ordered(order))
    pdf = new_pdf(order.paper)
    pdf.set_creation_date(_EPOCH)
    things = _things(order)
    pen = Pen(pdf, order.speaker, codes_of(things), order.game.icons, order.fonts)
    title = order.speaker.key("game.title")
    pdf.set_title(title)
    pdf.set_lang(order.speaker.lang)
    for number, sheet in enumerate(sheets, 1):
        pdf.add_page()
        sheet.draw(pen, page)
        said = say("print.number-of", number=number, of=len(sheets))
        heading = f"{title} · {order.speaker.say(sheet.title)}"
        margin(pen, page, heading, order.speaker.say(sheet.doing), order.speaker.say(said))
    faces = pen.faces
    return Made(bytes(pdf.output()), len(sheets), tuple(pen.placed), tuple(faces.cut), tuple(sorted(faces.missing)))


def order_of(
    game: Game[Any, Any],
    pack: Any,
    seats: int,
    lang: Lang,
    paper: Paper = "a4",
    kind: Kind = "all",
    backs: Backs = "once",
) -> Order:
    """An order for a pack of a game; nobody sits at the seats yet, so they go by number."""
    names = Names((), lambda piece: game.describe(pack, piece), game.place)
    options = tuple((option.name, option.choices[0]) for option in game.options)
    setup = Setup(game.id, game.version, seats, options, pack)
    return Order(game, setup, Speaker(load_texts(game), lang, names), paper, kind, backs)


def _things(order: Order) -> Things:
    game, pack = order.game, order.setup.pack
    return Things(game.id, game.pieces(pack), game.seats[1], places=game.places(pack))


def prints_of(game: Game[Any, Any], setup: Setup[Any]) -> Prints:
    """What the game says; by default a plain card for each piece and a counter for each place."""
    if game.prints is not None:
        return game.prints(setup)
    fronts = tuple(Front(token=Token("piece", p), name=say("choice", item=Piece(p))) for p in game.pieces(setup.pack))
    return Prints(
        fronts=fronts,
        counters=tuple(_place_counter(place) for place in game.places(setup.pack)),
    )


def _place_counter(place: PlaceId) -> Counter:
    return Counter(say("choice", item=Place(place)), token=Token("place", place))


def _ordered(order: Order) -> Sheets:
    game, prints = order.game, prints_of(order.game, order.setup)
    match order.kind:
        case "labels":
            yield from _label_sheets(game, order.setup)
        case "blank":
            yield from _with_backs(order, _card_sheets(tuple(f for f in prints.fronts if not f.is_described)))
        case "all":
            first = Sheet(say("print.how"), say("print.keep"), how(order.backs))
            cards = _card_sheets(prints.fronts)
            yield from _with_backs(order, (first, *cards, *_seat_sheets(order, prints), *_others(prints)))


def _with_backs(order: Order, sheets: Sequence[Sheet] | Sheets) -> Sheets:
    made = tuple(sheets)
    for sheet in made:
        yield sheet
        if order.backs == "each":
            yield _back(sheet.back)
    if order.backs == "once":
        yield from (_back(back) for back in dict.fromkeys(sheet.back for sheet in made) if back is not None)


def _back(back: int | None) -> Sheet:
    if back is None:
        return Sheet(say("print.empty"), say("print.empty"), lambda _pen, _page: None)
    return Sheet(say("print.back"), say("print.back.doing"), lambda pen, page: draw_back(pen, page, back))


def _each(things: Iterable[_T], number: int) -> Iterator[tuple[_T, ...]]:
    """This many at a time."""
    left = iter(things)
    while some := tuple(islice(left, number)):
        yield some


def _card_sheets(fronts: tuple[Front, ...]) -> Sheets:
    """Nine to a sheet; each sheet has cards of only one deck, so that it needs only one back."""
    for number, (_, deck) in enumerate(groupby(fronts, key=lambda front: front.back)):
        for nine in _each(deck, COLUMNS * ROWS):
            first = nine[0]
            title = first.kind or first.name
            yield Sheet(title, _CUT, _cards(nine), number)


def _cards(nine: tuple[Front, ...]) -> Callable[[Pen, Page], None]:
    def draw(pen: Pen, page: Page) -> None:
        card_marks(pen, page)
        for at, front in enumerate(nine):
            row, column = divmod(at, COLUMNS)
            draw_front(pen, *page.cell(column, row), front)

    return draw


def _seat_sheets(order: Order, prints: Prints) -> Sheets:
    """With a dock, the seat's card is below it; without, three seats fit on a sheet."""
    seats = tuple(map(SeatId, range(order.setup.seats)))
    for dock in prints.docks[: order.setup.seats]:
        yield Sheet(say("choice", item=Seat(dock.seat)), _CUT, _dock(prints, dock))
    if not prints.docks:
        for three in _each(seats, ROWS):
            yield Sheet(say("print.seats"), _CUT, _seats(prints, three))


def _dock(prints: Prints, dock: Dock) -> Callable[[Pen, Page], None]:
    def draw(pen: Pen, page: Page) -> None:
        card_marks(pen, page)
        draw_dock(pen, page.left, page.top, dock)
        _seat_row(pen, page, ROWS - 1, dock.seat, prints)

    return draw


def _seats(prints: Prints, seats: tuple[SeatId, ...]) -> Callable[[Pen, Page], None]:
    def draw(pen: Pen, page: Page) -> None:
        card_marks(pen, page)
        for row, seat in enumerate(seats):
            _seat_row(pen, page, row, seat, prints)

    return draw


def _seat_row(pen: Pen, page: Page, row: int, seat: SeatId, prints: Prints) -> None:
    draw_seat_card(pen, *page.cell(0, row), seat)
    if prints.reference:
        draw_reference(pen, *page.cell(1, row), prints.reference)


def _others(prints: Prints) -> Sheets:
    yield from _board_sheets(prints.boards)
    numbers = tuple(Counter(say("print.number-tile", n=n), token=Token("number", n)) for n in NUMBERS)
    each = (counter for counter in prints.counters for _ in range(counter.copies))
    yield from _counter_sheets((*each, *numbers))


def _board_sheets(boards: tuple[Board, ...]) -> Sheets:
    """As many as fit, one below the other."""
    for many in _each(boards, max(1, int(GRID[1] // max(map(height_of, boards), default=1)))):
        yield Sheet(many[0].name, say("print.cut-line"), _boards(many))


def _boards(boards: tuple[Board, ...]) -> Callable[[Pen, Page], None]:
    def draw(pen: Pen, page: Page) -> None:
        y = page.top
        for board in boards:
            draw_board(pen, page.left + (GRID[0] - board.width) / 2, y, board)
            y += height_of(board)

    return draw


def _counter_sheets(counters: tuple[Counter, ...]) -> Sheets:
    for many in _each(counters, ON_A_SHEET):
        yield Sheet(say("print.counters"), say("print.cut-line"), _counters(many))


def _counters(counters: tuple[Counter, ...]) -> Callable[[Pen, Page], None]:
    def draw(pen: Pen, page: Page) -> None:
        draw_grid(pen, page, len(counters))
        for at, counter in enumerate(counters):
            draw_counter(pen, *cell(page, at), counter)

    return draw


def _label_sheets(game: Game[Any, Any], setup: Setup[Any]) -> Sheets:
    """A code for everything that can be shown, and nothing else."""
    pieces = (Counter(say("choice", item=Piece(p)), token=Token("piece", p)) for p in game.pieces(setup.pack))
    places = (_place_counter(place) for place in game.places(setup.pack))
    seats = (Counter(say("choice", item=Seat(SeatId(s))), token=Token("seat", s)) for s in range(setup.seats))
    numbers = (Counter(say("print.number-tile", n=n), token=Token("number", n)) for n in NUMBERS)
    yield from _counter_sheets((*pieces, *places, *seats, *numbers))
