#!/usr/bin/env python
"""Django's entry point; people use `./workbench`, which prepares everything and comes here."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"workbench: {error}")


if __name__ == "__main__":
    main()
