"""Templates, masks, parsing, sampling: what the trainers rest on."""

import json
import os
import subprocess
import sys

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.training.toy import ToyFactory, make_task, trajectory
from training_app.engine.config import grpo_preset, sft_preset
from training_app.engine.errors import TrainingError
from training_app.engine.masks import spans
from training_app.exports.messages import to_training
from training_app.exports.ndjson import write_ndjson
from training_app.exports.parquet import read_parquet, write_parquet
from training_app.exports.sft import prompt_record, trajectory_records
from training_app.trainers.chat import Chat
from training_app.trainers.preflight import check_grpo, check_sft, tokenize_record
from training_app.trainers.sampling import ModelSampler
from training_app.trainers.tiny import build_tiny, frequent_fragments, frequent_values

from .conftest import records

# A template of no known family: markers can be put where a test wants them.
PLAIN = (
    "{% for m in messages %}BEFORE{{ '<|im_start|>' + m.role + '\\n' }}HEAD{{ m.content }}"
    '{% for c in m.tool_calls or [] %}{{ \'<tool_call>\\n{"name": "\' + c.function.name + \'", "arguments": \' }}'
    "{{ c.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}{{ '<|im_end|>' }}TAIL{{ '\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def plain(before="", head="", tail=""):
    return PLAIN.replace("BEFORE", before).replace("HEAD", head).replace("TAIL", tail)


@pytest.fixture(scope="module")
def tokenizer(world):
    return AutoTokenizer.from_pretrained(world / "model")


@pytest.fixture
def with_template(world):
    def make(template):
        tokenizer = AutoTokenizer.from_pretrained(world / "model")
        tokenizer.chat_template = template
        return Chat(tokenizer)

    return make


def trained_texts(chat, record):
    row = tokenize_record(chat, record)
    return [chat.text(row.ids[s.start : s.end]) for s in spans(row.mask)]


def assistant_texts(record):
    calls = [
        f'<tool_call>\n{{"name": "{c["function"]["name"]}", "arguments": {json.dumps(c["function"]["arguments"])}}}'
        "\n</tool_call><|im_end|>"
        for m in record["messages"]
        for c in m.get("tool_calls") or ()
    ]
    return [*calls, "Done.<|im_end|>"]


@pytest.mark.parametrize("mode", ["direct", "meta"])
def test_exactly_the_assistant_turns_are_trained(tokenizer, mode):
    chat = Chat(tokenizer)
    assert chat.mask_source == "TRL's training template"
    for record in records(5, mode):
        assert trained_texts(chat, record) == assistant_texts(record)


def test_templates_without_markers_get_masks_from_rendered_prefixes(with_template):
    """TRAJ-2: a working path exists for such models, and the choice is recorded."""
    chat = with_template(plain())
    assert chat.mask_source == "rendered prefixes"
    (record,) = records(1)
    assert trained_texts(chat, record) == assistant_texts(record)
    report, rows = check_sft(chat, sft_preset("cpu-proof", model="m", dataset="d", masks="rendered"), records(4))
    assert report.problems == []
    assert report.figures["mask_source"] == "rendered prefixes"
    assert len(rows) == 4


def test_templates_without_markers_are_refused_unless_asked_for(with_template):
    """TRAJ-2: in words, with the numbers; records of single turns carry their own mask."""
    chat = with_template(plain())
    report, _ = check_sft(chat, sft_preset("cpu-proof", model="m", dataset="d"), records(4))
    (problem,) = report.problems
    assert "no generation markers" in problem
    assert "4 of 4 records" in problem
    assert "set masks to rendered" in problem
    turns = trajectory_records(trajectory("toy-1"), "per_turn")
    assert check_sft(chat, sft_preset("cpu-proof", model="m", dataset="d"), turns)[0].problems == []


GENERATION = "{% generation %}", "{% endgeneration %}"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        (plain(head=GENERATION[0], tail=GENERATION[1]), "trained spans for 4 assistant turns"),
        (
            plain().replace(
                "{{ m.content }}",
                "{% if loop.last %}{% generation %}{{ m.content }}{% endgeneration %}"
                "{% else %}{{ m.content }}{% endif %}",
            ),
            "1 trained spans for 4 assistant turns",
        ),
    ],
)
def test_masks_over_the_wrong_turns_refuse_the_launch(with_template, template, words):
    chat = with_template(template)
    assert chat.mask_source == "the template's own markers"
    report, _ = check_sft(chat, sft_preset("cpu-proof", model="m", dataset="d"), records(2))
    assert words in report.problems[0]
    with pytest.raises(TrainingError, match="trained spans"):
        report.raise_if_refused()


FORGETS = plain().replace(
    "{{ m.content }}",
    "{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}",
)


