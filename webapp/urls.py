"""Every address. The apps' own routes come from `<app>.urls` and `<app>.api_urls`."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path

from webapp import api, views
from webapp.common import account_pages, job_pages, people_pages
from webapp.common.component_gallery import component_gallery

jobs: list[URLPattern | URLResolver] = [
    path("", job_pages.job_list, name="list"),
    path("<job_id:pk>/", job_pages.job_detail, name="detail"),
    path("<job_id:pk>/cancel/", job_pages.job_cancel, name="cancel"),
    path("<job_id:pk>/resume/", job_pages.job_resume, name="resume"),
    path("<job_id:pk>/retry/", job_pages.job_retry, name="retry"),
    path("<job_id:pk>/move/", job_pages.job_move, name="move"),
]
settings_pages: list[URLPattern | URLResolver] = [
    path("", account_pages.profile, name="index"),
    path("profile/", account_pages.profile, name="profile"),
    path("appearance/", account_pages.appearance, name="appearance"),
    path("password/", account_pages.password, name="password"),
    path("tokens/", account_pages.token_list, name="tokens"),
    path("tokens/<tok_id:pk>/revoke/", account_pages.token_revoke, name="token-revoke"),
]
manage: list[URLPattern | URLResolver] = [
    path("users/", people_pages.user_list, name="users"),
    path("users/new/", people_pages.user_create, name="user-create"),
    path("users/<usr_id:pk>/", people_pages.user_roles, name="user"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("home/cards/<slug:key>/", views.home_card, name="home-card"),
    path("demo/", views.load_demo, name="load-demo"),
    path("activity/", views.activity_list, name="activity"),
    path("login/", auth_views.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", login_not_required(auth_views.LogoutView.as_view()), name="logout"),
    path("jobs/", include((jobs, "jobs"))),
    path("settings/", include((settings_pages, "settings"))),
    path("manage/", include((manage, "manage"))),
    path("help/components/", login_not_required(component_gallery), name="component-gallery"),
    path("help/problems/", views.problem_help, name="problems"),
    path("api/docs/", api.docs, name="api-docs"),
    path("api/v1/", include((api.core, "api"))),
    path("staff/", admin.site.urls),
    path("api/v1/", include("services_app.api_urls")),
    path("api/v1/", include("tasks_app.api_urls")),
    path("api/v1/", include("training_app.api_urls")),
    path("", include("services_app.urls")),
    path("", include("tasks_app.urls")),
    path("", include("training_app.urls")),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.not_found
handler500 = views.server_error
