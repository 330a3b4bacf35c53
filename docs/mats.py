"""Draw the mats of every game and list them in build-your-own.md: python docs/mats.py

Everything comes from the games themselves. A test compares the files with what is made here.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from companion.app.opening import load_texts
from companion.core import ANTENNA, CARD, Game, Mat, Place, say
from companion.core.mats import MOST
from companion.library import Names, Speaker, shelf
from firmware_bridge.plan import EACH

HERE = Path(__file__).parent
PAGE = HERE / "build-your-own.md"
BEGIN, END = "<!-- made by docs/mats.py -->\n", "<!-- end -->\n"
SEATS = 4
SCALE = 0.6
"""Pixels per millimetre."""


def speaker_of(game: Game[Any, Any]) -> Speaker:
    return Speaker(load_texts(game), "en", Names((), lambda _piece: say(""), game.place))


def drawing(game: Game[Any, Any], mat: Mat) -> str:
    """The mat from above: cards dashed, antennas drawn, each with its number and its place."""
    speaker = speaker_of(game)
    width, height = mat.size()
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * SCALE:.0f}" height="{height * SCALE:.0f}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(title(game, mat))}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#e8dfc8" stroke="#6b5a33"/>',
    ]
    for number, spot in enumerate(mat.spots, 1):
        place = say("reader.wand") if spot.place is None else say("reader.zone", place=Place(spot.place))
        out += [
            _rect(spot.x, spot.y, CARD, 'rx="4" fill="#fdfaf1" stroke="#6b5a33" stroke-dasharray="4 3"'),
            _rect(spot.x, spot.y, ANTENNA, 'rx="2" fill="none" stroke="#8a5a00" stroke-width="2"'),
            f'<text x="{spot.x}" y="{spot.y + 8}" font-size="24" font-weight="bold">{number}</text>',
            f'<text x="{spot.x}" y="{spot.y + 55}" font-size="10.5">{escape(speaker.say(place, "oled"))}</text>',
        ]
    return "\n".join([*out, "</svg>", ""])


def _rect(x: int, y: int, size: tuple[int, int], how: str) -> str:
    return f'<rect x="{x - size[0] / 2:g}" y="{y - size[1] / 2:g}" width="{size[0]}" height="{size[1]}" {how}/>'


def title(game: Game[Any, Any], mat: Mat) -> str:
    speaker = speaker_of(game)
    return f"{speaker.key('game.title')}: {speaker.key(f'mat.{mat.name}')}"


def picture(game: Game[Any, Any], mat: Mat) -> Path:
    return HERE / "pictures" / f"mat-{game.id}-{mat.name}.svg"


def usual(game: Game[Any, Any]) -> tuple[Mat, ...]:
    """The mats for four seats, except the single wand, which needs no drawing."""
    return game.mats(SEATS)[1:]


def section() -> str:
    games = [shelf.open(game_id) for game_id in shelf.games()]
    return "\n".join(line for game in games for line in (*of_game(game), ""))


def of_game(game: Game[Any, Any]) -> list[str]:
    low, high = game.seats
    numbers = range(low, high + 1)
    lines = [
        f"**{speaker_of(game).key('game.title')}**",
        "",
        f"| mat | what has readers | readers for {' / '.join(map(str, numbers))} seats | without a reader |",
        "|---|---|---|---|",
    ]
    for at, mat in enumerate(game.mats(low)):
        each = [game.mats(seats)[at] for seats in numbers]
        lines.append(
            f"| `{mat.name}` | {speaker_of(game).key(f'mat.{mat.name}')} | "
            f"{' / '.join(str(len(one.spots)) for one in each)} | {without(game, each, low)} |"
        )
    drawn = (f"![{title(game, mat)}, for {SEATS} seats]({picture(game, mat).relative_to(HERE)})" for mat in usual(game))
    return [*lines, "", *drawn]


def without(game: Game[Any, Any], each: list[Mat], low: int) -> str:
    """From how many seats on something has no reader, and what."""
    first = next((at for at, mat in enumerate(each) if mat.left_out), None)
    if first is None:
        return "–"
    left = speaker_of(game).key("reader.zone", place=Place(each[first].left_out[0]))
    return f"with {low + first} seats or more: {left[0].lower()}{left[1:]}, and what follows"


def parts() -> str:
    """What to buy for each number of readers."""
    rows = ["| readers | with MFRC522 | with PN532 |", "|---|---|---|"]
    for low, high in ((1, 8), (9, 12), (13, 16), (17, MOST)):
        simple, behind = -(-high // EACH["mfrc522"]), -(-high // EACH["pn532"])
        each = "each with a TCA9548A" if behind > 1 else "with a TCA9548A"
        rows.append(f"| {low} to {high} | {_picos(simple)} | {_picos(behind)}, {each} |")
    return "\n".join([*rows, "", ""])


def _picos(number: int) -> str:
    return "1 Pico" if number == 1 else f"{number} Picos"


def page() -> str:
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n{parts()}{section()}{END}{rest.split(END)[1]}"


def made() -> dict[Path, str]:
    """Every file and what should be in it."""
    games = [shelf.open(game_id) for game_id in shelf.games()]
    drawings = {picture(game, mat): drawing(game, mat) for game in games for mat in usual(game)}
    return {PAGE: page(), **drawings}


if __name__ == "__main__":
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
