"""Is a vLLM server there, and does it do what training through it needs? Asked before a model is loaded.

Training sends new weights to the server after each step and compares its log-probabilities with the trainer's, so the
server must run with its development endpoints, a weight-transfer engine and processed log-probabilities.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from training_app.engine.errors import TrainingError

SECONDS: Final = 10.0
COMMAND: Final = (
    "VLLM_SERVER_DEV_MODE=1 vllm serve MODEL --logprobs-mode processed_logprobs "
    '--weight-transfer-config \'{"backend": "nccl"}\''
)


def check_server(url: str, seconds: float = SECONDS) -> None:
    """Raises TrainingError("config:vllm") saying what is wrong with the server and how it is started."""
    base = url.rstrip("/")
    _get(base, "/health", seconds)
    info = _json(base, "/server_info?config_format=json", seconds)
    config = info.get("vllm_config")
    if not isinstance(config, Mapping):
        raise _refused(base, "does not describe its configuration")
    if config.get("weight_transfer_config") is None:
        raise _refused(base, "has no weight-transfer engine, so it would go on sampling from the old weights")
    model = config.get("model_config")
    mode = model.get("logprobs_mode") if isinstance(model, Mapping) else None
    if mode != "processed_logprobs":
        raise _refused(base, f"gives log-probabilities as {mode}, not as the policy drew the tokens")


def _json(base: str, path: str, seconds: float) -> dict[str, Any]:
    try:
        found = json.loads(_get(base, path, seconds))
    except ValueError as error:
        raise _refused(base, f"answers {path.partition('?')[0]} with no JSON") from error
    return found if isinstance(found, dict) else {}


def _get(base: str, path: str, seconds: float) -> bytes:
    try:
        with urllib.request.urlopen(base + path, timeout=seconds) as answer:  # noqa: S310 - http(s), by configuration
            body: bytes = answer.read()
    except urllib.error.HTTPError as error:
        words = (
            "does not show its development endpoints"
            if error.code == 404 and path.startswith("/server_info")
            else f"answers {path.partition('?')[0]} with status {error.code}"
        )
        raise _refused(base, words) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise _refused(base, f"does not answer ({reason})") from error
    return body


def _refused(base: str, words: str) -> TrainingError:
    return TrainingError("config:vllm", f"The vLLM server at {base} {words}. Start it with: {COMMAND}")
