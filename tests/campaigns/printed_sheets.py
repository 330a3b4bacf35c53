"""Every game in both languages on both papers, as a printer would make it: every code is read and every text fits.

    python tests/campaigns/printed_sheets.py [--short]

The sheets are drawn by poppler at 150 dots to the inch. Each code must be found on its page and no other; each piece
and place of the pack has one; nothing lies where printers do not print; nothing is cut off and no sign is missing. With
--short, one game in French on Letter. The control is a sheet that is printed a quarter as large: its codes cannot be
read, and that is told.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product

from companion.app.opening import all_tags
from companion.app.printing.sheets import Made, Order, make
from companion.app.sheet import Paper
from companion.library import LANGS, Lang, Things, codes_of, shelf
from tests.sheets import DPI, is_white_at_the_edge, order, rendered, unread

PAPERS: tuple[Paper, ...] = ("a4", "letter")


def problems(asked: Order, made: Made) -> list[str]:
    images = list(rendered(made.pdf))
    game, pack = asked.game, asked.setup.pack
    codes = codes_of(Things(game.id, game.pieces(pack), game.seats[1], places=game.places(pack)))
    there = {codes.thing(placed.digits) for placed in made.codes}
    wrong = [f"page {page}: {digits} is not read, or should not be there" for page, digits in unread(made, images)]
    wrong += [f"page {n}: printed at the edge" for n, image in enumerate(images, 1) if not is_white_at_the_edge(image)]
    wrong += [f"not printed: {tag}" for tag in all_tags(game, asked.setup) if tag not in there]
    wrong += [f"cut: {text}" for text in made.cut]
    return wrong + [f"no face has {sign!r}" for sign in made.missing]


def is_caught_when_small() -> bool:
    """The control: at a quarter of the size nearly no code can be read, and it is told."""
    made = make(order(shelf.open("actionworks")))
    return len(unread(made, list(rendered(made.pdf, DPI // 4)))) > len(made.codes) // 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="one game, one language, one paper")
    short = parser.parse_args().short
    every: list[tuple[str, Lang, Paper]] = list(product(shelf.games(), LANGS, PAPERS))
    failed, codes = 0, 0
    for game, lang, paper in [("timeline", "fr", "letter")] if short else every:
        asked = order(shelf.open(game), lang=lang, paper=paper)
        made = make(asked)
        wrong = problems(asked, made)
        failed, codes = failed + len(wrong), codes + len(made.codes)
        print(f"{game}, {lang}, {paper}: {made.sheets} sheets, {len(made.codes)} codes, {len(wrong)} problems")
        for each in wrong:
            print(f"  {each}")
    caught = is_caught_when_small()
    print(f"{codes} codes, {failed} problems; sheets that are too small are {'caught' if caught else 'NOT CAUGHT'}")
    return int(bool(failed) or not caught)


if __name__ == "__main__":
    sys.exit(main())
