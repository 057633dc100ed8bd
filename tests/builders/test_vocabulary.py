"""Reading names: verbs, nouns, ids, in the conventions that servers use."""

import pytest

from services_app.specs.vocabulary import id_target, plural_of, read_name, shared_prefix, singular, words_of


@pytest.mark.parametrize(
    ("name", "prefix", "action", "noun"),
    [
        ("create_calendar_event", "", "create", "calendar_event"),
        ("createCalendarEvent", "", "create", "calendar_event"),
        ("list-users", "", "list", "user"),
        ("get_users", "", "list", "user"),
        ("get_user", "", "get", "user"),
        ("get_user_list", "", "list", "user"),
        ("get_settings", "", "get", "settings"),
        ("get_products_count", "", "count", "product"),
        ("boond_contacts_get", "boond", "list", "contact"),
        ("superset_database_get_by_id", "superset", "get", "database"),
        ("ACME_DELETE_A_TEAM", "acme", "delete", "team"),
        ("create_or_update_route", "", "create", "route"),
        ("mark_message_read", "", "status", "message_read"),
        ("assign_user_to_group", "", "link", "user"),
        ("duplicate_page", "", "copy", "page"),
        ("send_message", "", "create", "message"),
        ("search_movies", "", "search", "movie"),
        ("convert_time", "", "other", "time"),
    ],
)
def test_names(name: str, prefix: str, action: str, noun: str) -> None:
    reading = read_name(name, prefix)
    assert (reading.action, reading.noun) == (action, noun)


@pytest.mark.parametrize(
    ("name", "description", "action"),
    [
        ("invoice", "Returns one invoice.", "other"),
        ("invoice", "Gets one invoice.", "get"),
        ("invoices", "", "list"),
        ("git_log", "Shows the commit logs", "get"),
        ("whoami", "Describe the current user", "get"),
        ("frobnicate", "", "other"),
    ],
)
def test_names_without_a_verb_are_read_by_their_description(name: str, description: str, action: str) -> None:
    assert read_name(name, "git", description).action == action


@pytest.mark.parametrize(
    ("parameter", "noun", "target"),
    [
        ("ticket_id", "x", "ticket"),
        ("ticketId", "x", "ticket"),
        ("user-ids", "x", "user"),
        ("id", "ticket", "ticket"),
        ("_id", "ticket", "ticket"),
        ("projectUuid", "x", "project"),
        ("name", "x", None),
        ("grid", "x", None),
        ("paid", "x", None),
    ],
)
def test_ids(parameter: str, noun: str, target: str | None) -> None:
    assert id_target(parameter, noun) == target


@pytest.mark.parametrize(
    ("many", "one"),
    [("tickets", "ticket"), ("categories", "category"), ("boxes", "box"), ("statuses", "status"), ("status", "status"),
     ("news", "news"), ("people", "person"), ("shelves", "shelf"), ("addresses", "address")],
)  # fmt: skip
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one
    assert singular(plural_of(one)) == one


def test_prefix_is_a_word_that_half_of_the_tools_share_and_no_verb() -> None:
    assert shared_prefix(["jira_get", "jira_list", "jira_x", "other_y"]) == "jira"
    assert shared_prefix(["get_a", "get_b", "get_c"]) == ""
    assert shared_prefix(["a_x", "b_x", "c_x"]) == ""


def test_words_of_any_convention() -> None:
    assert words_of("HTTPServer-list_allItems2") == ["http", "server", "list", "all", "items2"]
