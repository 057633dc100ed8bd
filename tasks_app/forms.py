"""Forms of the tasks: what to generate, how to play."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from services_app.selectors import by_domain
from tasks_app.actions import MAX_ROLLOUTS, MAX_TASKS, check_request
from tasks_app.authors.tongue import LANGUAGES
from tasks_app.composing import Asked
from tasks_app.engine.chances import DEFAULT_MODE
from tasks_app.engine.sampling import MAX_DISTRACTORS
from tasks_app.engine.walk import MAX_SERVICES, WalkError
from tasks_app.policies.rules import RULE_POLICIES
from tasks_app.selectors import policies_seen

LANGUAGE_NAMES = {"en": _("English"), "zh-hans": _("Chinese (Simplified)")}
MODES = (
    ("compatible", _("Compatible")),
    ("uniform", _("Uniform")),
    ("domain", _("By domain")),
    ("failures", _("Where a policy fails")),
)


class ComposeForm(forms.Form):
    """A request for tasks. Checked as a whole: K, D and L must fit each other and the services that are ready."""

    count = forms.IntegerField(label=_("Tasks"), min_value=1, max_value=MAX_TASKS, initial=20)
    k = forms.IntegerField(label=_("Services needed (K)"), min_value=1, max_value=MAX_SERVICES, initial=3)
    distractors = forms.IntegerField(label=_("Distractors (D)"), min_value=0, max_value=MAX_DISTRACTORS, initial=3)
    length_min = forms.IntegerField(label=_("Walk length from"), min_value=1, max_value=40, initial=5)
    length_max = forms.IntegerField(label=_("Walk length to"), min_value=1, max_value=40, initial=7)
    seed = forms.IntegerField(label=_("Seed"), min_value=0, initial=1)
    mode = forms.ChoiceField(
        label=_("Services are drawn"),
        choices=MODES,
        initial=DEFAULT_MODE,
        required=False,
        help_text=_(
            "Compatible prefers services that can feed each other; uniform takes all sets alike, by domain all domains."
        ),
    )
    policy = forms.ChoiceField(label=_("Policy whose failures count"), required=False)
    language = forms.ChoiceField(
        label=_("Language of the instructions"),
        choices=[(name, LANGUAGE_NAMES[name]) for name in LANGUAGES],
        initial="en",
        required=False,
        help_text=_("Chinese can be written over services that have a phrase book: those that are shipped."),
    )
    services = forms.MultipleChoiceField(
        label=_("Draw only from"),
        required=False,
        help_text=_("None chosen means all that are ready."),
        widget=forms.SelectMultiple(attrs={"size": 10}),
    )

    def __init__(self, *args: Any, ready: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ready = ready
        self.fields["services"].choices = by_domain(ready)  # type: ignore[attr-defined]
        seen = [("", "–"), *((name, name) for name in policies_seen())]
        self.fields["policy"].choices = seen  # type: ignore[attr-defined]
        self.asked: Asked | None = None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            mode = data["mode"] or DEFAULT_MODE
            try:
                self.asked = check_request(
                    count=data["count"],
                    k=data["k"],
                    distractors=data["distractors"],
                    length=(data["length_min"], data["length_max"]),
                    services=data["services"],
                    mode=mode,
                    policy=data["policy"] if mode == "failures" else "",
                    language=data["language"] or "en",
                )
            except WalkError as error:
                raise forms.ValidationError(str(error)) from error
        return data


class RolloutForm(forms.Form):
    """How to play one task or many."""

    policy = forms.ChoiceField(label=_("Policy"), choices=[(name, name) for name in RULE_POLICIES])
    model = forms.CharField(
        label=_("Or a model"), required=False, max_length=100, help_text=_("A name that LiteLLM knows.")
    )
    n = forms.IntegerField(label=_("Rollouts per task"), min_value=1, max_value=MAX_ROLLOUTS, initial=1)

    @property
    def chosen(self) -> str:
        return str(self.cleaned_data["model"] or self.cleaned_data["policy"])
