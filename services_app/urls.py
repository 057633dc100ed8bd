"""Pages of the services."""

from django.urls import path, register_converter

from services_app import views
from webapp.common import ids

register_converter(ids.converter("spec"), "spec_id")
register_converter(ids.converter("dec"), "dec_id")

urlpatterns = [
    path("review/", views.review, name="review"),
    path("services/", views.service_list, name="services"),
    path("services/new/", views.service_new, name="service-new"),
    path("services/verify/", views.verify_library, name="services-verify"),
    path("services/specifications/<spec_id:pk>/", views.specification_page, name="specification"),
    path("services/specifications/<spec_id:pk>/build/", views.specification_build, name="specification-build"),
    path("services/decisions/<dec_id:pk>/undo/", views.decision_undo, name="decision-undo"),
    path("services/<slug:slug>/", views.service_page, name="service"),
    path("services/<slug:slug>/tools/<str:exposed>/", views.tool_page, name="tool"),
    path("services/<slug:slug>/tools/<str:exposed>/try/", views.tool_try, name="tool-try"),
    path("services/<slug:slug>/tools/<str:exposed>/decide/", views.tool_decide, name="tool-decide"),
]
