"""Pages of datasets, exports, training runs and evaluations."""

from django.urls import path, register_converter

from training_app import (
    checkpoint_views,
    compare_views,
    evaluation_views,
    experiment_views,
    group_views,
    job_views,
    lab_views,
    views,
)
from webapp.common import ids

register_converter(ids.converter("exp"), "exp_id")
register_converter(ids.converter("trn"), "trn_id")
register_converter(ids.converter("eval"), "eval_id")
register_converter(ids.converter("xpt"), "xpt_id")

urlpatterns = [
    path("datasets/", views.dataset_list, name="datasets"),
    path("datasets/<slug:slug>/", views.dataset_page, name="dataset"),
    path("datasets/<slug:slug>/freeze/", views.dataset_freeze, name="dataset-freeze"),
    path("datasets/<slug:slug>/v<int:number>/", views.version_page, name="dataset-version"),
    path("datasets/<slug:slug>/v<int:number>/export/", views.version_export, name="dataset-version-export"),
    path("exports/<exp_id:pk>/", views.export_page, name="export"),
    path("exports/<exp_id:pk>/files/<str:name>", views.export_file, name="export-file"),
    path("jobs/new/", job_views.job_new, name="job-new"),
    path("reward-lab/", lab_views.reward_lab, name="reward-lab"),
    path("training/compare/", compare_views.compare_runs, name="training-compare"),
    path("training/<trn_id:pk>/charts/", job_views.training_charts, name="training-charts"),
    path("training/<trn_id:pk>/metrics.csv", job_views.training_metrics, name="training-metrics"),
    path("training/<trn_id:pk>/rollouts/", group_views.training_rollouts, name="training-rollouts"),
    path("training/<trn_id:pk>/rollouts/<int:step>/<int:group>/", group_views.training_group, name="training-group"),
    path(
        "training/<trn_id:pk>/rollouts/<int:step>/<int:group>/<int:index>/",
        group_views.training_rollout,
        name="training-rollout",
    ),
    path(
        "training/<trn_id:pk>/checkpoints/<slug:name>/delete/",
        checkpoint_views.checkpoint_delete,
        name="training-checkpoint-delete",
    ),
    path(
        "training/<trn_id:pk>/checkpoints/<slug:name>/resume/",
        checkpoint_views.checkpoint_resume,
        name="training-checkpoint-resume",
    ),
    path("training/<trn_id:pk>/evaluate/", job_views.training_evaluate, name="training-evaluate"),
    path("experiments/", experiment_views.experiment_list, name="experiments"),
    path("experiments/<xpt_id:pk>/", experiment_views.experiment_page, name="experiment"),
    path("evaluations/compare/", evaluation_views.compare_evaluations, name="evaluation-compare"),
    path("evaluations/<eval_id:pk>/", evaluation_views.evaluation_page, name="evaluation"),
]
