"""Starts a language: python docs/recipes/new_language.py de

Every folder of texts gets a de.po with the English texts, to be translated one by one. Existing files are left
alone.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
USUAL = "(n != 1)"


def begin(root: Path, lang: str, plural: str = USUAL) -> list[Path]:
    """The files that were written."""
    written = []
    for english in sorted(root.glob("[!.]*/**/en.po")):
        path = english.with_name(f"{lang}.po")
        if not path.exists():
            text = english.read_text("utf-8").replace('"Language: en\\n"', f'"Language: {lang}\\n"')
            path.write_text(re.sub(r"plural=\(.*?\);", f"plural={plural};", text, count=1), "utf-8")
            written.append(path)
    return written


if __name__ == "__main__":
    if not re.fullmatch("[a-z]{2}", sys.argv[1] if len(sys.argv) > 1 else ""):
        sys.exit(f"Say which language, in two letters: {sys.argv[0]} de")
    for made in begin(ROOT, *sys.argv[1:3]):
        print(made.relative_to(ROOT))
