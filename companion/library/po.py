"""Texts read straight from their `.po` file, for games whose package was built without compiling them.

Supports only what we write: msgctxt, msgid, msgid_plural, msgstr, strings continued on the next line, comments.
Standard library only, because the build step reads this file before anything is installed.
"""

from __future__ import annotations

import ast
import io
import re
import struct
from gettext import GNUTranslations
from pathlib import Path
from typing import Final

_LINE: Final = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)?\s*(".*")')
_PLURALS: Final = {"fr": "(n > 1)"}
_ENGLISH: Final = "(n != 1)"

# `.po` files contain the signs that people type; readers get those of a printed page.
_APOSTROPHE: Final = re.compile(r"(?<=[\w}])'")
_FRENCH_SIGNS: Final = re.compile(r" (?=[:;!?»%])|(?<=«) ")
"""Spaces at which French lines never break."""
_NO_BREAK: Final = "\u00a0"


def printed(text: str, lang: str) -> str:
    """One kind of apostrophe; French punctuation stays on the line of its word."""
    text = _APOSTROPHE.sub("’", text)
    return _FRENCH_SIGNS.sub(_NO_BREAK, text) if lang == "fr" else text


def read(path: Path) -> GNUTranslations:
    """The texts of one file, named after its language; raises ValueError with the line that cannot be read."""
    return GNUTranslations(io.BytesIO(compiled(path)))


def compiled(path: Path) -> bytes:
    """The same, as the bytes of a `.mo` file."""
    rule = _PLURALS.get(path.stem, _ENGLISH)
    texts = {"": f"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural={rule};\n"}
    for entry in _entries(path):
        if key := entry.get("msgid"):
            whole = f"{key}\0{entry['msgid_plural']}" if "msgid_plural" in entry else key
            forms = [printed(text, path.stem) for name, text in entry.items() if name.startswith("msgstr")]
            texts[f"{entry['msgctxt']}\x04{whole}" if "msgctxt" in entry else whole] = "\0".join(forms)
    return _packed(texts)


def _entries(path: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = [{}]
    name = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"line {number} is not a text: {line!r}")
        if match[1] == "msgctxt" or (match[1] == "msgid" and set(found[-1]) != {"msgctxt"}):
            found.append({})
        name = match[1] or name
        found[-1][name] = found[-1].get(name, "") + ast.literal_eval(match[2])
    return found


def _packed(texts: dict[str, str]) -> bytes:
    """A header, the position of each key and of each text, then all of them."""
    keys = sorted(texts)
    rows, data = [list[bytes](), list[bytes]()], b""
    start = 28 + 16 * len(keys)
    for row, words in zip(rows, (keys, [texts[key] for key in keys]), strict=True):
        for word in words:
            encoded = word.encode("utf-8")
            row.append(struct.pack("<II", len(encoded), start + len(data)))
            data += encoded + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, start)
    return head + b"".join(rows[0]) + b"".join(rows[1]) + data
