"""The first admin, system checks, the sanitiser, paging by any order."""

import io
import math
from types import SimpleNamespace

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from tests.factories import make_user
from webapp import checks
from webapp.common import clean
from webapp.common.cursors import CursorError, paginate
from webapp.common.models import Activity, User

pytestmark = pytest.mark.django_db


def first_start() -> str:
    out = io.StringIO()
    call_command("first_start", stdout=out)
    return out.getvalue()


def test_the_password_is_printed_once_and_works():
    words = first_start()
    password = words.split("password")[-1].strip()
    assert authenticate(username="admin", password=password) == User.objects.get(username="admin")
    assert User.objects.get().has_role("trainer")
    assert first_start() == ""
    assert User.objects.count() == 1
    assert password not in str(list(User.objects.values())) + str(list(Activity.objects.values()))


def test_two_first_starts_make_different_passwords():
    first = first_start()
    User.objects.all().delete()
    assert first_start() != first


def test_an_existing_admin_of_another_name_is_enough():
    make_user("admin", username="root")
    assert first_start() == ""
    assert not User.objects.filter(username="admin").exists()


def test_middleware_left_out_is_an_error(settings):
    assert checks.protections_are_on(None) == []
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "SignIn" not in name]
    assert [each.id for each in checks.protections_are_on(None)] == ["workbench.E001"]


def test_storage_that_is_no_folder_is_an_error(settings, tmp_path):
    settings.WORKBENCH_FILES = tmp_path
    assert checks.storage_is_writable(None) == []
    settings.WORKBENCH_FILES = tmp_path / "file"
    settings.WORKBENCH_FILES.write_text("")
    assert [each.id for each in checks.storage_is_writable(None)] == ["workbench.E002"]


def test_a_missing_sandbox_is_a_warning(monkeypatch):
    monkeypatch.setattr("workers.sandbox.probe.probe", lambda: SimpleNamespace(mode="none", details=("no bwrap",)))
    found = checks.generated_code_is_confined(None)
    assert [(each.id, each.hint) for each in found] == [("workbench.W003", "no bwrap")]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"a": math.nan, 1: (1, 2)}, {"a": "nan", "1": [1, 2]}),
        ({"x\x00": ["\ud83d", "\ud83d\ude00"]}, {"x\ufffd": ["\ufffd", "\U0001f600"]}),
        (True, True),
    ],
)
def test_json_values_are_cleaned(given, expected):
    assert clean.json_value(given) == expected


def test_long_text_loses_its_middle():
    text = clean.text("a" * 50 + "b" * 50, limit=21)
    assert len(text) <= 21
    assert (text[0], text[-1]) == ("a", "b")


def test_a_title_is_one_line_without_direction_marks():
    assert clean.line("a\n\u202eb\tc", 10) == "a b c"


def test_paging_goes_both_ways_over_equal_values():
    for name in ("ann", "ben", "cem", "dan", "eve"):
        make_user(username=name, first_name="same" if name < "d" else "other")
    pages, cursor = [], None
    while True:
        page = paginate(User.objects.all(), cursor=cursor, limit=2, order=("first_name", "username"))
        pages.append([row.username for row in page.rows])
        if page.next is None:
            break
        cursor = page.next
    assert pages == [["dan", "eve"], ["ann", "ben"], ["cem"]]
    back = paginate(User.objects.all(), cursor=page.prev, limit=2, order=("first_name", "username"))
    assert [row.username for row in back.rows] == ["ann", "ben"]
    assert back.prev
    assert back.next


@pytest.mark.parametrize("cursor", ["!", "bm8", "WyJuIl0", "WyJ4IiwxXQ", "WyJuIix7fV0", "WyJuIiwiXHUwMDAwIl0"])
def test_a_foreign_cursor_is_refused(cursor):
    with pytest.raises(CursorError):
        paginate(User.objects.all(), cursor=cursor)
