"""The command `inertial`."""

import sys


def main() -> None:
    """Runs the command with this program's arguments."""
    from ._library import run_command

    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
