"""./workbench bench NAME [arguments]: one program per set of figures."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def main() -> int:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in NAMES:
        print(f"usage: ./workbench bench {'|'.join(NAMES)} [--json]", file=sys.stderr)
        return 2
    sys.argv = [f"./workbench bench {name}", *sys.argv[2:]]
    importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
