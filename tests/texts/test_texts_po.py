"""Texts read as they were written are those that were compiled."""

from __future__ import annotations

from gettext import GNUTranslations
from pathlib import Path

import pytest

from companion.library import Texts, po
from companion.library.texts import TextsDamaged
from hatch_build import sources

ROOT = Path(__file__).parent.parent.parent


def content(found: GNUTranslations) -> dict[object, str]:
    return {key: text for key, text in found._catalog.items() if key}  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", sources(ROOT), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_of_ours_reads_the_same_from_its_source(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    written = po.read(path)
    assert content(written) == content(compiled)
    assert [written.plural(n) for n in range(4)] == [compiled.plural(n) for n in range(4)]  # type: ignore[attr-defined]


def test_strings_that_go_on_surfaces_and_plurals(tmp_path: Path) -> None:
    (tmp_path / "fr.po").write_text(
        '# a comment\nmsgid "a"\nmsgstr "une "\n"ligne"\nmsgctxt "oled"\nmsgid "a"\nmsgstr "l\'une !"\n'
        'msgid "b"\nmsgid_plural "b"\nmsgstr[0] "{n} carte"\nmsgstr[1] "{n} cartes"\n',
        "utf-8",
    )
    (tmp_path / "en.po").write_text('msgid "a"\nmsgstr "a line"\n', "utf-8")
    texts = Texts.load(tmp_path)
    assert texts.find("fr", "a", "", None) == "une ligne"
    assert texts.find("fr", "a", "oled", None) == "l’une\u00a0!"
    assert [texts.find("fr", "b", "", n) for n in (0, 1, 2)] == ["{n} carte", "{n} carte", "{n} cartes"]


@pytest.mark.parametrize("bad", ["nonsense\n", 'msgid "a\nmsgstr "A"\n', 'msgid "a"\nmsgstr A\n'])
def test_a_line_that_is_no_text_is_told(tmp_path: Path, bad: str) -> None:
    for name in ("en.po", "fr.po"):
        (tmp_path / name).write_text(bad, "utf-8")
    with pytest.raises(TextsDamaged, match=r"en\.po cannot be read \(line \d"):
        Texts.load(tmp_path)


def test_a_games_own_word_wins_over_a_shared_one_on_every_surface(tmp_path: Path) -> None:
    """A game that says a thing its own way is not interrupted by the short form of what others say."""
    for folder, text in (
        ("own", 'msgid "a"\nmsgstr "mine"\n'),
        ("shared", 'msgctxt "oled"\nmsgid "a"\nmsgstr "all"\n'),
    ):
        (tmp_path / folder).mkdir()
        for name in ("en.po", "fr.po"):
            (tmp_path / folder / name).write_text(text, "utf-8")
    texts = Texts.load(tmp_path / "own", tmp_path / "shared")
    assert texts.find("en", "a", "oled", None) == "mine"
