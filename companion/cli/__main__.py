"""`python -m companion.cli` is `companion`."""

from companion.cli import main

main(prog_name="companion")
