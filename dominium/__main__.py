"""Run the command `dominium` as `python -m dominium`."""

from cli import main

if __name__ == "__main__":
    main(prog_name="dominium")
