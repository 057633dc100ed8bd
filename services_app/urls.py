"""Pages of the services."""

from django.urls import path, register_converter

from services_app import batch_views, case_views, review_views, session_views, specification_views, views
from webapp.common import ids

register_converter(ids.converter("spec"), "spec_id")
register_converter(ids.converter("dec"), "dec_id")
register_converter(ids.converter("sess"), "sess_id")
register_converter(ids.converter("tool"), "tool_id")
register_converter(ids.converter("bulk"), "bulk_id")
register_converter(ids.converter("job"), "batch_id")
register_converter(ids.converter("case"), "case_id")

urlpatterns = [
    path("review/", review_views.review, name="review"),
    path("review/next/", review_views.review_next, name="review-next"),
    path("review/<tool_id:pk>/", review_views.review_item, name="review-item"),
    path("review/<tool_id:pk>/decide/", review_views.review_decide, name="review-decide"),
    path("review/<tool_id:pk>/impact/", review_views.tool_impact, name="tool-impact"),
    path("tools/", review_views.tool_list, name="tools"),
    path("tools/decide/", review_views.tools_bulk, name="tools-bulk"),
    path("tools/decisions/<bulk_id:pk>/undo/", review_views.bulk_undo, name="bulk-undo"),
    path("services/", views.service_list, name="services"),
    path("services/new/", specification_views.service_new, name="service-new"),
    path("services/verify/", views.verify_library, name="services-verify"),
    path("help/lint/", specification_views.lint_rules, name="lint-rules"),
    path("services/build-all/", batch_views.build_all, name="build-all"),
    path("services/batches/<batch_id:pk>/", batch_views.batch_page, name="batch"),
    path("services/batches/<batch_id:pk>/report.json", batch_views.batch_report, name="batch-report"),
    path("services/specifications/", specification_views.specification_list, name="specifications"),
    path("services/specifications/<spec_id:pk>/", specification_views.specification_page, name="specification"),
    path(
        "services/specifications/<spec_id:pk>/build/",
        specification_views.specification_build,
        name="specification-build",
    ),
    path("services/decisions/<dec_id:pk>/undo/", review_views.decision_undo, name="decision-undo"),
    path("services/specifications/<spec_id:pk>/model/", session_views.build_by_model, name="build-by-model"),
    path("services/sessions/", session_views.session_list, name="sessions"),
    path("services/sessions/<sess_id:pk>/", session_views.session_page, name="session"),
    path("services/<slug:slug>/", views.service_page, name="service"),
    path("services/<slug:slug>/tools/<str:exposed>/", views.tool_page, name="tool"),
    path("services/<slug:slug>/tools/<str:exposed>/try/", views.tool_try, name="tool-try"),
    path("services/cases/<case_id:pk>/remove/", case_views.case_remove, name="case-remove"),
    path("services/<slug:slug>/verify/", case_views.revalidate, name="service-verify"),
    path("services/<slug:slug>/tools/<str:exposed>/cases/", case_views.case_save, name="case-save"),
    path("services/<slug:slug>/tools/<str:exposed>/decide/", review_views.tool_decide, name="tool-decide"),
]
