"""A form filled in wrongly: everything that is wrong is reported at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from companion.core import PieceId
from companion.library import fill, nearest, read_toml


class Coil(Struct, frozen=True, tag_field="kind", tag="coil"):
    turns: Annotated[int, Meta(ge=1, le=9)]


class Lens(Struct, frozen=True, tag_field="kind", tag="lens"):
    glass: Literal["flint", "crown"] = "crown"


class Bench(Struct, frozen=True, rename={"wide": "width"}):
    name: Annotated[str, Meta(min_length=1, max_length=8)]
    first: PieceId
    parts: tuple[Coil | Lens, ...] = ()
    pair: tuple[int, str] = (0, "")
    wide: float = 1.0
    labels: dict[str, int] = {}
    open: bool = True
    spare: Coil | None = None

    def __post_init__(self) -> None:
        if self.wide < 0:
            raise ValueError("expected a width that is not negative")


GOOD: dict[str, Any] = {
    "name": "Ada",
    "first": "coil-1",
    "parts": [{"kind": "coil", "turns": 3}, {"kind": "lens"}],
    "pair": [1, "x"],
    "width": 2,
    "labels": {"a": 1},
    "spare": {"kind": "coil", "turns": 2},
}


def problems(**changed: Any) -> list[str]:
    made, found = fill(Bench, GOOD | changed, "bench.toml")
    assert (made is None) == bool(found)
    return [problem.line() for problem in found]


def test_a_good_form_gives_the_struct() -> None:
    made, found = fill(Bench, GOOD, "bench.toml")
    assert found == ()
    assert made == Bench("Ada", PieceId("coil-1"), (Coil(3), Lens()), (1, "x"), 2.0, {"a": 1}, True, Coil(2))


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"name": 7}, "bench.toml: name = 7: expected a text of 1 to 8 characters"),
        ({"nam": 1}, "bench.toml: nam: is not known here"),
        ({"parts": {}}, "bench.toml: parts = {}: expected a list"),
        (
            {"parts": [{"kind": "coil", "turns": 12}]},
            "bench.toml: parts[0].turns = 12: expected a whole number from 1 to 9",
        ),
        ({"parts": [{"kind": "coil"}]}, "bench.toml: parts[0].turns: is missing; expected a whole number from 1 to 9"),
        (
            {"parts": [{"kind": "coyl", "turns": 1}]},
            'bench.toml: parts[0].kind = "coyl": expected one of "coil", "lens"; did you mean coil?',
        ),
        ({"parts": [{"turns": 1}]}, 'bench.toml: parts[0].kind: expected one of "coil", "lens"'),
        (
            {"parts": [{"kind": "lens", "glass": "crwn"}]},
            'bench.toml: parts[0].glass = "crwn": expected one of "flint", "crown"; did you mean "crown"?',
        ),
        (
            {"parts": [{"kind": "coil", "turns": 1, "trns": 2}]},
            "bench.toml: parts[0].trns: is not known here",
        ),
        ({"pair": [1]}, "bench.toml: pair = [1]: expected a list of 2"),
        ({"width": -1}, "bench.toml: expected a width that is not negative"),
        ({"labels": {"b c": "x"}}, 'bench.toml: labels."b c" = "x": expected a whole number'),
        ({"open": 1}, "bench.toml: open = 1: expected true or false"),
        ({"spare": 3}, "bench.toml: spare = 3: expected a table"),
    ],
)
def test_each_kind_of_problem_is_told(changed: dict[str, Any], line: str) -> None:
    assert problems(**changed) == [line]


def test_a_misspelt_key_is_guessed() -> None:
    form = {"nam": "Ada", "first": "x"}
    _, found = fill(Bench, form, "bench.toml")
    assert [problem.line() for problem in found] == [
        "bench.toml: nam: is not known here; did you mean name?",
        "bench.toml: name: is missing; expected a text of 1 to 8 characters",
    ]


def test_all_problems_come_at_once() -> None:
    assert len(problems(name="", first=3, parts=[{"kind": "x"}, {"kind": "coil", "turns": 0}], open="yes", wdth=1)) == 6


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["name", "first", "parts", "pair", "width", "labels", "open", "spare"]), json_like)
)
def test_whatever_is_written_there_it_is_a_struct_or_problems(form: dict[str, Any]) -> None:
    made, found = fill(Bench, form, "bench.toml")
    assert (made is None) == bool(found)


def test_broken_toml_tells_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1\nb = \n")
    tables, found = read_toml(path, "x.toml")
    assert tables == {}
    assert "line 2" in found[0].line()
    path.write_bytes(b"a = '\xff'")
    assert "UTF-8" in read_toml(path, "x.toml")[1][0].line()
    assert "cannot be read" in read_toml(tmp_path / "none.toml", "none.toml")[1][0].line()


def test_nothing_near_is_no_guess() -> None:
    assert nearest("zzz", ["language", "port"]) == ""
