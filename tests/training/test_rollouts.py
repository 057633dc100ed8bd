"""The turn loop with a scripted policy over characters, and what becomes of its rollouts."""

import json

import pytest

from tests.training.toy import ToyFactory, make_task, offered_calls
from training_app.engine.config import grpo_preset
from training_app.engine.masks import check_rollout_mask
from training_app.trainers import groups
from training_app.trainers.rollouts import Limits, Player, Sampled

END = "\n"
LIMITS = Limits(turns=6, turn_tokens=400, completion_tokens=4000, observation_characters=1000)


class Letters:
    """Every character is a token; a turn is JSON text (calls) or plain text (an answer), ended by a newline."""

    def prompt(self, messages, tools):
        return self.ids(json.dumps([list(messages), [t["function"]["name"] for t in tools]]))

    def parse(self, ids, prefix, tools):
        body = self.text(ids).removesuffix(END)
        if not body.startswith("["):
            return {"role": "assistant", "content": body}
        calls = [{"type": "function", "function": {"name": n, "arguments": a}} for n, a in json.loads(body)]
        return {"role": "assistant", "content": "", "tool_calls": calls}

    def observations(self, messages):
        return self.ids("".join(f"<{m['content']}>" for m in messages))

    def is_finished(self, ids):
        return self.text(ids).endswith(END)

    def text(self, ids):
        return "".join(map(chr, ids))

    def ids(self, text):
        return list(map(ord, text))


class Script:
    """Says the next line of each task's script, cut at the budget; remembers what it was shown."""

    def __init__(self, *scripts):
        self.scripts = scripts
        self.turns = {}
        self.seen = []

    def __call__(self, prefixes, budgets):
        self.seen.append([tuple(p) for p in prefixes])
        sampled = []
        for prefix, budget in zip(prefixes, budgets, strict=True):
            row = next(i for i, start in enumerate(self.starts) if tuple(prefix[: len(start)]) == start)
            turn = self.turns.get(row, 0)
            self.turns[row] = turn + 1
            ids = list(map(ord, self.scripts[row][turn] + END))[:budget]
            sampled.append(Sampled(ids, [-0.5] * len(ids)))
        return sampled


def play(task_ids, scripts, factory=None, limits=LIMITS, **options):
    factory = factory or ToyFactory()
    codec = Letters()
    player = Player(factory, codec, limits, **options)
    script = Script(*scripts)
    system = [{"role": "system", "content": options["system_prompt"]}] if "system_prompt" in options else []
    script.starts = []
    for task_id in task_ids:
        episode = ToyFactory(factory.mode).start(task_id)
        messages = [*system, {"role": "user", "content": episode.instruction}]
        script.starts.append(tuple(codec.prompt(messages, episode.tools)))
    return player.play(task_ids, script), script


def solution(task_id, mode="direct"):
    return [json.dumps([call]) for call in offered_calls(make_task(task_id), mode)] + ["Done."]


@pytest.mark.parametrize("mode", ["direct", "meta"])
@pytest.mark.parametrize("workers", [1, 3])
def test_reference_turns_solve_the_task(mode, workers):
    tasks = ["toy-1", "toy-2", "toy-3"]
    rollouts, script = play(
        tasks, [solution(t, mode) for t in tasks], ToyFactory(mode), workers=workers, system_prompt="Be brief."
    )
    codec = Letters()
    for task_id, rollout in zip(tasks, rollouts, strict=True):
        assert rollout.task_id == task_id
        assert rollout.solved
        assert (rollout.status, rollout.turns, rollout.calls, rollout.tool_errors) == ("completed", 4, 3, 0)
        mask = rollout.mask()
        assert check_rollout_mask(mask, rollout.segments) == ()
        said = "".join(chr(i) for i, m in zip(rollout.completion_ids, mask, strict=True) if m)
        assert said == "".join(line + END for line in solution(task_id, mode))
        heard = "".join(chr(i) for i, m in zip(rollout.completion_ids, mask, strict=True) if not m)
        assert heard == "".join(f"<{m['content']}>" for m in rollout.messages if m["role"] == "tool")
        assert len(rollout.logprobs) == len(mask)
        assert rollout.messages[0]["role"] == "system"
        played = groups.summarise(rollout, codec.text)
        assert "".join(p["text"] for p in played.parts) == codec.text(rollout.completion_ids)
        assert played.sampled_tokens == sum(mask)
        assert played.logprob_mean == pytest.approx(-0.5)
    # Token truth: what a later turn is shown begins with exactly what was sampled before.
    for earlier, later in zip(script.seen, script.seen[1:], strict=False):
        assert all(any(b[: len(a)] == a for a in earlier) for b in later)


def test_a_turn_cut_by_the_limit_is_never_executed():
    """TRAJ-3: the calls before stay, the half call does nothing, and nothing is made of it."""
    lines = solution("toy-1")
    limits = Limits(6, len(lines[2]), 4000, 1000)  # the third turn lacks its end
    (rollout,), _ = play(["toy-1"], [lines], limits=limits)
    assert rollout.status == "truncated"
    assert rollout.calls == 2
    assert rollout.verdict["one_mail"] is False
    assert rollout.messages[-1] == {"role": "assistant", "content": lines[2], "truncated": True}
    assert rollout.mask()[-len(lines[2]) :] == [1] * len(lines[2])


