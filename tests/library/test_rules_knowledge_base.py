"""The rules of the knowledge base, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.cases_knowledge_base import COLLEAGUE, article, section
from tests.library.driver import environment
from tests.library.world import ok, patched, refused

S = "knowledge-base"


def test_what_people_outside_read_is_approved_by_somebody_else() -> None:
    env = environment(S)
    row = {"article_id": article(env, "Delivery and returns")["id"]}
    assert refused(env, S, "publish_article", **row) == "review_missing"
    assert refused(env, S, "request_review", **row, reviewer_email=ME.email) == "author_cannot_review"
    ok(env, S, "request_review", **row, reviewer_email=COLLEAGUE)
    yes = {"decision": "approved", "remark": "Fine."}
    assert refused(env, S, "review_article", **row, **yes) == "not_reviewer"
    env = patched(env, S, "articles", row["article_id"], reviewer_email=ME.email, author_email=COLLEAGUE)
    ok(env, S, "review_article", **row, **yes)
    assert ok(env, S, "publish_article", **row)["status"] == "published"
    changed = ok(env, S, "update_article", **row, body="Second line.")
    assert (changed["status"], changed["version"]) == ("draft", 2)
    assert refused(env, S, "publish_article", **row) == "review_missing"
    inside = article(env)["id"]
    assert ok(env, S, "publish_article", article_id=inside)["status"] == "published"
    assert ok(env, S, "update_article", article_id=inside, body="Second line.")["status"] == "published"


def test_a_replaced_article_stays_reachable_and_links_never_break() -> None:
    env = environment(S)
    target, newer = article(env, title="Target")["id"], article(env, title="Newer")["id"]
    link = article(env, title="Link", body=f"See [[{target}]].")["id"]
    assert refused(env, S, "publish_article", article_id=link) == "broken_link"
    for identity in (target, newer, link):
        ok(env, S, "publish_article", article_id=identity)
    assert [row["id"] for row in ok(env, S, "get_article", article_id=target)["linked_from"]] == [link]
    assert refused(env, S, "archive_article", article_id=target) == "still_linked"
    gone = ok(env, S, "archive_article", article_id=target, replaced_by=newer)
    assert (gone["status"], gone["replaced_by"]) == ("archived", newer)
    found = ok(env, S, "search_articles", query="Target")["articles"]
    assert target not in {row["id"] for row in found}


def test_versions_are_kept_and_translations_grow_old() -> None:
    env = environment(S)
    row = {"article_id": article(env)["id"]}
    german = {**row, "language": "de", "title": "Etwas Neues", "body": "Erste Zeile."}
    ok(env, S, "translate_article", **german)
    ok(env, S, "update_article", **row, body="Second line.", expected_version=1)
    assert refused(env, S, "update_article", **row, body="Third.", expected_version=1) == "version_conflict"
    assert ok(env, S, "get_article", **row)["translations"][0]["outdated"]
    former = ok(env, S, "get_article_version", **row, number=1)
    assert (former["dropped_later"], former["added_later"]) == (["First line."], ["Second line."])
    assert ok(env, S, "restore_article_version", **row, number=1)["body"] == "First line."
    assert [own["number"] for own in ok(env, S, "list_article_versions", **row)["versions"]] == [3, 2, 1]


def test_synonyms_fill_search_gaps_and_verifying_moves_the_day() -> None:
    env = environment(S)
    row = article(env, "Agreements with customers", body="The quuxometer is blue.")["id"]
    ok(env, S, "publish_article", article_id=row)
    assert ok(env, S, "search_articles", query="bluemeter")["total"] == 0
    ok(env, S, "add_synonym", term="bluemeter", same_as="quuxometer")
    assert [own["id"] for own in ok(env, S, "search_articles", query="bluemeter")["articles"]] == [row]
    env = patched(env, S, "articles", row, verified_on="2025-11-01")
    due = ok(env, S, "list_articles_to_verify", section_id=section(env, "Agreements with customers"), limit=100)
    assert row in {own["id"] for own in due["articles"]}
    assert ok(env, S, "verify_article", article_id=row)["verify_due"] == "2026-05-01"
    assert refused(env, S, "verify_article", article_id=row) == "verified_today"
