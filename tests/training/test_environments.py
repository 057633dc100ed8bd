"""The workbench's own tasks as episodes, and its own trajectories as training records."""

import json

import pytest

from services_app.engine.meta import META_TOOLS
from services_app.library import registry
from tasks_app.engine.rollout import roll_out
from tasks_app.engine.task import MountedService
from tests.training.world import make_task, mounting
from training_app.engine.episodes import Episode, EpisodeFactory, load_factory
from training_app.engine.errors import TrainingError
from training_app.exports.ndjson import write_ndjson
from training_app.exports.sft import Selection, SFTOptions, prompt_record, sft_records
from training_app.exports.trajectories import task_record, trajectory_record
from training_app.trainers.environments import COLLATERAL, TaskEpisodes


def start(mode="direct"):
    task = make_task()
    factory = TaskEpisodes([task], mounting(), mode)
    assert isinstance(factory, EpisodeFactory)
    episode = factory.start(task.task_hash)
    assert isinstance(episode, Episode)
    return factory, task, episode


def names(episode):
    return {tool["function"]["name"]: tool for tool in episode.tools}


def test_direct_tools_reach_the_service():
    _, _, episode = start()
    (add,) = [name for name in names(episode) if name.endswith("add_note")]
    observation = json.loads(episode.call(add, {"title": "Tea", "text": "4 pm"}))
    assert observation["success"] is True
    assert episode.finish("done") == {"added": True, "confirmed": True, COLLATERAL: True}


def test_meta_tools_are_exactly_the_four():
    """RL-7: nothing else of the environment is offered."""
    _, _, episode = start("meta")
    assert list(names(episode)) == [tool["function"]["name"] for tool in META_TOOLS]
    assert len(META_TOOLS) == 4
    exposed = next(n for n in names(start()[2]) if n.endswith("add_note"))
    call = {"tool": exposed, "arguments": {"title": "Tea", "text": "4 pm"}}
    assert json.loads(episode.call("call_tool", call))["success"] is True
    assert episode.finish("no")["added"] is True
    assert json.loads(episode.call("score", {}))["success"] is False


def test_damage_and_silence_are_not_success():
    _, _, episode = start()
    (delete,) = [name for name in names(episode) if name.endswith("delete_note")]
    first = episode.environment.rows("notes", "notes")[0]["id"]
    assert json.loads(episode.call(delete, {"id": first}))["success"] is True
    assert episode.finish("") == {"added": False, "confirmed": False, COLLATERAL: False}


def test_every_episode_starts_from_the_initial_state():
    """RL-7: whatever happened before."""
    factory, task, episode = start()
    before = episode.environment.state_hash()
    (add,) = [name for name in names(episode) if name.endswith("add_note")]
    other = factory.start(task.task_hash)
    episode.call(add, {"title": "Tea", "text": "x"})
    assert episode.environment.state_hash() != before
    assert other.environment.state_hash() == before
    assert factory.start(task.task_hash).environment.state_hash() == before
    with pytest.raises(KeyError):
        factory.start("unknown")


def library_file(tmp_path, **service):
    slug = registry.slugs()[0]
    values = {"slug": slug, "version_hash": registry.load(slug).version_hash, "role": "needed"}
    task = make_task(services=(MountedService(**values | service),), rubric=(), scope=())
    path = tmp_path / "tasks.jsonl"
    write_ndjson(path, [task.model_dump(mode="json")])
    return task, {"tasks": str(path)}


TARGET = "training_app.trainers.environments:library_tasks"


def test_a_file_of_library_tasks_is_enough(tmp_path):
    task, arguments = library_file(tmp_path)
    episode = load_factory(TARGET, arguments).start(task.task_hash)
    assert episode.instruction == task.instruction
    assert all(name.startswith(registry.slugs()[0].replace("-", "_")) or "__" in name for name in names(episode))


@pytest.mark.parametrize(
    ("service", "words"),
    [({"slug": "nowhere"}, "does not ship: nowhere"), ({"version_hash": "old"}, "prove them again")],
)
def test_tasks_for_other_services_are_refused(tmp_path, service, words):
    _, arguments = library_file(tmp_path, **service)
    with pytest.raises(TrainingError, match=words):
        load_factory(TARGET, arguments)


def test_unreadable_task_files_are_refused(tmp_path):
    (tmp_path / "tasks.jsonl").write_text('{"instruction": 3}\n')
    with pytest.raises(TrainingError, match=r"tasks\.jsonl"):
        load_factory(TARGET, {"tasks": str(tmp_path / "tasks.jsonl")})


class Adder:
    name = "adder"

    def __init__(self, answer):
        self.answer = answer

    def play(self, episode):
        episode.call("notes", "add_note", {"title": "Tea", "text": "4 pm"})
        if self.answer:
            episode.finish(self.answer)


@pytest.mark.parametrize("mode", ["direct", "meta"])
def test_own_trajectories_become_training_records(mode):
    task = make_task()
    rollouts = [
        roll_out(task, Adder(answer), mounting(), timer=lambda: 0.0, mode=mode) for answer in ("done", "no", "")
    ]
    records = [trajectory_record(t, identity=f"r{i}", family=task.lineage) for i, t in enumerate(rollouts)]
    assert [r["status"] for r in records] == ["completed", "completed", "aborted"]
    selection = Selection()
    (row,) = sft_records(records, SFTOptions(), selection)
    assert selection.left_out == {"not passed": 1, "aborted": 1}
    assert (row["id"], row["task_id"], row["family"]) == ("r0", task.task_hash, "one-family")
    assert [m["role"] for m in row["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    assert isinstance(row["messages"][2]["tool_calls"][0]["function"]["arguments"], dict)
    assert prompt_record(task_record(task))["prompt"] == [{"role": "user", "content": task.instruction}]
