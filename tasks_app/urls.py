"""Pages of tasks and trajectories."""

from django.urls import path, register_converter

from tasks_app import regrading_views, rubric_views, variety_views, views
from webapp.common import ids

register_converter(ids.converter("task"), "task_id")
register_converter(ids.converter("traj"), "traj_id")

urlpatterns = [
    path("compose/", views.compose, name="compose"),
    path("tasks/", views.task_list, name="tasks"),
    path("tasks/diversity/", variety_views.diversity, name="tasks-diversity"),
    path("tasks/regrading/", regrading_views.regradings, name="regradings"),
    path("tasks/regrading/<job_id:pk>/", regrading_views.regrading_page, name="regrading"),
    path("tasks/regrading/<job_id:pk>/rollouts.csv", regrading_views.regrading_csv, name="regrading-csv"),
    path("tasks/rollout/", views.rollout_many, name="tasks-rollout"),
    path("tasks/<task_id:pk>/", views.task_page, name="task"),
    path("tasks/<task_id:pk>/prove/", views.task_prove, name="task-prove"),
    path("tasks/<task_id:pk>/rollout/", views.task_rollout, name="task-rollout"),
    path("tasks/<task_id:pk>/retire/", views.task_retire, name="task-retire"),
    path("tasks/<task_id:pk>/rubric/", rubric_views.rubric_page, name="task-rubric"),
    path("tasks/<task_id:pk>/use/", rubric_views.go_back, name="task-use"),
    path("trajectories/", views.trajectory_list, name="trajectories"),
    path("trajectories/<traj_id:pk>/", views.trajectory_page, name="trajectory"),
]