def reasoned():
    source = trajectory("toy-1")
    messages = [{**m, "reasoning_content": "because"} if m["role"] == "assistant" else m for m in source["messages"]]
    return {**source, "messages": messages}


def test_templates_that_forget_reasoning_need_one_record_per_turn(with_template):
    """TRAJ-5."""
    chat = with_template(FORGETS)
    (whole,) = trajectory_records(reasoned(), "all")
    with pytest.raises(TrainingError, match="differently later on"):
        chat.tokenize(whole["messages"], [])
    turns = trajectory_records(reasoned(), "per_turn")
    report, rows = check_sft(chat, sft_preset("cpu-proof", model="m", dataset="d"), turns)
    assert report.problems == []
    assert len(rows) == 4
    assert all(t[0].startswith("<think>because</think>") for t in (trained_texts(chat, r) for r in turns))


def test_models_that_cannot_be_trained_are_named(with_template):
    with pytest.raises(TrainingError, match="no chat template"):
        with_template(None)
    with pytest.raises(TrainingError, match="does not print tool calls"):
        with_template("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}")


def test_tokens_across_the_beginning_of_a_turn_are_warned_of(with_template):
    """The newline of the header and the first sign of the turn are one token here; inference never sees it."""
    whole, end = plain(), "{{ '<|im_end|>' }}"
    body = whole[whole.index("{{ m.content }}") : whole.index(end) + len(end)]
    marked = f"{{% generation %}}{body}{{% endgeneration %}}"
    chat = with_template(
        whole.replace(body, f"{{% if m.role == 'assistant' %}}{marked}{{% else %}}{body}{{% endif %}}")
    )
    rows = [
        {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": text}]}
        for text in ("yes", "<x")
    ]
    report, _ = check_sft(chat, sft(), rows)
    assert report.problems == []
    assert report.warnings == ["record 2: tokens cross the beginning or end of a turn"]


T1 = (
    "{% for m in messages %}{% for c in m.tool_calls or [] %}<call>{{ c.function.arguments | tojson }}</call>"
    "{% endfor %}{% endfor %}"
)
T2 = (
    "{% for m in messages %}{% for c in m.tool_calls or [] %}{% for k, v in c.function.arguments|items %}"
    "<p {{k}}>{{v}}</p>{% endfor %}{% endfor %}{% endfor %}"
)


def test_both_styles_of_template_get_what_they_need(tokenizer):
    """TRAJ-1."""
    function = {"name": "call_tool", "arguments": '{"city": "Ulm"}'}
    wire = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
    }
    messages = [to_training(wire)]

    def render(template):
        return tokenizer.apply_chat_template(messages, chat_template=template, tokenize=False)

    assert render(T1) == '<call>{"city": "Ulm"}</call>'
    assert render(T2) == "<p city>Ulm</p>"


def test_null_content_never_becomes_a_word(tokenizer):
    """TRAJ-6."""
    contents = [None, "", " ", [{"type": "text", "text": "x"}]]
    messages = [to_training({"role": "assistant", "content": c}) for c in contents]
    messages += [to_training({"role": "tool", "content": c}) for c in (None, {"a": 1}, [1], 0)]
    template = "{% for m in messages %}{{ '<a>' ~ m.content ~ '</a>' }}{% endfor %}"
    text = tokenizer.apply_chat_template(messages, chat_template=template, tokenize=False)
    assert text == '<a></a><a></a><a> </a><a>x</a><a></a><a>{"a": 1}</a><a>[1]</a><a>0</a>'


@pytest.mark.parametrize("mode", ["direct", "meta"])
def test_an_episode_in_pieces_is_the_conversation_as_a_whole(tokenizer, mode):
    """Prompt, sampled turns and observations, each tokenised alone, give the ids of the whole rendering."""
    chat = Chat(tokenizer)
    (record,) = records(1, mode)
    messages, tools = record["messages"], json.loads(record["tools"])
    whole = chat.tokenize(messages, tools)
    ids = chat.prompt(messages[:1], tools)
    turns = [whole.ids[s.start : s.end] for s in spans(whole.mask)]
    for number, turn in enumerate(turns):
        assert chat.is_finished(turn)
        assert not chat.is_finished(turn[:-1])
        message = chat.parse(turn, ids, tools)
        asked = messages[1 + 2 * number]
        calls = [c["function"] for c in message.get("tool_calls") or ()]
        assert calls == [c["function"] for c in asked.get("tool_calls") or ()]
        ids = ids + turn
        if calls:
            ids = ids + chat.observations([messages[2 + 2 * number]])
    assert ids == whole.ids[: len(ids)]


def test_text_that_is_no_call_stays_text(tokenizer):
    chat = Chat(tokenizer)
    ids = tokenizer('<tool_call>\n{"name": broken}\n</tool_call><|im_end|>')["input_ids"]
    message = chat.parse(ids, [], [])
    assert "tool_calls" not in message
    assert "broken" in message["content"]


