"""Which checkpoint directories can be resumed from, for each layout that transformers writes."""

import json
import shutil
import struct
import zipfile

import pytest

from training_app.engine.checkpoints import checkpoint_problem, clear_broken
from training_app.engine.rundir import RunDirectory


def archive(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("data", "x" * 100)


def safetensors(path, weights=b"\0" * 16):
    header = json.dumps({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + weights)


def begin(run, step):
    """What all layouts share."""
    path = run.checkpoints / f"checkpoint-{step}"
    path.mkdir(parents=True)
    (path / "trainer_state.json").write_text(json.dumps({"global_step": step}))
    return path


def plain(run, step):
    path = begin(run, step)
    safetensors(path / "model.safetensors")
    (path / "rng_state.pth").write_bytes(b"x")
    for name in ("optimizer.pt", "scheduler.pt"):
        archive(path / name)
    return path


def parts(folder):
    """As `torch.distributed.checkpoint` leaves it, from two processes."""
    folder.mkdir()
    for name in ("__0_0.distcp", "__1_0.distcp"):
        archive(folder / name)
    (folder / ".metadata").write_bytes(b"pickled")


def fsdp_parts(run, step):
    path = begin(run, step)
    for name in ("pytorch_model_fsdp_0", "optimizer_0"):
        parts(path / name)
    archive(path / "scheduler.pt")
    for rank in range(2):
        (path / f"rng_state_{rank}.pth").write_bytes(b"x")
    return path


def fsdp_whole(run, step):
    """FULL_STATE_DICT, which `multi-gpu` uses: the optimizer is called .bin, and the weights are there twice."""
    path = begin(run, step)
    safetensors(path / "model.safetensors")
    for name in ("pytorch_model_fsdp.bin", "optimizer.bin", "scheduler.pt"):
        archive(path / name)
    (path / "rng_state_0.pth").write_bytes(b"x")
    return path


def fsdp_ranks(run, step):
    path = begin(run, step)
    for rank in range(2):
        archive(path / f"pytorch_model_fsdp_0_rank{rank}.bin")
        archive(path / f"optimizer_0_rank{rank}.bin")
        (path / f"rng_state_{rank}.pth").write_bytes(b"x")
    archive(path / "scheduler.pt")
    return path


def zero2(run, step):
    path = begin(run, step)
    safetensors(path / "model.safetensors")
    folder = path / f"global_step{step}"
    folder.mkdir()
    archive(folder / "mp_rank_00_model_states.pt")
    for rank in range(2):
        archive(folder / f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")
        (path / f"rng_state_{rank}.pth").write_bytes(b"x")
    (path / "latest").write_text(folder.name)
    return path


def zero3(run, step):
    """Without gathered weights: they lie in the folder alone."""
    path = zero2(run, step)
    (path / "model.safetensors").unlink()
    folder = path / f"global_step{step}"
    (folder / "mp_rank_00_model_states.pt").unlink()
    for rank in range(2):
        archive(folder / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt")
    return path


LAYOUTS = (plain, fsdp_parts, fsdp_whole, fsdp_ranks, zero2, zero3)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_known_and_left_alone(tmp_path, layout):
    run = RunDirectory(tmp_path)
    path = layout(run, 5)
    before = sorted(path.rglob("*"))
    assert checkpoint_problem(path) is None
    assert run.checkpoint_steps() == (5,)
    assert clear_broken(run.checkpoints) == []
    assert sorted(path.rglob("*")) == before


def truncate(path, size):
    path.write_bytes(path.read_bytes()[:size])


UNFINISHED = [
    (plain, lambda p: (p / "checkpoint-is-incomplete.txt").touch(), "being written"),
    (plain, lambda p: truncate(p / "trainer_state.json", 5), "missing or cut"),
    (fsdp_parts, lambda p: (p / "trainer_state.json").unlink(), "written last"),
    (zero3, lambda p: (p / "trainer_state.json").write_text("[]"), "written last"),
]
DAMAGED = [
    (plain, lambda p: (p / "trainer_state.json").write_text('{"global_step": 4}'), "of step 4"),
    (plain, lambda p: (p / "model.safetensors").unlink(), "no weights"),
    (plain, lambda p: truncate(p / "model.safetensors", -3), "model.safetensors missing or cut"),
    (plain, lambda p: truncate(p / "model.safetensors", 4), "model.safetensors missing or cut"),
    (plain, lambda p: (p / "model.safetensors").write_bytes(struct.pack("<Q", 3) + b"{{{"), "model.safetensors"),
    (plain, lambda p: (p / "model.safetensors").write_bytes(struct.pack("<Q", 2) + b"[]"), "model.safetensors"),
    (plain, lambda p: truncate(p / "optimizer.pt", 60), "optimizer.pt missing or cut"),
    (plain, lambda p: (p / "scheduler.pt").unlink(), "scheduler.pt missing or cut"),
    (plain, lambda p: (p / "rng_state.pth").unlink(), "rng_state.pth missing or cut"),
    (
        plain,
        lambda p: (p / "model.safetensors.index.json").write_text(
            json.dumps({"weight_map": {"a": "model.safetensors", "b": "model-00002-of-00002.safetensors"}})
        ),
        "model-00002-of-00002.safetensors missing",
    ),
    (plain, lambda p: (p / "model.safetensors.index.json").write_text("{"), "model.safetensors.index.json"),
    (fsdp_parts, lambda p: (p / "optimizer_0" / ".metadata").unlink(), "optimizer_0/ missing or cut"),
    (fsdp_parts, lambda p: truncate(p / "pytorch_model_fsdp_0" / "__1_0.distcp", 0), "pytorch_model_fsdp_0/"),
    (fsdp_parts, lambda p: shutil.rmtree(p / "optimizer_0"), "optimizer missing or cut"),
    (fsdp_parts, lambda p: (p / "scheduler.pt").unlink(), "scheduler.pt missing or cut"),
    (fsdp_whole, lambda p: truncate(p / "optimizer.bin", 60), "optimizer.bin missing or cut"),
    (fsdp_whole, lambda p: truncate(p / "model.safetensors", 40), "model.safetensors missing or cut"),
    (fsdp_whole, lambda p: (p / "pytorch_model_fsdp.bin").unlink(), "pytorch_model_fsdp missing or cut"),
    (fsdp_ranks, lambda p: truncate(p / "optimizer_0_rank1.bin", 60), "optimizer_0_rank1.bin"),
    (zero2, lambda p: (p / "latest").unlink(), "latest missing or cut"),
    (zero2, lambda p: shutil.rmtree(p / "global_step5"), "global_step5/*_model_states.pt"),
    (
        zero3,
        lambda p: truncate(p / "global_step5" / "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt", 60),
        "global_step5/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt missing or cut",
    ),
    (zero3, lambda p: [(p / f"rng_state_{rank}.pth").unlink() for rank in range(2)], "rng_state.pth"),
]


@pytest.mark.parametrize(("layout", "damage", "words"), UNFINISHED)
def test_what_was_never_written_to_its_end_is_removed(tmp_path, layout, damage, words):
    path = layout(RunDirectory(tmp_path), 5)
    damage(path)
    assert words in checkpoint_problem(path)
    (told,) = clear_broken(path.parent)
    assert "is removed" in told
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(("layout", "damage", "words"), DAMAGED)
def test_what_is_wrong_in_another_way_is_kept_out_of_the_way(tmp_path, layout, damage, words):
    run = RunDirectory(tmp_path)
    layout(run, 4)
    path = layout(run, 5)
    damage(path)
    assert words in checkpoint_problem(path)
    inside = sorted(each.relative_to(path) for each in path.rglob("*"))
    (told,) = clear_broken(run.checkpoints)
    kept = run.checkpoints / "unusable-checkpoint-5"
    assert words in told
    assert str(kept) in told
    assert sorted(each.relative_to(kept) for each in kept.rglob("*")) == inside
    assert run.checkpoint_steps() == (4,)
    assert list(run.checkpoints.glob("checkpoint-*")) == [run.checkpoints / "checkpoint-4"]


def test_a_second_broken_one_of_the_same_step_takes_another_name_and_strangers_stay(tmp_path):
    run = RunDirectory(tmp_path)
    for _ in range(2):
        (plain(run, 5) / "optimizer.pt").unlink()
        clear_broken(run.checkpoints)
    (run.checkpoints / "checkpoint-best").mkdir()
    assert clear_broken(run.checkpoints) == []
    names = {each.name for each in run.checkpoints.iterdir()}
    assert names == {"unusable-checkpoint-5", "unusable-checkpoint-5-2", "checkpoint-best"}


def test_the_newest_complete_checkpoint_is_found(tmp_path):
    run = RunDirectory(tmp_path)
    assert run.newest_checkpoint() is None
    run.create()
    for step, layout in ((9, plain), (10, zero2), (100, fsdp_parts)):
        layout(run, step)
    (run.checkpoints / "README.md").write_text("not a checkpoint")
    assert run.checkpoint_steps() == (9, 10, 100)
    assert run.newest_checkpoint().name == "checkpoint-100"
    (run.checkpoints / "checkpoint-100" / "optimizer_0" / ".metadata").unlink()
    assert run.newest_checkpoint().name == "checkpoint-10"
