"""Routes of the REST API of tasks, trajectories and groups, below /api/v1/."""

from django.urls import path, register_converter

import tasks_app.urls  # noqa: F401 - registers the converters that pages and API share
from tasks_app import api_figures, api_rubric, api_states, api_tasks, api_trajectories
from webapp.common import ids

app_name = "tasks-api"

register_converter(ids.converter("grp"), "grp_id")

urlpatterns = [
    path("compositions/preview", api_tasks.CompositionsPreview.as_view(), name="preview"),
    path("tasks", api_tasks.TaskList.as_view(), name="tasks"),
    path("tasks/generate", api_tasks.TasksGenerate.as_view(), name="generate"),
    path("tasks/diversity", api_figures.TaskDiversity.as_view(), name="diversity"),
    path("services/<slug:slug>/effect-profile", api_figures.ServiceEffectProfile.as_view(), name="effect-profile"),
    path("tasks/<task_id:pk>", api_tasks.TaskDetail.as_view(), name="task"),
    path("tasks/<task_id:pk>/artifact", api_tasks.TaskArtifact.as_view(), name="artifact"),
    path("tasks/<task_id:pk>/graph", api_tasks.TaskGraphView.as_view(), name="graph"),
    path("tasks/<task_id:pk>/rubric", api_rubric.TaskRubricView.as_view(), name="rubric"),
    path("tasks/<task_id:pk>/rubric/trial", api_rubric.RubricTrial.as_view(), name="rubric-trial"),
    path("tasks/<task_id:pk>/rubric/completions", api_rubric.RubricCompletions.as_view(), name="completions"),
    path("tasks/<task_id:pk>/editions", api_rubric.TaskEditions.as_view(), name="editions"),
    path("tasks/<task_id:pk>/use", api_rubric.TaskUse.as_view(), name="use"),
    path("tasks/<task_id:pk>/reference-solution", api_tasks.TaskReference.as_view(), name="reference-solution"),
    path("tasks/<task_id:pk>/initial-state", api_tasks.TaskInitialState.as_view(), name="initial-state"),
    path(
        "tasks/<task_id:pk>/initial-state/<slug:service>/<slug:table>",
        api_states.InitialTable.as_view(),
        name="initial-table",
    ),
    path("tasks/<task_id:pk>/goal-state", api_tasks.TaskGoalState.as_view(), name="goal-state"),
    path(
        "tasks/<task_id:pk>/goal-state/<slug:service>/<slug:table>", api_states.GoalTable.as_view(), name="goal-table"
    ),
    path("tasks/<task_id:pk>/proof", api_tasks.TaskProofView.as_view(), name="proof"),
    path("tasks/<task_id:pk>/verify", api_tasks.TaskVerify.as_view(), name="verify"),
    path("tasks/<task_id:pk>/retire", api_tasks.TaskRetire.as_view(), name="retire"),
    path("regradings", api_rubric.Regradings.as_view(), name="regradings"),
    path("regradings/<job_id:pk>", api_rubric.RegradingDetail.as_view(), name="regrading"),
    path("regradings/<job_id:pk>/rollouts", api_rubric.RegradedRollouts.as_view(), name="regraded"),
    path("rollouts", api_trajectories.Rollouts.as_view(), name="rollouts"),
    path("trajectories", api_trajectories.TrajectoryList.as_view(), name="trajectories"),
    path("trajectories/<traj_id:pk>", api_trajectories.TrajectoryDetail.as_view(), name="trajectory"),
    path("trajectories/<traj_id:pk>/steps", api_trajectories.StepsView.as_view(), name="steps"),
    path("trajectories/<traj_id:pk>/steps/<int:number>", api_trajectories.StepView.as_view(), name="step"),
    path("trajectories/<traj_id:pk>/messages", api_trajectories.MessagesView.as_view(), name="messages"),
    path("groups", api_trajectories.GroupList.as_view(), name="groups"),
    path("groups/<grp_id:pk>", api_trajectories.GroupDetail.as_view(), name="group"),
]
