"""The case to print: python docs/case.py [FOLDER] [--display small] [--computer zero] [--wand pn532]

With FOLDER, writes base.stl, lid.stl and wand.stl there, for the parts that were chosen. Without, makes what is kept: measures.scad
from measures.toml, and the pictures. Both need OpenSCAD, pictures also an X server (`xvfb-run python docs/case.py`).
Renders are kept by the hash of what they were made from, so that a second run takes no time. A test compares.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from PIL import Image, PngImagePlugin

HERE = Path(__file__).parent
CASE = HERE.parent / "hw" / "case"
PARTS = ("base", "lid", "wand")
PICTURES = {
    "case-apart": ("apart", "148,40,62,60,0,20,560"),
    "case-together": ("together", "142,58,14,50,0,345,600"),
    "case-inside": ("inside", "84,56,22,42,0,20,420"),
}
"""Each picture: what it shows, and from where (OpenSCAD's --camera)."""
CHOICES = {"display": "large", "computer": "pi", "wand": "mfrc522"}
KEPT = HERE.parent / "build" / "case"
MADE_FROM = "made from"


def tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads((CASE / "measures.toml").read_text())


def measures(**chosen: str) -> dict[str, Any]:
    """Every measure under its name in the model, for the chosen parts."""
    found: dict[str, Any] = {}
    for table, rows in tables().items():
        choice = chosen.get(table, CHOICES.get(table, ""))
        picked = {**{k: v for k, v in rows.items() if not isinstance(v, dict)}, **(rows[choice] if choice else {})}
        found |= {f"{table}_{name}": value for name, value in picked.items() if name != "buy"}
    return found


def variants(table: str) -> list[str]:
    return [name for name, value in tables()[table].items() if isinstance(value, dict)]


def to_buy() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part that is bought, with its own measures."""
    for table, rows in tables().items():
        kinds = [value for value in rows.values() if isinstance(value, dict)]
        yield from ((table, {**rows, **kind}) for kind in kinds or [rows] if "buy" in kind)


def scad(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(scad, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def measures_scad() -> str:
    lines = [f"{name} = {scad(value)};" for name, value in measures().items()]
    return "// Made from measures.toml by docs/case.py.\n" + "\n".join(lines) + "\n"


def inputs(*more: object) -> str:
    """The hash of everything that a render depends on."""
    text = (CASE / "case.scad").read_text() + repr(more)
    return blake2b(text.encode(), digest_size=12).hexdigest()


def rendered(part: str, kept: Path = KEPT, **chosen: str) -> Path:
    """The STL of one part, rendered only if something it depends on has changed."""
    found = measures(**chosen)
    path = kept / f"{part}-{inputs(found)}.stl"
    if not path.exists():
        _openscad(path, "case.scad", {**found, "part": part})
    return path


def _openscad(path: Path, model: str, sets: dict[str, Any], *options: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    given = [word for name, value in sets.items() for word in ("-D", f"{name}={scad(value)}")]
    with tempfile.TemporaryDirectory(dir=path.parent) as room:  # complete or not at all
        draft = Path(room) / path.name
        command = ["openscad", "-q", "-o", str(draft), *given, *options, str(CASE / model)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not draft.exists():
            raise SystemExit(f"OpenSCAD could not make {path.name}: {done.stderr}")
        os.replace(draft, path)


def pictured(name: str) -> str:
    """What a picture is made from."""
    return inputs(measures(), (CASE / "picture.scad").read_text(), PICTURES[name])


def draw(name: str) -> None:
    shown, camera = PICTURES[name]
    parts = {f"{part}_file": str(rendered(part)) for part in PARTS}
    view = ("--camera", camera, "--imgsize", "1800,1290", "--colorscheme", "Tomorrow", "--projection", "p")
    with tempfile.TemporaryDirectory() as room:
        draft = Path(room) / "draft.png"
        _openscad(draft, "picture.scad", {**parts, "shown": shown}, *view)
        notes = PngImagePlugin.PngInfo()
        notes.add_text(MADE_FROM, pictured(name))
        small = Image.open(draft).convert("RGB").resize((900, 645), Image.Resampling.LANCZOS)
        small.quantize(96).save(HERE / "pictures" / f"{name}.png", pnginfo=notes, optimize=True)


def asked() -> argparse.Namespace:
    reads = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reads.add_argument("folder", nargs="?", type=Path, help="where to write the STL files")
    for table, usual in CHOICES.items():
        reads.add_argument(f"--{table}", choices=variants(table), default=usual)
    return reads.parse_args()


def main() -> None:
    wanted = asked()
    if wanted.folder is None:
        (CASE / "measures.scad").write_text(measures_scad())
        for name in PICTURES:
            print(f"Drawing {name} ...", file=sys.stderr)
            draw(name)
        return
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        print(f"Rendering {part} ...", file=sys.stderr)
        path = wanted.folder / f"{part}.stl"
        path.write_bytes(rendered(part, **{table: getattr(wanted, table) for table in CHOICES}).read_bytes())
        print(path)


if __name__ == "__main__":
    main()
