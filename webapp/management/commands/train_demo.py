"""./workbench train-demo [--json]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from webapp import train_demo
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow_beside

WORDS = {
    "loss_falls": "SFT loss, mean of the last three steps",
    "nothing_before": "held-out full completion before training, greedy",
    "completion_after_sft": "held-out full completion after SFT, greedy",
    "gain_by_grpo": "gain by GRPO at temperature 1, paired by task",
}
JUDGED = {
    "before_training_greedy": "Before training, greedy",
    "sft_greedy": "After SFT, greedy",
    "sft_sampled": "After SFT, temperature 1",
    "grpo_sampled": "After GRPO, temperature 1",
    "grpo_greedy": "After GRPO, greedy",
}


class Command(WorkbenchCommand):
    help = "Prove on this machine's CPU that training works: data, SFT, GRPO, evaluations, in some minutes."

    def work(self, options: Mapping[str, Any]) -> Any:
        result = follow_beside(self, train_demo.KIND, lambda: train_demo.start(by=None))
        for name, words in JUDGED.items():
            rate = result["evaluations"][name]["success_rate"]
            self.say(f"{words}: {rate['value']:.1%} [{rate['low']:.1%}, {rate['high']:.1%}] complete, n = {rate['n']}")
        for promise in result["promises"]:
            kept = "kept" if promise["kept"] else "NOT KEPT"
            self.say(f"{kept}: {WORDS[promise['name']]}: {promise['value']:.3f}")
        gain = result["comparison"]["success_rate"]
        interval = f"[{gain['low']:+.1%}, {gain['high']:+.1%}]"
        self.say(f"GRPO against SFT: {gain['difference']:+.1%} {interval}, {gain['test']}, p = {gain['p_value']:.2g}")
        self.say(f"{result['seconds']['wall']:.0f} s. All of it is on the page of the job {result['job']}.")
        if not all(promise["kept"] for promise in result["promises"]):
            raise CommandError("A promise was not kept; the figures are on the page of the job.")
        return result
