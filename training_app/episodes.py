"""Episodes of a bundle for trainers and evaluations; runs in the training environment, without Django.

In a run's configuration: `episodes: "training_app.episodes:bundled"`, `episode_arguments: {"directory": D, "mode":
"meta"}`.
"""

from __future__ import annotations

from pathlib import Path

from services_app.engine.errors import EngineError, ServiceDefect
from tasks_app.bundle import BundleError, mount, outdated, read_tasks
from training_app.engine.errors import TrainingError
from training_app.trainers.environments import Mode, TaskEpisodes
from workers.sandbox.limits import SandboxError

TARGET = "training_app.episodes:bundled"


def bundled(directory: str, mode: Mode = "meta") -> TaskEpisodes:
    """Episodes of the tasks in a bundle, on shipped services in this process or on generated ones in a sandbox.

    Raises TrainingError: "config:tasks" for a bundle that cannot be read, "config:services" for a service that does
    not load or has another version than its tasks were proven with.
    """
    path = Path(directory)
    try:
        specs = list(read_tasks(path))
        mounting = mount(path)
        changed = outdated(mounting, specs)
    except BundleError as error:
        raise TrainingError("config:tasks", str(error)) from error
    except (EngineError, ServiceDefect, SandboxError) as error:
        raise TrainingError("config:services", str(error)) from error
    if changed:
        raise TrainingError(
            "config:services", f"the tasks were proven with other versions of {', '.join(changed)}: prove them again"
        )
    return TaskEpisodes(specs, mounting, mode)
