"""What our code does around vLLM, with a stand-in for its client: rounds of all processes, arguments, refusals."""

import threading
from types import SimpleNamespace

import pytest

from training_app.engine.config import grpo_preset
from training_app.trainers import grpo, sampling
from training_app.trainers.sampling import ServerSampler, VllmSampler

from .conftest import launch

GRPO = {"model": "m", "dataset": "d", "episodes": "a.b:c"}


class Client:
    """Answers each prompt with its own tokens reversed; remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def generate(self, prompts, **options):
        self.asked.append((prompts, options))
        ids = [list(reversed(prompt)) for prompt in prompts]
        return {"completion_ids": ids, "logprobs": [[[-0.5, -9.0] for _ in row] for row in ids]}


def trainer(client, rank=0):
    engine = SimpleNamespace(
        vllm_client=client, repetition_penalty=1.0, temperature=0.9, top_p=1.0, top_k=0, min_p=None
    )
    accelerator = SimpleNamespace(process_index=rank, is_main_process=rank == 0)
    return SimpleNamespace(vllm_generation=engine, accelerator=accelerator)


class Processes:
    """Collectives of several threads that stand for processes."""

    def __init__(self, count):
        self.barrier = threading.Barrier(count, timeout=20)
        self.rank, self.slots = threading.local(), [None] * count

    def gather(self, values):
        self.slots[self.rank.number] = values
        self.barrier.wait()
        everything = [value for each in self.slots for value in each]
        self.barrier.wait()
        return everything

    def broadcast(self, values, from_process):
        self.slots[self.rank.number] = values
        self.barrier.wait()
        values[:] = self.slots[from_process]
        self.barrier.wait()


def test_processes_with_episodes_of_different_length_end_together(monkeypatch):
    """Three processes play 2, 0 and 5 rounds; each gets the answers to its own prompts."""
    processes, client, got = Processes(3), Client(), {}
    monkeypatch.setattr(sampling, "gather_object", processes.gather)
    monkeypatch.setattr(sampling, "broadcast_object_list", processes.broadcast)

    def work(rank, rounds):
        processes.rank.number = rank
        sampler = ServerSampler(trainer(client, rank), 16)
        for number in range(rounds):
            prefixes = [[rank, number, n] for n in range(rounds - number)]
            got.setdefault(rank, []).append([turn.ids for turn in sampler(prefixes, [16] * len(prefixes))])
        sampler.drain()

    threads = [threading.Thread(target=work, args=pair) for pair in ((0, 2), (1, 0), (2, 5))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    for rank, rounds in ((0, 2), (2, 5)):
        assert got[rank] == [[[n, r, rank] for n in range(rounds - r)] for r in range(rounds)]
    assert len(client.asked) == 5


@pytest.fixture
def alone(monkeypatch):
    monkeypatch.setattr(sampling, "gather_object", lambda values: values)
    monkeypatch.setattr(sampling, "broadcast_object_list", lambda values, from_process: None)


def test_turns_are_cut_to_their_budgets_and_keep_the_drawn_log_probabilities(alone):
    client = Client()
    turns = ServerSampler(trainer(client), 16)([[1, 2, 3], [4, 5]], [2, 9])
    assert [turn.ids for turn in turns] == [[3, 2], [5, 4]]
    assert [turn.logprobs for turn in turns] == [[-0.5, -0.5]] * 2
    _, options = client.asked[0]
    assert options["max_tokens"] == 16
    assert (options["temperature"], options["n"], options["logprobs"], options["min_p"]) == (0.9, 1, 0, 0.0)


def test_the_colocated_sampler_reads_the_same_shape():
    rows = [[[-0.25]], [[None], [-1.0]]]
    generate = lambda **_: (None, [[7], [8, 9]], rows, None)  # noqa: E731
    engine = SimpleNamespace(generate=generate, max_completion_length=0)
    turns = VllmSampler(SimpleNamespace(vllm_generation=engine), 16)([[1], [2]], [4, 4])
    assert engine.max_completion_length == 16
    assert turns[0] == ([7], [-0.25])
    assert turns[1].logprobs[0] != turns[1].logprobs[0]  # nan: the server did not say


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, {}),
        ({"vllm": "colocate"}, {"use_vllm": True, "vllm_mode": "colocate"}),
        (
            {"vllm": "server", "vllm_server": "http://a:1"},
            {"use_vllm": True, "vllm_mode": "server", "vllm_server_base_url": "http://a:1"},
        ),
    ],
)
def test_trl_is_told_of_the_server(values, expected):
    arguments = grpo._arguments(grpo_preset("paper", **GRPO, **values))
    assert {name: value for name, value in arguments.items() if "vllm" in name} == expected
    grpo.TrlConfig(output_dir="unused", use_cpu=True, bf16=False, per_device_train_batch_size=1, **arguments)


def test_a_run_whose_server_does_not_answer_is_refused_before_anything_is_loaded(tmp_path):
    config = grpo_preset("paper", **GRPO, vllm="server", vllm_server="http://127.0.0.1:9")
    status = launch("grpo", tmp_path, config).finish(code=2)
    assert (status["state"], status["kind"]) == ("refused", "config:vllm")
    assert "does not answer" in status["message"]