@pytest.fixture(scope="module")
def model(world):
    return AutoModelForCausalLM.from_pretrained(world / "model", dtype="float32")


def sampler(model, tokenizer, temperature):
    return ModelSampler(model, eos=tokenizer.eos_token_id, pad=tokenizer.pad_token_id, temperature=temperature)


def test_greedy_sampling_is_what_the_library_generates(model, tokenizer):
    """Rows of different lengths, padded on the left, must not change what a row gets."""
    prefixes = [[300, 301, 302], [310] * 9, [5]]
    sampled = sampler(model, tokenizer, 0.0)(prefixes, [6, 4, 6])
    for prefix, turn, budget in zip(prefixes, sampled, [6, 4, 6], strict=True):
        out = model.generate(
            torch.tensor([prefix]), attention_mask=torch.ones(1, len(prefix)), max_new_tokens=budget, do_sample=False
        )
        assert turn.ids == out[0, len(prefix) :].tolist()


def test_logprobs_are_those_of_the_sampled_distribution(model, tokenizer):
    torch.manual_seed(0)
    prefixes = [[300, 301], [310] * 7]
    model.train()
    turns = sampler(model, tokenizer, 0.7)(prefixes, [5, 5])
    assert model.training
    model.eval()
    for prefix, turn in zip(prefixes, turns, strict=True):
        logits = model(torch.tensor([prefix + turn.ids])).logits[0, len(prefix) - 1 : -1]
        expected = torch.log_softmax(logits / 0.7, -1)[range(len(turn.ids)), turn.ids]
        assert turn.logprobs == pytest.approx(expected.tolist(), abs=1e-4)


def test_sampling_is_seeded_and_ends_at_end_of_turn(model, tokenizer):
    def draw():
        torch.manual_seed(7)
        return sampler(model, tokenizer, 1.0)([[300]] * 64, [40] * 64)

    turns = draw()
    assert turns == draw()
    ended = [t for t in turns if tokenizer.eos_token_id in t.ids]
    assert all(t.ids.index(tokenizer.eos_token_id) == len(t.ids) - 1 for t in ended)
    assert all(len(t.ids) == len(t.logprobs) <= 40 for t in turns)


def sft(**changes):
    return sft_preset("cpu-proof", model="m", dataset="d", **changes)


def test_preflight_of_sft(tokenizer):
    chat = Chat(tokenizer)
    rows = records(20)
    report, kept = check_sft(chat, sft(), [*rows, rows[0]])
    assert report.problems == []
    assert len(kept) == 21
    assert 0.1 < report.figures["trained_share"] < 0.5
    assert report.figures["duplicates"] == 1
    assert len(report.samples) == 3
    assert "".join(p["text"] for p in report.samples[0]["parts"]) == chat.text(kept[0].ids)
    assert report.figures["tokens_per_epoch"] == sum(len(r.ids) for r in kept)
    assert json.loads(json.dumps(report.to_json()))["figures"]["steps"] == 2
    empty, _ = check_sft(chat, sft(), [])
    assert [words.partition(":")[0] for words in empty.problems] == ["the data set is empty"]


def test_overlong_records_are_never_cut(tokenizer):
    chat = Chat(tokenizer)
    rows = [*records(3), *records(1, "meta")]
    limit = max(len(tokenize_record(chat, r).ids) for r in rows[:3])
    refused, _ = check_sft(chat, sft(max_length=limit), rows)
    assert f"1 of 4 records are longer than max_length {limit}" in refused.problems[0]
    dropped, kept = check_sft(chat, sft(max_length=limit, overlong="drop"), rows)
    assert dropped.problems == []
    assert [len(r.ids) for r in kept] == [len(tokenize_record(chat, r).ids) for r in rows[:3]]
    nothing, _ = check_sft(chat, sft(max_length=8, overlong="drop"), rows)
    assert nothing.problems == ["no record fits max_length 8"]


def test_leakage_refuses_the_launch(tokenizer):
    report, _ = check_sft(Chat(tokenizer), sft(), records(10), records(3, first=9))
    assert report.figures["leakage"] == {"id": 1, "task_id": 1, "family": 1}
    assert any("task_id are also in the held-out records (toy-9)" in p for p in report.problems)


def grpo(**changes):
    return grpo_preset("cpu-proof", model="m", dataset="d", episodes="a:b", **changes)


def tasks(*task_ids):
    return [prompt_record({"task_id": t, "instruction": make_task(t).instruction}) for t in task_ids]


