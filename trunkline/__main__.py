"""``python -m trunkline``: the command line."""

from trunkline.solver.cli.main import main

if __name__ == "__main__":
    main()
