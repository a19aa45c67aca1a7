"""`python -m proxops`."""

from proxops.cli import main

main()
