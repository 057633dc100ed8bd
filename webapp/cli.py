"""Where `./workbench VERB` arrives: our own tools, or a management command of the same name."""

import os
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

# Django's own commands that need a database; ours start it by themselves.
NEED_DATABASE = frozenset(
    {"changepassword", "clearsessions", "createsuperuser", "dbshell", "dumpdata", "flush", "inspectdb", "loaddata"}
    | {"migrate", "showmigrations"}
)


def check(arguments: Sequence[str]) -> int:
    from webapp.management import checking

    return checking.main(arguments)


def test(arguments: Sequence[str]) -> int:
    from webapp.management import testing

    return testing.main(arguments)


def bench(arguments: Sequence[str]) -> int:
    sys.argv = ["./workbench bench", *arguments]
    runpy.run_module("benchmarks", run_name="__main__", alter_sys=False)
    return 0


TOOLS: dict[str, Callable[[Sequence[str]], int]] = {"check": check, "test": test, "bench": bench}


def main() -> int:
    verb, arguments = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("help", [])
    if verb in TOOLS:
        return TOOLS[verb](arguments)
    verb = verb.replace("-", "_") if verb[0] != "-" else verb  # modules have no hyphens, verbs may
    return command(["help"] if [verb, *arguments] == ["help", "--all"] else [verb, *arguments])


def command(words: Sequence[str]) -> int:
    """Run a management command; a bad setting ends with its sentence instead of a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        if words[0] in NEED_DATABASE and "--help" not in words:
            return _with_database(words)
        execute_from_command_line(["./workbench", *words])
    except ImproperlyConfigured as error:
        sys.stderr.write(f"workbench: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _with_database(words: Sequence[str]) -> int:
    from django.conf import settings
    from django.core.management import execute_from_command_line

    from workers.embedded.home import Home, HomeError
    from workers.embedded.parts import PartError
    from workers.embedded.session import services

    wanted = settings.WORKBENCH_EMBEDDED_DATABASE
    try:
        with services(Home.at(Path(settings.WORKBENCH_HOME)), words[0], database=wanted, broker=False):
            execute_from_command_line(["./workbench", *words])
    except (HomeError, PartError) as error:
        sys.stderr.write(f"workbench: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
