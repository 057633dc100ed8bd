"""GRPO through a vLLM server: the configuration, and what is asked of the server before a model is loaded."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from training_app.engine.config import grpo_preset
from training_app.engine.errors import TrainingError
from training_app.trainers.vllm_server import check_server

BASE = {"model": "m", "dataset": "d", "episodes": "a.b:c"}
GOOD = {"weight_transfer_config": {"backend": "nccl"}, "model_config": {"logprobs_mode": "processed_logprobs"}}


def test_the_server_mode_is_a_matter_of_two_fields():
    config = grpo_preset("multi-gpu", **BASE, vllm="server", vllm_server="http://sampler:8000")
    assert (config.vllm, config.vllm_server) == ("server", "http://sampler:8000")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"vllm": "server"}, "vllm = server needs vllm_server, the address of the server"),
        ({"vllm_server": "http://a:1"}, "vllm_server is only used with vllm = server, and vllm is off"),
        ({"vllm": "colocate", "vllm_server": "http://a:1"}, "and vllm is colocate"),
        ({"vllm": "server", "vllm_server": "sampler:8000"}, "String should match pattern"),
        ({"vllm": "server", "vllm_server": "http://a b"}, "String should match pattern"),
        (
            {"vllm": "server", "vllm_server": "http://a:1", "device": "cpu", "precision": "float32"},
            "vLLM sampling needs device cuda",
        ),
    ],
)
def test_incomplete_configurations_are_refused_in_words(values, words):
    with pytest.raises(ValueError, match=words):
        grpo_preset("paper", **BASE, **values)


@contextmanager
def server(answers):
    """A server on this machine; `answers` maps a path to (status, body)."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = answers.get(self.path.partition("?")[0], (404, b""))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def log_message(self, *_args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def described(config):
    return {"/health": (200, b""), "/server_info": (200, {"vllm_config": config})}


def test_a_server_that_can_train_passes():
    with server(described(GOOD)) as url:
        check_server(url)
        check_server(url + "/")


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"/health": (503, b"")}, "answers /health with status 503"),
        ({"/health": (200, b"")}, "does not show its development endpoints"),
        ({"/health": (200, b""), "/server_info": (200, b"<html>")}, "answers /server_info with no JSON"),
        ({"/health": (200, b""), "/server_info": (200, [1])}, "does not describe its configuration"),
        (described({**GOOD, "weight_transfer_config": None}), "has no weight-transfer engine"),
        (described({**GOOD, "model_config": {"logprobs_mode": "raw_logprobs"}}), "log-probabilities as raw_logprobs"),
    ],
)
def test_a_server_that_cannot_train_is_refused_with_its_command(answers, words):
    with server(answers) as url, pytest.raises(TrainingError) as caught:
        check_server(url)
    assert caught.value.kind == "config:vllm"
    assert f"The vLLM server at {url} " in caught.value.message
    assert words in caught.value.message
    assert "Start it with: VLLM_SERVER_DEV_MODE=1 vllm serve" in caught.value.message


def test_a_server_that_does_not_answer_is_refused():
    with server({}) as url:
        pass
    with pytest.raises(TrainingError, match="does not answer"):
        check_server(url, seconds=2.0)
    with pytest.raises(TrainingError, match="does not answer"):
        check_server("http://no-such-host.invalid:8000", seconds=2.0)
