"""What this app shows on Home."""

from django.utils.translation import gettext_lazy as _

from training_app.models import TrainingRun
from webapp.common import panels


def _trained() -> bool:
    return TrainingRun.objects.exists()


panels.register_step(panels.Step("training", _("Launch a training run"), "/jobs/new/", _trained, 30))
