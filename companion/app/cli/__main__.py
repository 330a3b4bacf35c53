"""`python -m companion.app.cli` is `companion`."""

from companion.app.cli import main

main(prog_name="companion")
