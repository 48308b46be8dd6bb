"""`python -m cli` is the command `dominium`."""

from cli import main

if __name__ == "__main__":
    main(prog_name="dominium")
