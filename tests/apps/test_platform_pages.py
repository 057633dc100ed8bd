"""Pages: sign-in, roles on the server, fragments, headers, errors in place, query counts."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_run, make_user
from webapp.common import panels, run_store, runs
from webapp.common.models import Activity, Run, User

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


def htmx(target: str) -> dict[str, str]:
    return {**HTMX, "HTTP_HX_TARGET": target}


def is_whole_page(response) -> bool:
    return b"<html" in response.content


PAGES = [
    "/",
    "/jobs/",
    "/activity/",
    "/settings/",
    "/settings/appearance/",
    "/settings/password/",
    "/settings/tokens/",
    "/manage/users/",
    "/manage/users/new/",
]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_renders_whole_within_its_query_budget(client_as, django_assert_max_num_queries, path):
    client = client_as("admin")
    for number in range(5):
        make_run(title=f"Job {number}", created_by=client.user)
        make_user()
    client.get(path)
    with django_assert_max_num_queries(12):
        response = client.get(path)
    assert response.status_code == 200
    assert is_whole_page(response)


def test_the_job_page_renders_within_its_query_budget(client_as, django_assert_max_num_queries):
    client = client_as("viewer")
    run = make_run(state="failed", created_by=client.user, parent=make_run(), payload={"slug": "mail"})
    for number in range(30):
        run_store.add_event(run.pk, f"line {number}", data={"n": number})
        make_run(parent=run)
    with django_assert_max_num_queries(12):
        response = client.get(run.get_absolute_url())
    assert "line 29" in response.content.decode()
    assert "test:broken" in response.content.decode()


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_is_sent_to_the_login_page(client, path):
    response = client.get(path)
    assert response.status_code == 302
    assert response["Location"].startswith("/login/?next=")


def test_htmx_of_a_signed_out_user_redirects_the_whole_page(client):
    response = client.get("/jobs/?state=failed", HTTP_HX_CURRENT_URL="http://testserver/jobs/?q=x", **htmx("table"))
    assert response.status_code == 401
    assert response["HX-Redirect"] == "/login/?next=%2Fjobs%2F%3Fq%3Dx"
    assert response.content == b""


def test_login_and_logout(client):
    make_user(username="ada")
    page = client.get("/login/?next=/jobs/")
    assert page.status_code == 200
    response = client.post("/login/", {"username": "ada", "password": "correct horse 9 staple", "next": "/jobs/"})
    assert (response.status_code, response["Location"]) == (302, "/jobs/")
    assert client.get("/jobs/").status_code == 200
    assert client.post("/logout/").status_code == 302
    assert client.get("/jobs/").status_code == 302


def test_a_wrong_password_is_told_on_the_form(client):
    make_user(username="ada")
    response = client.post("/login/", {"username": "ada", "password": "wrong"})
    assert response.status_code == 200
    assert b"correct username and password" in response.content


@pytest.mark.parametrize(
    ("path", "target"), [("/jobs/", "table"), ("/activity/", "table"), ("/manage/users/", "table")]
)
def test_a_fragment_is_sent_to_its_target_only_and_opened_directly_is_a_page(client_as, path, target):
    client = client_as("admin")
    make_run()
    part = client.get(path, **htmx(target))
    assert not is_whole_page(part)
    assert f'id="{target}"'.encode() in part.content
    assert part["Cache-Control"] == "no-store"
    assert "HX-Request" in part["Vary"]
    assert is_whole_page(client.get(path))
    assert is_whole_page(client.get(path, **htmx("another")))
    assert is_whole_page(client.get(path, HTTP_HX_HISTORY_RESTORE_REQUEST="true", **htmx(target)))


def test_a_live_job_polls_and_a_finished_one_ends_by_itself(client_as):
    client = client_as("trainer")
    run = make_run(state="running")
    live = client.get(run.get_absolute_url(), **htmx("job-live")).content.decode()
    assert 'hx-trigger="every 2s"' in live
    Run.objects.filter(pk=run.pk).update(state="succeeded", finished_at=run.created_at, lease_until=None)
    ended = client.get(run.get_absolute_url(), **htmx("job-live")).content.decode()
    assert 'id="job-live"' in ended
    assert "hx-trigger" not in ended


def test_the_log_tail_sends_only_what_is_new_and_then_stops(client_as):
    client = client_as("viewer")
    run = make_run(state="running")
    for number in range(3):
        run_store.add_event(run.pk, f"line {number}")
    tail = client.get(f"{run.get_absolute_url()}?after=2", **htmx("job-log-tail")).content.decode()
    assert "line 2" in tail
    assert "line 1" not in tail
    assert "after=3" in tail
    Run.objects.filter(pk=run.pk).update(state="succeeded", finished_at=run.created_at, lease_until=None)
    end = client.get(f"{run.get_absolute_url()}?after=3", **htmx("job-log-tail")).content.decode()
    assert "job-log-tail" not in end
    assert "line" not in end


def test_the_list_says_how_many_jobs_are_newer_than_the_readers(client_as):
    client = client_as("viewer")
    seen = make_run()
    make_run()
    make_run(kind="other")
    both = client.get(f"/jobs/?since={seen.public_id}", **htmx("newer")).content.decode()
    assert "2 newer jobs" in both
    assert seen.public_id in both
    one = client.get(f"/jobs/?kind=other&since={seen.public_id}", **htmx("newer")).content.decode()
    assert "1 newer job" in one


def test_list_filters_come_from_the_url_and_show_as_chips(client_as):
    client = client_as("viewer")
    make_run(state="failed", title="Broken build")
    make_run(title="Fine build")
    page = client.get("/jobs/?state=failed").content.decode()
    assert "Broken build" in page
    assert "Fine build" not in page
    assert "Failed" in page
    assert "No job matches" in client.get("/jobs/?q=nothing-like-this").content.decode()


def test_hostile_titles_and_log_lines_never_become_markup(client_as):
    client = client_as("viewer")
    run = make_run(state="failed", title="<script>alert(1)</script>\u202e", failure_message="<img src=x onerror=1>")
    run_store.add_event(run.pk, "<script>alert(2)</script>", data={"<b>": "<i>"})
    for path in ("/jobs/", run.get_absolute_url(), "/"):
        text = client.get(path).content.decode()
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "\u202e" not in text
        assert "<i>" not in text


# Roles ---------------------------------------------------------------------------------------------------------


def mutations(run: Run, person: User) -> list[tuple[str, dict[str, object]]]:
    """Every page that changes something for others than oneself."""
    return [
        (reverse("jobs:cancel", args=[run.pk]), {"mode": "keep"}),
        (reverse("jobs:resume", args=[run.pk]), {}),
        (reverse("jobs:retry", args=[run.pk]), {}),
        (reverse("load-demo"), {}),
        (reverse("manage:user-create"), {"username": "new", "roles": ["admin"]}),
        (reverse("manage:user", args=[person.pk]), {"roles": ["admin"], "version": 1}),
    ]


@pytest.mark.parametrize("role", ["viewer", "annotator"])
def test_every_mutation_of_anothers_work_is_refused_on_the_server(client_as, role):
    client = client_as(role)
    run, person = make_run(created_by=make_user("trainer")), make_user("viewer")
    for path, data in mutations(run, person):
        response = client.post(path, data)
        assert response.status_code == 403, path
        assert b"needs the role" in response.content
    run.refresh_from_db()
    person.refresh_from_db()
    assert (run.state, person.roles, User.objects.filter(username="new").exists()) == ("queued", ["viewer"], False)
    assert not Activity.objects.exists()


@pytest.mark.parametrize("role", ["viewer", "annotator", "curator", "trainer"])
def test_admin_pages_are_for_admins(client_as, role):
    client = client_as(role)
    for path in ("/manage/users/", "/manage/users/new/", reverse("manage:user", args=[client.user.pk])):
        assert client.get(path).status_code == 403


def test_a_get_never_changes_anything(client_as):
    client = client_as("admin")
    run = make_run()
    for name in ("cancel", "resume", "retry"):
        assert client.get(reverse(f"jobs:{name}", args=[run.pk])).status_code == 405
    assert client.get(reverse("load-demo")).status_code == 405


def test_a_trainer_cancels_any_job_and_a_curator_only_an_own_one(client_as):
    trainer, curator = client_as("trainer"), client_as("curator")
    foreign, own = make_run(), make_run(created_by=curator.user)
    assert curator.post(reverse("jobs:cancel", args=[foreign.pk])).status_code == 403
    assert curator.post(reverse("jobs:cancel", args=[own.pk])).status_code == 302
    assert trainer.post(reverse("jobs:cancel", args=[foreign.pk])).status_code == 302
    assert set(Run.objects.values_list("state", flat=True)) == {"cancelled"}


def test_buttons_that_cannot_work_are_not_there(client_as):
    run = make_run(state="succeeded")
    page = client_as("trainer").get(run.get_absolute_url()).content.decode()
    assert "/cancel/" not in page
    assert "/resume/" not in page
    viewers = client_as("viewer").get(make_run().get_absolute_url()).content.decode()
    assert "/cancel/" not in viewers
    assert "needs the role" in viewers


def test_an_illegal_move_answers_409_in_place(client_as):
    client = client_as("trainer")
    run = make_run(state="succeeded")
    whole = client.post(reverse("jobs:cancel", args=[run.pk]), {"mode": "now"})
    assert whole.status_code == 409
    assert is_whole_page(whole)
    part = client.post(reverse("jobs:cancel", args=[run.pk]), {"mode": "now"}, **HTMX)
    assert part.status_code == 409
    assert not is_whole_page(part)
    assert b"succeeded" in part.content


# Headers and errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/login/", "/jobs/", "/nowhere/", "/api/v1/health/live", "/api/docs/"])
def test_every_answer_has_a_strict_policy_and_a_request_id(client_as, path):
    response = client_as("viewer").get(path, HTTP_X_REQUEST_ID="from-the-proxy-1")
    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Request-Id"] == "from-the-proxy-1"


@pytest.mark.parametrize("path", [*PAGES, "/login/", "/help/problems/", "/api/docs/"])
def test_no_page_holds_inline_script_or_style_or_another_host(client_as, path):
    import re

    text = client_as("admin").get(path).content.decode()
    assert not re.search(r"<script(?![^>]*\ssrc=)[^>]*>\s*\S", text)
    assert not re.search(r"\son[a-z]+=", text)
    assert not re.search(r"\sstyle=", text)
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text)


def test_a_missing_page_is_a_page_and_for_htmx_a_block(client_as):
    client = client_as("viewer")
    whole = client.get("/nowhere/")
    assert whole.status_code == 404
    assert is_whole_page(whole)
    block = client.get("/jobs/job_" + "0" * 32 + "/", **htmx("job-live"))
    assert block.status_code == 404
    assert not is_whole_page(block)
    assert block["Cache-Control"] == "no-store"


def test_a_damaged_cursor_is_told(client_as):
    response = client_as("viewer").get("/jobs/?cursor=xx%00")
    assert response.status_code == 400


def test_a_crash_shows_a_readable_page_with_the_request_id(client_as, monkeypatch):
    client = client_as("viewer")
    client.raise_request_exception = False

    def broken():
        raise RuntimeError("broken")

    monkeypatch.setattr("webapp.common.selectors.run_kinds_seen", broken)
    response = client.get("/jobs/", HTTP_X_REQUEST_ID="req-for-the-log")
    assert response.status_code == 500
    assert b"req-for-the-log" in response.content
    assert b"RuntimeError" not in response.content
    monkeypatch.setattr("webapp.common.selectors.running_count", broken)  # the shell breaks as well
    assert client.get("/jobs/", HTTP_X_REQUEST_ID="req-for-the-log").content == response.content
    block = client.get("/jobs/", **htmx("table"))
    assert (block.status_code, is_whole_page(block)) == (500, False)


def test_post_without_a_csrf_token_is_refused_readably(client_as):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make_user("trainer"))
    response = strict.post(reverse("jobs:cancel", args=[make_run().pk]))
    assert response.status_code == 403
    assert b"Reload the page" in response.content


# Home ----------------------------------------------------------------------------------------------------------


def test_home_shows_first_steps_until_all_are_done(client_as, monkeypatch):
    client = client_as("curator")
    done = {"a"}
    steps = {key: panels.Step(key, key, f"/{key}/", lambda key=key: key in done) for key in ("a", "b")}
    monkeypatch.setattr(panels, "_steps", steps)
    assert b"first-steps" in client.get("/").content
    done.add("b")
    assert b"first-steps" not in client.get("/").content


def test_a_broken_card_offers_retry_and_leaves_the_others_alone(client_as, monkeypatch):
    client = client_as("viewer")
    make_run(title="A visible job")

    def broken(request):
        raise ValueError("secret detail")

    monkeypatch.setitem(panels._cards, "bad", panels.Card("bad", "Bad", "home/card_jobs.html", broken))
    bad = client.get("/home/cards/bad/", **htmx("card-bad"))
    assert (bad.status_code, is_whole_page(bad)) == (200, False)
    assert b"Retry" in bad.content
    assert b"secret detail" not in bad.content
    assert b"A visible job" in client.get("/home/cards/jobs/", **htmx("card-jobs")).content
    assert is_whole_page(client.get("/home/cards/jobs/"))
    assert client.get("/home/cards/none/").status_code == 404


def test_your_turn_shows_counts_of_every_provider(client_as, monkeypatch):
    client = client_as("curator")
    monkeypatch.setitem(panels._turns, "x", lambda user: [panels.Turn("Review tools", 7, "/review/")])
    text = client.get("/").content.decode()
    assert "Review tools" in text
    assert 'href="/review/"' in text


def test_the_demo_button_starts_one_run(client_as, monkeypatch, inline_runs):
    from webapp.common import run_kinds

    client = client_as("curator")
    monkeypatch.setattr(run_kinds, "_kinds", {})
    assert client.post("/demo/").status_code == 409
    runs.register("demo", queue="default")(lambda ctx: {})
    assert b"Load demo world" in client.get("/").content
    first, second = client.post("/demo/"), client.post("/demo/")
    assert first["Location"] == second["Location"]
    assert Run.objects.filter(kind="demo").count() == 1


def test_a_kind_adds_its_own_part_to_the_job_page(client_as, monkeypatch):
    from webapp.common import run_kinds

    monkeypatch.setattr(run_kinds, "_kinds", {})
    runs.register(
        "test",
        queue="default",
        detail_template="home/card_jobs.html",
        detail_context=lambda run, request: {"runs": [Run(title="From the extension", created_at=run.created_at)]},
    )(lambda ctx: {})
    assert "From the extension" in client_as("viewer").get(make_run().get_absolute_url()).content.decode()
