"""The case to print: closed, small enough for a printer, every part fits its place, and the lid fits the base.

An opening matches a part if the part goes through and one that is larger by SLACK doesn't. Everything here works
like that: we try what should fit, and then something that shouldn't.
"""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from PIL import Image
from trimesh import Trimesh
from trimesh.creation import box, cylinder
from trimesh.transformations import rotation_matrix, translation_matrix

DOCS = Path(__file__).parents[3] / "docs"
SLACK = 0.3
ROUND = 0.05
"""By how much a printed circle, which is a polygon, is narrower than it claims."""
TOUCH = 0.01
"""Cubic millimetres of overlap that rounding makes of two touching faces."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("openscad") is None, reason="needs OpenSCAD")]


@pytest.fixture(scope="module")
def case() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "case.py"))


@pytest.fixture(scope="module")
def m(case: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = case["measures"]()
    return found


@pytest.fixture(scope="module")
def printed(case: dict[str, Any]) -> dict[str, Trimesh]:
    return {part: trimesh.load_mesh(case["rendered"](part)) for part in case["PARTS"]}


Part = Callable[[float, float], Trimesh]
"""What should fit, enlarged by this much across and along."""


def overlap(one: Trimesh, other: Trimesh) -> float:
    both = trimesh.boolean.intersection([one, other], engine="manifold")
    with np.errstate(invalid="ignore", divide="ignore"):  # two faces that only touch have no centre
        return 0.0 if both.is_empty else abs(float(both.volume))


def moved(mesh: Trimesh, x: float = 0, y: float = 0, z: float = 0) -> Trimesh:
    found = mesh.copy()
    found.apply_transform(translation_matrix([x, y, z]))
    return found


def block(at: tuple[float, float, float], size: tuple[float, float, float]) -> Trimesh:
    return moved(box(size), *at)


def rod(at: tuple[float, float, float], wide: float, tall: float) -> Trimesh:
    return moved(cylinder(radius=wide / 2, height=tall, sections=180), *at)


def matches(mesh: Trimesh, part: Part, less: float = 0.0) -> bool:
    """Whether `part` fits as it is, but not once it is larger by the slack in either direction."""
    fits = overlap(mesh, part(-less, -less)) < TOUCH
    return fits and all(overlap(mesh, part(*more)) > TOUCH for more in ((SLACK, 0.0), (0.0, SLACK)))


# --- what should be where ---------------------------------------------------------------------------------------------


def through_the_lid(m: dict[str, Any]) -> dict[str, Part]:
    """What goes through the lid on its slope, by name."""

    def seen(across: float, along: float) -> Trimesh:
        wide, high = m["display_window"]
        return block((*m["display_at"], m["case_lid"] / 2), (wide + across, high + along, m["case_lid"] + 1))

    rounds = {name: (at, m["button_round"]) for name, at in zip(m["button_names"], m["button_at"], strict=True)}
    rounds |= {name: (m[f"{name}_at"], m[f"{name}_round"]) for name in ("dial", "lamp")}
    face = m["case_depth"] / np.cos(np.radians(m["case_slope"]))
    corners = [(x, y) for x in (m["case_inset"], m["case_width"] - m["case_inset"]) for y in (8.0, face - 8.0)]
    rounds |= {f"screw {n}": (at, m["case_screw"]) for n, at in enumerate(corners)}

    def plug(at: tuple[float, float], wide: float) -> Part:
        return lambda a, b: rod((*at, m["case_lid"] / 2), wide + max(a, b), m["case_lid"] + 1)

    return {"window": seen, **{name: plug(at, wide) for name, (at, wide) in rounds.items()}}


def in_the_pocket(m: dict[str, Any]) -> Part:
    x, y = m["buzzer_at"]
    return lambda a, b: rod((x, y, -m["buzzer_rim"] / 2), m["buzzer_round"] + max(a, b), m["buzzer_rim"] - 0.2)


def corner(m: dict[str, Any], name: str) -> tuple[float, float, float]:
    """Where corner 0, 0 of a board is in the box, at the top of the board."""
    right = m["case_wall"] + m["computer_away"] + m["computer_board"][0]
    if name == "pico":
        right = m["case_width"] - m["case_wall"] - m["pico_from_right"]
    top = m["case_floor"] + m[f"{name}_up"] + m[f"{name}_thick"]
    return right, m["case_depth"] - m["case_wall"] - m[f"{name}_away"], top


def through_the_walls(m: dict[str, Any]) -> Iterator[Part]:
    """The plugs of both boards, and the wires."""
    deep = 2 * m["case_wall"]

    def wall(at: tuple[float, float, float], size: tuple[float, float, float], thin: int) -> Part:
        x, y, z = size
        if thin == 0:
            return lambda a, b: block(at, (x, y + a, z + b))
        return lambda a, b: block(at, (x + a, y, z + b))

    for name in ("computer", "pico"):
        x, y, z = corner(m, name)
        for along, up, wide, high in m[f"{name}_back"]:
            yield wall((x - along, m["case_depth"] - deep / 4, z + up), (wide, deep, high), 1)
    _, y, z = corner(m, "computer")
    for along, up, wide, high in m["computer_left"]:
        yield wall((deep / 4, y - along, z + up), (deep, wide, high), 0)
    wide, high = m["wires_size"]
    yield wall((m["case_width"] - deep / 4, m["wires_at"], m["wires_up"] + high / 2), (deep, wide, high), 0)


def into_the_posts(m: dict[str, Any]) -> Iterator[Part]:
    """A rod in each post's hole, at the position of the board's hole."""

    def stands(x: float, y: float, name: str) -> Part:
        tall = m[f"{name}_up"]
        return lambda a, b: rod((x, y, m["case_floor"] + tall / 2 + 0.2), m[f"{name}_hole"] + max(a, b), tall - 0.4)

    x, y, _ = corner(m, "computer")
    yield from (stands(x - along, y - across, "computer") for along, across in m["computer_holes"])
    x, y, _ = corner(m, "pico")
    yield from (stands(x - across, y - along, "pico") for along, across in m["pico_holes"])


def under_the_wand(m: dict[str, Any]) -> Part:
    wide, high = m["wand_board"]
    x, y = (n / 2 for n in m["wand_size"])
    z = m["wand_top"] + m["wand_thick"] / 2
    return lambda a, b: block((x, y, z), (wide + a, high + b, m["wand_thick"] - 0.1))


def bodies(m: dict[str, Any]) -> dict[str, Trimesh]:
    """All parts as blocks of their real size, in their places with the lid on."""
    found = {}
    for name, turned in (("computer", False), ("pico", True)):
        x, y, z = corner(m, name)
        long, short = reversed(m[f"{name}_board"]) if turned else m[f"{name}_board"]
        tall = m[f"{name}_tall"] + m[f"{name}_thick"]
        found[name] = block((x - long / 2, y - short / 2, z - m[f"{name}_thick"] + tall / 2), (long, short, tall))
    below = {
        name: (at, m["button_body"], m["button_deep"])
        for name, at in zip(m["button_names"], m["button_at"], strict=True)
    }
    below |= {name: (m[f"{name}_at"], m[f"{name}_body"], m[f"{name}_deep"]) for name in ("dial", "lamp")}
    for name, ((x, y), (wide, high), deep) in below.items():
        found[name] = on_the_slope(block((x, y, -deep / 2 - 0.01), (wide, high, deep)), m)
    x, y = m["buzzer_at"]
    found["buzzer"] = on_the_slope(rod((x, y, -m["buzzer_deep"] / 2 - 0.01), m["buzzer_round"], m["buzzer_deep"]), m)
    found["display"] = on_the_slope(display(m), m)
    return found


def display(m: dict[str, Any]) -> Trimesh:
    """Its board with four holes, and its glass against the lid."""
    x, y = m["display_at"][0], m["display_at"][1] - m["display_above"]
    thick = 1.6
    board = block((x, y, -m["display_thick"] + thick / 2), (*m["display_board"], thick))
    away, up = (n / 2 for n in m["display_holes"])
    holes = [rod((x + a, y + b, -m["display_thick"]), m["display_hole"], 4) for a in (-away, away) for b in (-up, up)]
    with_holes = trimesh.boolean.difference([board, *holes], engine="manifold")
    deep = m["display_thick"] - thick - 0.02
    glass = block((x, y, -deep / 2 - 0.01), (*m["display_glass"], deep))
    both: Trimesh = trimesh.boolean.union([with_holes, glass], engine="manifold")
    return both


def on_the_slope(mesh: Trimesh, m: dict[str, Any]) -> Trimesh:
    found = mesh.copy()
    found.apply_transform(rotation_matrix(np.radians(m["case_slope"]), [1, 0, 0]))
    return moved(found, z=m["case_front"])


# --- the proofs, each with something that it must catch -------------------------------------------------------------


def is_printable(mesh: Trimesh, bed: float) -> bool:
    return bool(mesh.is_volume and len(mesh.split()) == 1 and max(mesh.extents[:2]) <= bed)


def test_each_part_is_one_closed_body_and_fits_the_bed(printed: dict[str, Trimesh], m: dict[str, Any]) -> None:
    assert [part for part, mesh in printed.items() if not is_printable(mesh, m["case_bed"])] == []
    torn = printed["lid"].copy()
    torn.update_faces(np.arange(len(torn.faces)) > 0)
    large = printed["lid"].copy()
    large.apply_scale(1.35)
    two = printed["wand"] + moved(printed["wand"], z=40)
    assert not any(is_printable(mesh, m["case_bed"]) for mesh in (torn, large, two)), "the control"


def test_what_goes_through_the_lid_goes_through_and_is_held(printed: dict[str, Trimesh], m: dict[str, Any]) -> None:
    wanted = through_the_lid(m)
    assert len(wanted) == 11
    assert [name for name, part in wanted.items() if not matches(printed["lid"], part)] == []
    assert matches(printed["lid"], in_the_pocket(m))


@pytest.mark.parametrize(
    ("name", "value"),
    [("dial_round", 7.3), ("lamp_round", 4.6), ("display_window", [30.4, 16.0]), ("display_at", [60.4, 78.0])],
)
def test_a_part_that_differs_from_its_opening_is_noticed(
    printed: dict[str, Trimesh], m: dict[str, Any], name: str, value: object
) -> None:
    """The control."""
    assert not all(matches(printed["lid"], part) for part in through_the_lid({**m, name: value}).values())


def test_plugs_wires_and_screws_meet_the_base(printed: dict[str, Trimesh], m: dict[str, Any]) -> None:
    plugs, posts = list(through_the_walls(m)), list(into_the_posts(m))
    assert [len(plugs), len(posts)] == [4, 8]
    assert all(matches(printed["base"], plug) for plug in plugs)
    assert all(matches(printed["base"], post, ROUND) for post in posts)
    wrong = {**m, "computer_back": [[11.8, 1.6, 12.0, 7.0]], "pico_holes": [[2.0, 5.4]]}
    assert not all(matches(printed["base"], plug) for plug in through_the_walls(wrong)), "the control"
    assert not all(matches(printed["base"], post, ROUND) for post in into_the_posts(wrong)), "the control"


def test_the_reader_lies_between_its_rails(printed: dict[str, Trimesh], m: dict[str, Any]) -> None:
    assert matches(printed["wand"], under_the_wand(m))
    assert not matches(printed["wand"], under_the_wand({**m, "wand_board": [59.0, 39.5]})), "the control"


def test_lid_and_base_fit_each_other(printed: dict[str, Trimesh], m: dict[str, Any]) -> None:
    base, lid = printed["base"], on_the_slope(printed["lid"], m)
    assert overlap(base, lid) < TOUCH, "it goes on"
    assert overlap(base, moved(lid, z=-0.1)) > 10, "and rests on the whole rim"
    half, more = m["case_gap"] / 2, m["case_gap"] + 0.1
    ways = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    slid = {by: [moved(printed["lid"], x * by, y * by) for x, y in ways] for by in (half, more)}
    assert all(overlap(base, on_the_slope(each, m)) < TOUCH for each in slid[half]), "with a little room"
    assert all(overlap(base, on_the_slope(each, m)) > TOUCH for each in slid[more]), "and does not slide"
    wide = printed["lid"].copy()
    wide.apply_scale([1.004, 1, 1])
    assert overlap(base, on_the_slope(wide, m)) > TOUCH, "the control"


def collisions(solids: dict[str, Trimesh]) -> list[tuple[str, str]]:
    names = sorted(solids)
    pairs = [(one, other) for n, one in enumerate(names) for other in names[n + 1 :]]
    return [pair for pair in pairs if overlap(solids[pair[0]], solids[pair[1]]) > TOUCH]


def test_everything_has_room_inside(printed: dict[str, Trimesh], m: dict[str, Any]) -> None:
    shell = {"base": printed["base"], "lid": on_the_slope(printed["lid"], m)}
    assert collisions({**shell, **bodies(m)}) == []
    crowded = bodies({**m, "button_at": [*m["button_at"][:3], [124.0, 62.0]], "pico_from_right": -1.0})
    assert collisions({**shell, **crowded}) == [("NEXT", "dial"), ("base", "pico")], "the control"


def test_pictures_and_measures_are_of_this_model(case: dict[str, Any]) -> None:
    """They record which model they were made from, because pixels differ between graphics drivers."""
    assert (case["CASE"] / "measures.scad").read_text() == case["measures_scad"](), "python docs/case.py"
    for name in case["PICTURES"]:
        with Image.open(DOCS / "pictures" / f"{name}.png") as picture:
            assert picture.info[case["MADE_FROM"]] == case["pictured"](name), f"{name}: xvfb-run python docs/case.py"


def test_a_render_is_made_once_and_again_when_a_measure_changes(case: dict[str, Any], tmp_path: Path) -> None:
    first = case["rendered"]("wand", tmp_path)
    made = first.stat().st_mtime_ns
    assert case["rendered"]("wand", tmp_path).stat().st_mtime_ns == made
    other = case["rendered"]("wand", tmp_path, wand="pn532")
    assert other != first
    assert matches(trimesh.load_mesh(other), under_the_wand(case["measures"](wand="pn532")))
