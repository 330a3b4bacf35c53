"""A pack is a folder of TOML files; its author is told everything that is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, Struct

from companion.core import PieceId
from companion.library import InBoth, PackError, packs


class Part(Struct, frozen=True):
    id: PieceId
    value: Annotated[int, Meta(ge=1, le=9)]


class Parts(Struct, frozen=True):
    parts: tuple[Part, ...]
    deal: int = 2


class Named(Struct, frozen=True):
    id: str
    name: InBoth
    parts: tuple[Part, ...]


HEAD = """
id = "our-parts"
author = "The table companion authors"
name = { en = "Our parts", fr = "Nos pièces" }
note = { en = "Values are ours.", fr = "Les valeurs sont les nôtres." }
"""
CARDS = """
[[parts]]
id = "coil-1"
value = 3
"""


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def refused(path: Path) -> list[str]:
    with pytest.raises(PackError) as caught:
        packs.load(path, Parts)
    *problems, then = str(caught.value).splitlines()
    assert then.startswith("Repair the pack in ")
    return problems


def test_a_pack_may_be_one_file_or_several(tmp_path: Path) -> None:
    assert packs.load(folder(tmp_path, pack=HEAD, cards=CARDS), Parts) == Parts((Part(PieceId("coil-1"), 3),))


def test_a_pack_type_that_asks_for_the_head_gets_it(tmp_path: Path) -> None:
    pack = packs.load(folder(tmp_path, pack=HEAD + CARDS), Named)
    assert (pack.id, pack.name.fr) == ("our-parts", "Nos pièces")


def test_the_head_can_be_read_alone(tmp_path: Path) -> None:
    head = packs.head(folder(tmp_path, pack=HEAD, cards="parts = 7"))
    assert head.note.en == "Values are ours."
    with pytest.raises(PackError, match=r"pack.toml: author: is missing"):
        packs.head(folder(tmp_path, pack=HEAD.replace("author =", "author2 =")))


@pytest.mark.parametrize(("name", "called"), [("our_parts", "our-parts"), ("toy_game/pack", "toy-game")])
def test_a_pack_without_an_id_is_called_as_its_folder(tmp_path: Path, name: str, called: str) -> None:
    """The one that ships with a game is named after the game."""
    there = tmp_path / name
    there.mkdir(parents=True)
    (there / "pack.toml").write_text("\n".join(line for line in (HEAD + CARDS).splitlines() if 'id = "our' not in line))
    assert packs.load(there, Named).id == packs.head(there).id == called


def test_every_problem_is_told_with_its_file(tmp_path: Path) -> None:
    head = HEAD.replace("our-parts", "Our Parts").replace(', fr = "Nos pièces"', "")
    cards = CARDS.replace("value", "vaule") + "\n[[parts]]\nid = 4\nvalue = 12\n"
    assert refused(folder(tmp_path, pack=head, cards=cards, more="dael = 3")) == [
        'pack.toml: id = "Our Parts": expected an id, such as "our-parts"',
        "pack.toml: name.fr: is missing; expected a text of 1 to 400 characters",
        "more.toml: dael: is not known here; did you mean deal?",
        "cards.toml: parts[0].vaule: is not known here; did you mean parts[0].value?",
        "cards.toml: parts[0].value: is missing; expected a whole number from 1 to 9",
        "cards.toml: parts[1].id = 4: expected a text",
        "cards.toml: parts[1].value = 12: expected a whole number from 1 to 9",
    ]


def test_the_same_key_in_two_files_is_a_problem(tmp_path: Path) -> None:
    assert refused(folder(tmp_path, pack=HEAD + CARDS, cards=CARDS)) == [
        "pack.toml: parts: is in cards.toml too; keep one"
    ]


def test_a_folder_without_a_pack_says_so(tmp_path: Path) -> None:
    [problem] = refused(tmp_path / "nowhere")
    assert problem.startswith("pack.toml: is missing: expected it in ")


def test_the_same_files_give_the_same_pack_and_another_file_another(tmp_path: Path) -> None:
    """Games cache by the pack what they have worked out."""
    home = folder(tmp_path, pack=HEAD, cards=CARDS)
    first = packs.load(home, Parts)
    assert packs.load(home, Parts) is first
    folder(tmp_path, cards=CARDS.replace("3", "44"))
    with pytest.raises(PackError, match="value"):
        packs.load(home, Parts)
    folder(tmp_path, cards=CARDS.replace("3", "4"), more="deal = 3\n")
    assert packs.load(home, Parts) == Parts((Part(PieceId("coil-1"), 4),), 3)
    (home / "more.toml").unlink()
    folder(tmp_path, cards=CARDS)
    assert packs.load(home, Parts) is first, "as it was: by what it holds, not by when it was written"