def test_preflight_of_grpo(tokenizer):
    chat = Chat(tokenizer)
    references = records(20)
    good = check_grpo(chat, grpo(), tasks("toy-1", "toy-1", "toy-2"), ToyFactory(), references, 4096)
    assert (good.problems, good.warnings) == ([], [])
    assert good.figures["tasks"] == 2
    assert "contacts__find" in good.samples[0]["tools"]
    unchecked = check_grpo(chat, grpo(), tasks("toy-1"), ToyFactory())
    assert "unchecked" in unchecked.warnings[0]
    system = grpo(system_prompt="Be brief.")
    assert (
        "tasks have another prompt in the data set"
        in check_grpo(chat, system, tasks("toy-1"), ToyFactory()).problems[0]
    )
    assert check_grpo(chat, system, [{"task_id": "toy-1"}], ToyFactory()).problems == []
    none = check_grpo(chat, grpo(), tasks(), ToyFactory())
    assert [words.partition(":")[0] for words in none.problems] == ["there are no tasks"]


def test_unknown_tasks_and_small_budgets_refuse_the_launch(tokenizer):
    """RL-6 and RL-7."""
    chat = Chat(tokenizer)
    unknown = check_grpo(chat, grpo(), tasks("toy-1", "other", ""), ToyFactory(), records(3))
    assert unknown.problems == ["2 tasks are not known: (empty), other"]
    small = check_grpo(
        chat, grpo(max_completion_length=20, max_turn_tokens=20), tasks("toy-1"), ToyFactory(), records(3)
    )
    assert "covers the whole episode, observations included" in small.problems[0]
    window = check_grpo(chat, grpo(), tasks("toy-1"), ToyFactory(), records(3), window=256)
    assert "exceed the model's window of 256 tokens" in window.problems[0]
    mixed = records(18) + records(2, "meta")
    lengths = sorted(
        check_grpo(chat, grpo(), tasks("toy-9"), ToyFactory(), [r]).figures["reference_median"] for r in mixed
    )
    edge = grpo(max_completion_length=lengths[-1] - 1, max_turn_tokens=20)
    tight = check_grpo(chat, edge, tasks("toy-9"), ToyFactory(), mixed)
    assert tight.problems == []
    assert f"need {lengths[-1]} tokens or more" in tight.warnings[0]


def test_another_tool_list_than_the_data_has_refuses_the_launch(tokenizer):
    chat = Chat(tokenizer)
    wanted = tasks(*(f"toy-{n}" for n in range(4)))
    equal = check_grpo(chat, grpo(), wanted, ToyFactory(), records(3))
    assert (equal.problems, equal.figures["tool_lists_compared"]) == ([], 3)
    (other,) = check_grpo(chat, grpo(), wanted, ToyFactory("meta"), records(3)).problems
    assert "3 of 3 reference solutions were made with another tool list" in other
    assert "3 not offered: contacts__find, mail__send, shop__price; 1 not in the data: call_tool" in other
    changed = records(3)
    changed[2]["tools"] = changed[2]["tools"].replace("person", "somebody")
    (described,) = check_grpo(chat, grpo(), wanted, ToyFactory(), changed).problems
    assert "1 of 3 reference solutions" in described
    assert "1 described otherwise: contacts__find" in described


def test_tokenizers_are_made_from_the_data():
    rows = records(30)
    values = frequent_values(rows, 100)
    assert "Mia" in values or "Leo" in values
    fragments = frequent_fragments(['a "Mia" b\nrest'] * 3 + ["once"], ["Mia"], 10)
    assert set(fragments) == {'a "', '" b\n', "rest"}
    assert frequent_fragments(["start"] * 2, ["art"], 10) == ["start"]


def test_the_same_data_give_the_same_tokenizer(tmp_path):
    write_ndjson(tmp_path / "data.jsonl", records(40))
    texts = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "training_app.trainers.tiny", "--data", str(tmp_path / "data.jsonl")]
        out = tmp_path / seed
        subprocess.run([*command, "--out", str(out)], check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        texts.append((out / "tokenizer.json").read_text())
    assert texts[0] == texts[1]


def test_tiny_models_from_turns_too(tmp_path):
    turns = [r for n in range(5) for r in trajectory_records(trajectory(f"toy-{n}"), "per_turn")]
    sizes = build_tiny(turns, tmp_path / "m")
    assert sizes["parameters"] > 100_000
    assert Chat(AutoTokenizer.from_pretrained(tmp_path / "m")).mask_source == "TRL's training template"


def test_exports_load_with_the_training_library(tmp_path):
    """EXPORT-1: the library that trains reads the same rows as ours."""
    from datasets import Dataset

    rows = [*records(3), *records(3, "meta")]
    path = tmp_path / "x.parquet"
    write_parquet(path, rows, "sft")
    loaded = Dataset.from_parquet(str(path), cache_dir=str(tmp_path / "cache"))
    assert [json.loads(r["messages"]) for r in loaded] == [r["messages"] for r in rows]
    assert list(read_parquet(path)) == rows
