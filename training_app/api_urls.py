"""REST addresses of datasets, exports, training runs and evaluations."""

from django.urls import path

from training_app import api, evaluation_api, experiment_api, group_api, training_api, urls

assert urls.urlpatterns  # registers the converters of exp_, trn_, eval_ and xpt_ ids

urlpatterns = [
    path("datasets", api.DatasetList.as_view(), name="api-datasets"),
    path("datasets/<slug:slug>", api.DatasetDetail.as_view(), name="api-dataset"),
    path("datasets/<slug:slug>/versions", api.DatasetVersionList.as_view(), name="api-dataset-versions"),
    path("datasets/<slug:slug>/versions/<int:number>", api.DatasetVersionDetail.as_view(), name="api-dataset-version"),
    path("datasets/<slug:slug>/versions/<int:number>/rows", api.DatasetVersionRows.as_view(), name="api-dataset-rows"),
    path(
        "datasets/<slug:slug>/versions/<int:number>/leakage",
        api.DatasetVersionLeakage.as_view(),
        name="api-dataset-leakage",
    ),
    path("exports", api.ExportList.as_view(), name="api-exports"),
    path("exports/<exp_id:pk>", api.ExportDetail.as_view(), name="api-export"),
    path("exports/<exp_id:pk>/manifest", api.ExportManifest.as_view(), name="api-export-manifest"),
    path("exports/<exp_id:pk>/files/<str:name>", api.ExportFile.as_view(), name="api-export-file"),
    path("training-runs", training_api.TrainingList.as_view(), name="api-training-runs"),
    path("training-runs/estimate", training_api.TrainingEstimate.as_view(), name="api-training-estimate"),
    path("training-runs/<trn_id:pk>", training_api.TrainingDetail.as_view(), name="api-training-run"),
    path("training-runs/<trn_id:pk>/clone", training_api.TrainingClone.as_view(), name="api-training-clone"),
    path("training-runs/<trn_id:pk>/metrics", training_api.TrainingMetrics.as_view(), name="api-training-metrics"),
    path("training-runs/<trn_id:pk>/groups", group_api.TrainingGroups.as_view(), name="api-training-groups"),
    path("jobs/<job_id:pk>/metrics", training_api.JobMetrics.as_view(), name="api-job-metrics"),
    path("experiments", experiment_api.ExperimentList.as_view(), name="api-experiments"),
    path("experiments/<xpt_id:pk>", experiment_api.ExperimentDetail.as_view(), name="api-experiment"),
    path("evaluations", evaluation_api.EvaluationList.as_view(), name="api-evaluations"),
    path("evaluations/compare", evaluation_api.EvaluationComparison.as_view(), name="api-evaluations-compare"),
    path("evaluations/<eval_id:pk>", evaluation_api.EvaluationDetail.as_view(), name="api-evaluation"),
]