def test_other_limits_end_an_episode_as_truncated():
    lines = solution("toy-1")
    (turns,), _ = play(["toy-1"], [lines], limits=Limits(2, 400, 4000, 1000))
    assert (turns.status, turns.calls) == ("truncated", 1)
    assert "limit of 2 turns" in turns.detail
    (room,), _ = play(["toy-1"], [lines], limits=Limits(6, 400, len(lines[0]) + 20, 1000))
    assert (room.status, room.calls) == ("truncated", 1)
    assert "does not fit" in room.detail
    assert len(room.completion_ids) <= len(lines[0]) + 20
    assert not room.solved


def test_bad_calls_are_answered_and_counted():
    lines = ['[["nothing", {}], ["mail__send", [1]], ["mail__send", {}]]', "Done."]
    (rollout,), _ = play(["toy-1"], [lines])
    answers = [json.loads(m["content"]) for m in rollout.messages if m["role"] == "tool"]
    assert [a["error"]["type"] for a in answers] == ["unknown_tool", "invalid_arguments", "not_found"]
    assert (rollout.calls, rollout.tool_errors) == (3, 3)


def test_observations_are_bounded():
    (rollout,), _ = play(["toy-1"], [solution("toy-1")], limits=Limits(6, 400, 4000, 64))
    assert all(len(m["content"]) <= 64 for m in rollout.messages if m["role"] == "tool")


def test_answers_are_judged_by_what_the_model_said():
    """RL-4: what a tool printed is not what the model said."""
    (rollout,), _ = play(["toy-1"], [[*solution("toy-1")[:3], "I could not do it."]])
    assert rollout.verdict["says_done"] is False
    assert rollout.verdict["right_price"] is True


class Breaking(ToyFactory):
    def start(self, task_id):
        if "nostart" in task_id:
            raise OSError("no sandbox")
        episode = super().start(task_id)
        if "nofinish" in task_id:
            episode.finish = self._broken
        return episode

    def _broken(self, answer):
        raise RuntimeError("verifier died")


def test_crashes_are_data_about_the_environment():
    tasks = ["toy-nostart", "toy-crash", "toy-nofinish", "toy-4"]
    rollouts, _ = play(tasks, [solution(t) for t in tasks], Breaking())
    assert [r.status for r in rollouts] == ["error", "error", "error", "completed"]
    assert [r.detail.partition(":")[0] for r in rollouts] == ["OSError", "RuntimeError", "RuntimeError", ""]
    assert [r.verdict is None for r in rollouts] == [True, True, True, False]
    assert rollouts[0].completion_ids == []


def config(**changes):
    options = {"group_size": 4, "groups_per_step": 2, "micro_batch": 8}
    return grpo_preset("cpu-proof", model="m", dataset="d", episodes="a:b", **options | changes)


def batch():
    """Two groups of four: one with a crash, a failure and a cut; one that is all solved."""
    good = [solution("toy-1")] * 2
    wrong = ["I will not."]
    cut = ["x" * 500]
    rollouts, _ = play(["toy-1"], [good[0]])
    for lines in (wrong, cut):
        rollouts += play(["toy-1"], [lines])[0]
    crashed, _ = play(["toy-crash"], [solution("toy-crash")])
    crashed[0].task_id = "toy-1"
    rollouts += crashed
    for _ in range(4):
        rollouts += play(["toy-2"], [solution("toy-2")])[0]
    return rollouts


def test_groups_are_scored_and_stored():
    rollouts = batch()
    played = [groups.summarise(r, Letters().text) for r in rollouts]
    first, second = groups.score(played, config())
    # By hand: three valid rollouts, one of them meets all five criteria and another only "looked_up" of none.
    assert first.reward.valid == (0, 1, 2)
    assert first.reward.pass_rates == pytest.approx(dict.fromkeys(rollouts[0].verdict, 1 / 3))
    assert first.reward.rewards == (1.0, 0.0, 0.0, None)
    assert first.advantages[3] == 0.0
    assert (first.state, second.state) == ("alive", "all_solved")
    assert second.advantages == (0.0,) * 4
    rows = groups.stored_rows([first, second], step=7)
    assert json.loads(json.dumps(rows))[3]["status"] == "error"
    assert {(r["group"], r["index"]) for r in rows} == {(g, i) for g in range(2) for i in range(4)}
    numbers = groups.metrics([first, second])
    assert (numbers["rollouts"], numbers["valid"]) == (8, 7)
    assert numbers["success_rate"] == pytest.approx(5 / 7)
    assert numbers["invalid"] == {"RuntimeError": 1}
    assert numbers["dead_share"] == 0.5
    assert numbers["dead_tasks"] == ["toy-2"]
    assert numbers["truncated_share"] == pytest.approx(1 / 8)


def test_left_out_rollouts_train_nothing():
    rollout = batch()[0]
    assert sum(groups.trained_mask(rollout, left_out=False)) > 0
    assert sum(groups.trained_mask(rollout, left_out=True)) == 0
    rollout.completion_ids.append(1)
    with pytest.raises(RuntimeError, match="wrong length"):
        groups.trained_mask(rollout, left_out=False)


def test_truncated_rollouts_can_be_masked():
    played = [groups.summarise(r, Letters().text) for r in batch()]
    masked = groups.score(played, config(mask_truncated=True))[0]
    assert masked.reward.valid == (0, 1)
    unknown = groups.metrics(groups.score(unjudged(played), config()))
    assert unknown["invalid"] == {"RuntimeError": 1, "unknown outcome": 1}


def unjudged(played):
    from dataclasses import replace

    first = replace(played[0], verdict={**played[0].verdict, "says_done": None}, solved=False)
    return [first, *played[1:]]


def test_split_groups_are_refused():
    played = [groups.summarise(r, Letters().text) for r in batch()]
    with pytest.raises(ValueError, match="mixes the tasks"):
        groups.score(played[1:] + played[:1], config())
