"""The tests under `stack/` import torch and run in the training environment; see test_stack.py."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["stack"]
