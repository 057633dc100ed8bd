"""Routes of the REST API of the services, below /api/v1/."""

from django.urls import path

import services_app.urls  # noqa: F401 - registers the converters that pages and API share
from services_app import api_batches, api_review, api_services, api_sessions, api_specifications, api_tools

app_name = "services-api"

urlpatterns = [
    path("specifications", api_specifications.SpecificationList.as_view(), name="specifications"),
    path("specifications/build-all", api_batches.BuildAll.as_view(), name="build-all"),
    path("batches/<job_id:pk>/items", api_batches.BatchItems.as_view(), name="batch-items"),
    path("specifications/<spec_id:pk>", api_specifications.SpecificationDetail.as_view(), name="specification"),
    path("specifications/<spec_id:pk>/diff", api_specifications.SpecificationDiff.as_view(), name="diff"),
    path("lint-rules", api_specifications.LintRules.as_view(), name="lint-rules"),
    path("specifications/<spec_id:pk>/content", api_specifications.SpecificationContent.as_view(), name="content"),
    path("specifications/<spec_id:pk>/build", api_specifications.SpecificationBuild.as_view(), name="build"),
    path("services", api_services.ServiceList.as_view(), name="services"),
    path("services/verify", api_services.ServicesVerify.as_view(), name="verify"),
    path("services/<slug:slug>", api_services.ServiceDetail.as_view(), name="service"),
    path("services/<slug:slug>/versions", api_services.VersionList.as_view(), name="versions"),
    path("services/<slug:slug>/versions/<int:number>", api_services.VersionDetail.as_view(), name="version"),
    path("services/<slug:slug>/state-schema", api_services.StateSchema.as_view(), name="state-schema"),
    path("services/<slug:slug>/usage", api_services.ServiceUsage.as_view(), name="usage"),
    path("sessions", api_sessions.SessionList.as_view(), name="sessions"),
    path("sessions/<sess_id:pk>", api_sessions.SessionDetail.as_view(), name="session"),
    path("sessions/<sess_id:pk>/turns", api_sessions.SessionTurns.as_view(), name="session-turns"),
    path("tools", api_tools.ToolList.as_view(), name="tools"),
    path("tools/decide", api_review.ToolsDecide.as_view(), name="tools-decide"),
    path("tools/<tool_id:pk>", api_tools.ToolDetail.as_view(), name="tool"),
    path("tools/<tool_id:pk>/schema", api_tools.ToolSchema.as_view(), name="tool-schema"),
    path("tools/<tool_id:pk>/agent-view", api_tools.AgentView.as_view(), name="agent-view"),
    path("tools/<tool_id:pk>/validations", api_tools.ToolValidations.as_view(), name="validations"),
    path("tools/<tool_id:pk>/impact", api_tools.ToolImpact.as_view(), name="impact"),
    path("tools/<tool_id:pk>/effect-profile", api_tools.ToolEffectProfile.as_view(), name="effect-profile"),
    path("tools/<tool_id:pk>/try", api_tools.ToolTry.as_view(), name="try"),
    path("tools/<tool_id:pk>/decisions", api_tools.DecisionList.as_view(), name="decisions"),
    path("tools/<tool_id:pk>/cases", api_review.CaseList.as_view(), name="cases"),
    path("cases/<case_id:pk>", api_review.CaseDetail.as_view(), name="case"),
    path("bulk-decisions/<bulk_id:pk>/undo", api_review.BulkUndo.as_view(), name="bulk-undo"),
    path("decisions/<dec_id:pk>/undo", api_tools.DecisionUndo.as_view(), name="undo"),
]
