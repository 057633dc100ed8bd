"""Forms of the rubric editor and of re-grading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks_app.engine.editing import MAX_CRITERIA, MAX_EXPRESSION, Problems
from tasks_app.engine.task import Criterion
from tasks_app.selectors import policies_seen

KINDS = (("goal", _("Goal")), ("constraint", _("Constraint")), ("answer", _("Answer")), ("judge", _("Judge")))
PREFIX = "criterion"
CODE = {"class": "code-input", "rows": 3, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class CriterionForm(forms.Form):
    """One criterion. Whether the expression can be used is for the engine to say (`tasks_app.rubric_trial`)."""

    id = forms.RegexField(r"^\w{1,40}$", widget=forms.HiddenInput)
    text = forms.CharField(label=_("What it checks, in words"), max_length=500, required=False)
    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS, required=False)
    weight = forms.FloatField(label=_("Weight"), min_value=0.1, max_value=10, required=False)
    expression = forms.CharField(
        label=_("Check (CEL)"),
        max_length=MAX_EXPRESSION,
        required=False,
        widget=forms.Textarea(attrs=CODE | {"data-completes": ""}),
    )

    @property
    def criterion(self) -> Criterion:
        data = {name: self.cleaned_data[name] for name in ("id", "text", "kind", "weight", "expression")}
        return Criterion(**data | {"kind": data["kind"] or "goal", "weight": data["weight"] or 1.0})


if TYPE_CHECKING:
    _FormSet = forms.BaseFormSet[CriterionForm]
else:
    _FormSet = forms.BaseFormSet  # takes no parameter at run time


class _Rubric(_FormSet):
    """All criteria; those that are ticked to be removed are left out of `rubric`."""

    deletion_widget = forms.CheckboxInput

    def add_fields(self, form: CriterionForm, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["DELETE"].label = _("Take it out of the rubric")

    @property
    def rubric(self) -> list[Criterion]:
        return [form.criterion for form in self.forms if not form.cleaned_data.get("DELETE")]

    def mark(self, problems: Problems) -> list[str]:
        """Put what is wrong beside the expressions; returns what is wrong with the whole."""
        for form in self.forms:
            for words in problems.get(form["id"].value() or "", []):
                form.add_error("expression", words)
        return problems.get("", [])


RubricFormSet = forms.formset_factory(
    CriterionForm, formset=_Rubric, extra=0, can_delete=True, max_num=MAX_CRITERIA, absolute_max=MAX_CRITERIA + 1
)


def rubric_forms(rubric: Sequence[Criterion]) -> _Rubric:
    """The forms of a stored rubric."""
    initial = [one.model_dump(exclude={"reads"}) for one in rubric]
    return cast(_Rubric, RubricFormSet(initial=initial, prefix=PREFIX))


def sent_forms(data: Any) -> _Rubric:
    """The forms of a draft as it was sent."""
    return cast(_Rubric, RubricFormSet(data, prefix=PREFIX))


def with_one_more(data: Any) -> _Rubric:
    """What was sent, as it is, with an empty criterion at its end."""
    data = data.copy()
    total = int(data.get(f"{PREFIX}-TOTAL_FORMS") or 0)
    numbers = [int(found[1]) for key, value in data.items() if key.endswith("-id") and (found := _NUMBER.match(value))]
    data[f"{PREFIX}-TOTAL_FORMS"] = str(min(total + 1, MAX_CRITERIA))
    first = {"id": f"c{max(numbers, default=0) + 1}", "kind": "goal", "weight": "1.0", "text": "", "expression": ""}
    data.update({f"{PREFIX}-{total}-{name}": value for name, value in first.items()})
    return sent_forms(data)


_NUMBER = re.compile(r"^c(\d{1,6})$")


class RegradeForm(forms.Form):
    """Which rollouts are judged anew, by what change."""

    criterion = forms.RegexField(
        r"^\w{1,40}$",
        label=_("Criterion to replace"),
        required=False,
        help_text=_("Its id, such as c3. Left empty, the check stands beside the others of every task."),
    )
    expression = forms.CharField(
        label=_("Check (CEL)"),
        max_length=MAX_EXPRESSION,
        required=False,
        widget=forms.Textarea(attrs=CODE),
        help_text=_("Left empty, the rollouts are judged by the rubrics as they are now."),
    )
    policy = forms.ChoiceField(label=_("Only rollouts of"), required=False)
    editions = forms.BooleanField(
        label=_("Also rollouts of other versions of these tasks"), required=False, initial=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seen = [("", _("All policies")), *((name, name) for name in policies_seen())]
        self.fields["policy"].choices = seen  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("criterion") and not data.get("expression"):
            self.add_error("expression", _("Write the check that stands in the place of this criterion."))
        return data
