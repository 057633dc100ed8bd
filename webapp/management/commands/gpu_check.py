"""./workbench gpu-check [--json] [--dir D]"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from training_app.gpu_check.checking import Check, Setting
from training_app.gpu_check.probe import probe
from training_app.gpu_check.report import Part, Report, machine_lines, part_lines


class Command(BaseCommand):
    help = (
        "Check training on this machine's GPU within ten minutes: the marked tests, SFT, GRPO, GRPO with vLLM. "
        "Exit codes: 0 passed, 1 a part failed, 3 nothing can run here, 4 some part could not tell."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of words")
        parser.add_argument("--dir", type=Path, help="where data, logs and metrics go (usually a new temporary folder)")

    def handle(self, *_args: Any, **options: Any) -> None:
        silent = bool(options["json"])
        report = self._check(options["dir"], silent=silent)
        if silent:
            self.stdout.write(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
        if report.code:
            raise CommandError(report.conclusion, returncode=report.code)
        if not silent:
            self.stdout.write(report.conclusion)

    def _check(self, directory: Path | None, *, silent: bool) -> Report:
        machine = probe(os.environ)
        say = (lambda _line: None) if silent else self.stdout.write
        for line in machine_lines(machine):
            say(line)
        if machine.problem:
            return Report(machine)

        def tell(part: Part) -> None:
            for line in part_lines(part):
                say(line)

        directory = directory or Path(tempfile.mkdtemp(prefix="workbench-gpu-check-"))
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise CommandError(f"{directory} is not empty: name a folder for this check alone.", returncode=2)
        return Check(machine, directory.resolve(), Setting(), tell).run()
