"""Pages of datasets, exports, training runs and evaluations."""

from django.urls import path, register_converter

from training_app import job_views, views
from webapp.common import ids

register_converter(ids.converter("exp"), "exp_id")
register_converter(ids.converter("trn"), "trn_id")
register_converter(ids.converter("eval"), "eval_id")

urlpatterns = [
    path("datasets/", views.dataset_list, name="datasets"),
    path("datasets/<slug:slug>/", views.dataset_page, name="dataset"),
    path("datasets/<slug:slug>/freeze/", views.dataset_freeze, name="dataset-freeze"),
    path("datasets/<slug:slug>/v<int:number>/", views.version_page, name="dataset-version"),
    path("datasets/<slug:slug>/v<int:number>/export/", views.version_export, name="dataset-version-export"),
    path("exports/<exp_id:pk>/", views.export_page, name="export"),
    path("exports/<exp_id:pk>/files/<str:name>", views.export_file, name="export-file"),
    path("jobs/new/", job_views.job_new, name="job-new"),
    path("training/<trn_id:pk>/charts/", job_views.training_charts, name="training-charts"),
    path("training/<trn_id:pk>/metrics.csv", job_views.training_metrics, name="training-metrics"),
    path("training/<trn_id:pk>/rollouts/", job_views.training_rollouts, name="training-rollouts"),
    path(
        "training/<trn_id:pk>/rollouts/<int:step>/<int:group>/<int:index>/",
        job_views.training_rollout,
        name="training-rollout",
    ),
    path("training/<trn_id:pk>/evaluate/", job_views.training_evaluate, name="training-evaluate"),
    path("evaluations/<eval_id:pk>/", job_views.evaluation_page, name="evaluation"),
]
