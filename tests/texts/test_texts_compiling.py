"""The build step takes good texts and names every bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_build import BadTexts, compile_texts


def put(root: Path, text: str, name: str = "en.po") -> Path:
    folder = root / "companion" / "games" / "toy" / "texts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


GOOD = 'msgid "a"\nmsgstr "A {b}"\n'


def test_each_source_gets_its_compiled_file_beside_it(tmp_path: Path) -> None:
    path = put(tmp_path, GOOD)
    assert compile_texts(tmp_path) == (path.with_suffix(".mo"),)
    assert compile_texts(tmp_path, always=True) == (path.with_suffix(".mo"),)


def test_the_same_texts_are_the_same_bytes_whenever_they_are_compiled(tmp_path: Path) -> None:
    compiled = put(tmp_path, GOOD).with_suffix(".mo")
    compile_texts(tmp_path)
    assert b"POT-Creation-Date: 1970-01-01 00:00+0000" in compiled.read_bytes()


def test_only_folders_of_texts_are_taken(tmp_path: Path) -> None:
    (tmp_path / "web" / "static").mkdir(parents=True)
    (tmp_path / "web" / "static" / "en.po").write_text(GOOD, encoding="utf-8")
    assert compile_texts(tmp_path) == ()


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ('msgid "a"\nmsgstr "A {b"\n', "line 1: 'a': expected '}'"),
        ('msgid "a"\nmsgstr "A {b.secret}"\n', "{b.secret} is no plain fact name"),
        ('msgid "a"\nmsgstr "A {}"\n', "{} is no plain fact name"),
        ('msgid "a"\nmsgstr ""\n', "'a' has no text"),
        ('msgid "a"\nmsgstr "{n:card}"\n', "{n:card} wants two words, for one and for many"),
        ('msgid "a"\nmsgstr "{n:no|one|two}"\n', "{n:no|one|two} wants two words"),
        (GOOD + "\n" + GOOD, "'a' is there 2 times"),
        ('msgctxt "oled"\nmsgid "a"\nmsgstr "x"\n\nmsgctxt "oled"\nmsgid "a"\nmsgstr "y"\n', "'a' (oled) is there 2"),
        ('msgid "a\nmsgstr "A"\n', "en.po"),
        ("nonsense\n", "en.po"),
    ],
)
def test_a_bad_text_is_named_and_nothing_is_written(tmp_path: Path, bad: str, told: str) -> None:
    path = put(tmp_path, bad)
    with pytest.raises(BadTexts) as caught:
        compile_texts(tmp_path)
    assert told in str(caught.value)
    assert "companion/games/toy/texts/en.po" in str(caught.value)
    assert not path.with_suffix(".mo").exists()


def test_all_bad_texts_are_named_at_once(tmp_path: Path) -> None:
    put(tmp_path, 'msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr "{"\n')
    put(tmp_path, 'msgid "c"\nmsgstr ""\n', "fr.po")
    with pytest.raises(BadTexts) as caught:
        compile_texts(tmp_path)
    assert [key in str(caught.value) for key in ("'a'", "'b'", "'c'")] == [True] * 3


def test_french_signs_stay_on_the_line_of_their_word(tmp_path: Path) -> None:
    text = 'msgid "a"\nmsgid_plural "a"\nmsgstr[0] "« {n} » : oui ! 5 %"\nmsgstr[1] "quoi ?"\n'
    for name in ("fr.po", "en.po"):
        put(tmp_path, text, name)
    french, english = (
        compiled.read_bytes().decode("utf-8", "replace")
        for compiled in sorted(compile_texts(tmp_path), key=lambda path: path.stem, reverse=True)
    )
    assert "«\u00a0{n}\u00a0»\u00a0: oui\u00a0! 5\u00a0%" in french
    assert "quoi\u00a0?" in french
    assert "« {n} » : oui ! 5 %" in english


def test_an_apostrophe_is_printed_as_one(tmp_path: Path) -> None:
    text = 'msgid "a"\nmsgstr "{seat}\'s turn, not the others\' or l\'autre"\n'
    compiled = compile_texts(put(tmp_path, text).parents[4])
    assert "{seat}’s turn, not the others’ or l’autre" in compiled[0].read_bytes().decode("utf-8", "replace")
