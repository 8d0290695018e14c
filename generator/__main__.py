"""`python -m generator` is `gridpress`."""

from generator.cli import main

if __name__ == "__main__":
    main()
