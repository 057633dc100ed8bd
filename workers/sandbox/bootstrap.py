"""The first code in a sandbox: reads its plan, locks the process down, imports the module, serves it.

Run as a script with the numbers of two descriptors and the source folder; it is never imported.
"""

import importlib
import json
import sys


def main(arguments: list[str]) -> None:
    requests, replies, source = int(arguments[0]), int(arguments[1]), arguments[2]
    sys.path.insert(0, source)

    from workers.sandbox import child, lockdown
    from workers.sandbox.messages import Bounds

    with open(requests, "rb", buffering=0, closefd=False) as stream:
        plan = json.loads(stream.readline())
    pipes = child.Pipes(requests, replies, Bounds(**plan["bounds"]), plan["cpu_seconds"])
    if plan["locked"]:
        lockdown.apply(lockdown.Lockdown(plan["read_only"], plan["memory_bytes"], plan["inside_namespace"]))
    else:
        lockdown.set_limits(plan["memory_bytes"])
    # Generated files come last, so that none of them can stand in for a module of ours.
    sys.path.extend([*plan["site_packages"], plan["files"]])
    try:
        handler = importlib.import_module(plan["module"]).handle
    except BaseException as error:  # noqa: BLE001 - the boundary: the module may be generated code
        child.send(replies, "start", child.failure(error))
        return
    child.send(replies, "start", b'"result":{}')
    child.serve(handler, pipes)


if __name__ == "__main__":
    main(sys.argv[1:])
