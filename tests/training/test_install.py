"""The installer's bookkeeping; the installation itself is what the tests of the training stack run on."""

import json
import re
import sys

import pytest

from training_app.trainers import install


def test_where_the_environment_lies():
    assert install.environment_path({}) == install.ROOT / ".venv-train"
    assert install.environment_path({install.VARIABLE: "/x/y"}).as_posix() == "/x/y"
    assert install.python_path({install.VARIABLE: "/x/y"}).as_posix() == "/x/y/bin/python"


def test_the_lock_is_hashed_and_leaves_torch_out():
    text = install.LOCK.read_text()
    names = re.findall(r"^([a-z0-9-]+)==", text, flags=re.MULTILINE)
    assert {"trl", "transformers", "pydantic", "orjson", "jsonschema-rs", "cel-expr-python"} <= set(names)
    assert not [n for n in names if n in {"torch", "triton"} or n.startswith(("nvidia-", "cuda-"))]
    entries = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
    assert [e.split("==")[0] for e in entries if "--hash=sha256:" not in e] == []


def test_an_up_to_date_environment_is_left_alone(tmp_path, capsys, monkeypatch):
    path = tmp_path / "venv"
    path.mkdir()
    assert not install.is_ready(path)
    (path / "workbench-stamp.json").write_text("{")
    assert not install.is_ready(path)
    (path / "workbench-stamp.json").write_text(json.dumps(install.wanted_stamp()))
    for name in ("torch", "trl", "transformers", "accelerate", "datasets", "peft", "safetensors", "tokenizers"):
        assert not install.is_ready(path)  # the stamp alone says what once was
        assert name in install.missing(path)
        package = path / "lib" / "python3.11" / "site-packages" / name
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    assert install.is_ready(path)
    monkeypatch.setenv(install.VARIABLE, str(path))
    assert install.main(["--progress-json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {
        "phase": "check",
        "done": 4,
        "total": 4,
        "message": "the training environment is ready",
    }
    assert {p.name for p in path.iterdir()} == {"workbench-stamp.json", ".install.lock", "lib"}


def test_a_failing_phase_is_named_with_its_last_lines(tmp_path, capsys, monkeypatch):
    """An environment whose interpreter has no pip: the torch phase must fail, and no stamp may appear."""
    path = tmp_path / "venv"
    (path / "bin").mkdir(parents=True)
    python = path / "bin" / "python"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -c \"import sys; sys.exit('no pip here')\"\n")
    python.chmod(0o755)
    monkeypatch.setenv(install.VARIABLE, str(path))
    assert install.main(["--progress-json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["phase"] for line in lines] == ["torch", "failed"]
    assert lines[-1]["message"] == "torch: no pip here"
    assert not install.is_ready(path)
    with pytest.raises(install.InstallError) as error:
        install.install(path, lambda *_: None)
    assert error.value.phase == "torch"
