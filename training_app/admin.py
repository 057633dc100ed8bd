"""Emergency access for operators at /staff/: to look, not to touch."""

from django.contrib import admin

from training_app.models import Dataset, DatasetVersion, Evaluation, Export, TrainingRun
from webapp.common.admin import ReadOnly

admin.site.register((Dataset, DatasetVersion, Export, TrainingRun, Evaluation), ReadOnly)
