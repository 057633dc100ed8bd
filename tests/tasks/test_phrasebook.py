"""Phrase books: each fits its service, and stories over them go by what they say, in both languages."""

from __future__ import annotations

import re
from functools import cache

import pytest

from services_app.engine import ProductEnvironment
from services_app.engine.protocol import LocalMounting
from services_app.library import registry
from tasks_app.authors.access import Reach
from tasks_app.authors.author import RulesAuthor
from tasks_app.authors.batch import GenerateRequest, write_task
from tasks_app.authors.guide import spoken_of, takes
from tasks_app.authors.phrasebook import FOLDER, PhraseBook, book_of
from tasks_app.authors.phrasecheck import faults
from tasks_app.authors.story import Rejected
from tasks_app.authors.tongue import CHINESE, ENGLISH, Language
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.areas import related
from tasks_app.engine.chances import CLOSE, Compatible
from tasks_app.engine.flows import Flow, flow_of
from tasks_app.engine.profile import ServiceProfile, profile_service
from tasks_app.engine.proof import holds_afresh
from tasks_app.engine.task import TaskSpec

SLUGS = ("calendar", "chat", "crm", "mail", "orders", "tasks")
MOUNTING = LocalMounting([registry.load(slug) for slug in SLUGS])
HAN = re.compile(r"[\u4e00-\u9fff]")


@cache
def profile(slug: str) -> ServiceProfile:
    environment = ProductEnvironment([registry.load(slug)], seed=0, scale="small")
    try:
        return profile_service(environment, slug)
    finally:
        environment.close()


def reach(slug: str) -> Reach:
    environment = ProductEnvironment([registry.load(slug)], seed=0, scale="small")
    try:
        return Reach(profile(slug), environment.catalogue.services[slug])
    finally:
        environment.close()


@cache
def workshop() -> Workshop:
    return Workshop(MOUNTING, {slug: profile(slug) for slug in SLUGS})


@cache
def request(language: Language) -> GenerateRequest:
    books = {slug: book for slug in SLUGS if (book := book_of(slug)) is not None}
    flows = {slug: spoken_of(slug, books[slug], flow_of(profile(slug))) for slug in SLUGS}
    chances = Compatible(flows, 4, {slug: book.area for slug, book in books.items()})
    return GenerateRequest(20, 4, 0, (5, 7), 11, SLUGS, "compatible", chances=chances, language=language)


@cache
def written(number: int, language: Language) -> TaskSpec:
    made = write_task(MOUNTING, workshop(), request(language), SLUGS, number)
    assert made.task is not None, made.reasons.most_common(5)
    return made.task


def test_every_shipped_service_has_a_book() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(registry.slugs())


@pytest.mark.parametrize("slug", sorted(registry.slugs()))
def test_a_book_fits_its_service(slug: str) -> None:
    book, found = book_of(slug), reach(slug)
    assert book is not None
    assert faults(book, found, frozenset(column.key for column in found.key_columns())) == []


def test_a_book_that_does_not_fit_is_told_so_in_words() -> None:
    book, found = book_of("help-desk"), reach("help-desk")
    assert book is not None
    data = book.model_dump(mode="json", by_alias=True)
    data["area"] = "kitchen"
    data["facts"][0] |= {"show": "shoe_size"}
    data["facts"][1] |= {"is": "shoe size"}
    data["acts"][0] |= {"say": ("comment on it", "评论"), "tells": ""}
    told = faults(PhraseBook.model_validate(data), found, frozenset(column.key for column in found.key_columns()))
    data["records"]["tickets"] |= {"keys": ["shoe"], "names": ["{customer} calls"] * 6}
    data["acts"][1] |= {"says": {"shoe": [44]}}
    told += faults(PhraseBook.model_validate(data), found, frozenset())
    for words in ("only {topic} and {company} are known", "no record is found by shoe", "says shoe: no parameter"):
        assert any(words in line for line in told), (words, told)
    for words in ("area 'kitchen' is none of", "no read shows organizations.shoe_size", "'shoe size' is unknown",
                  "body is required: speak of it"):  # fmt: skip
        assert any(words in line for line in told), (words, told)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_stories_over_books_are_proven_and_ask_for_what_the_books_know(seed: int, language: Language) -> None:
    task = written(seed, language)
    assert task.proof.passed, task.proof.failing
    assert task.author["language"] == language
    assert holds_afresh(task, lambda one: one.environment(MOUNTING))
    known = {slug: {act.tool for act in book.acts} for slug in SLUGS if (book := book_of(slug)) is not None}
    for call in task.reference.calls:
        assert not call.write or call.tool in known[call.service]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_instruction_is_in_the_language_that_was_asked_for(seed: int) -> None:
    english, chinese = written(seed, "en").instruction, written(seed, "zh-hans").instruction
    assert not HAN.search(english)
    assert len(HAN.findall(chinese)) > 80
    for seam in ("{", "}", "  ", "，，", "。。", "None"):
        assert seam not in english + chinese


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_values_go_only_where_the_book_takes_their_class(seed: int) -> None:
    """Each typed value comes from a fact of a class that some act with this parameter takes."""
    task = written(seed, "en")
    for goal in task.meaning["goals"]:
        book = book_of(goal["service"])
        assert book is not None
        for name, slot in goal["slots"].items():
            acts = [act for act in book.acts if act.tool == goal["tool"]]
            if "value" in slot:
                assert any(takes(act, name) for act in acts), (goal["tool"], name)
            if "states" in slot:
                assert any(act.tells == name for act in acts), (goal["tool"], name)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_services_with_and_without_a_book_make_a_story_together(seed: int) -> None:
    own = Workshop(MOUNTING, {slug: profile(slug) for slug in SLUGS})
    environment = MOUNTING.mount(SLUGS, seed=seed % 3, scale="small")
    books = own.books(environment.catalogue.services)
    own._books["orders"] = None
    author = RulesAuthor(environment, own, state_seed=seed % 3)
    task = author.write(("orders", "tasks", "mail", "orders", "calendar"), seed=seed)
    assert "orders" in books
    assert isinstance(task, TaskSpec), task.reasons.most_common(3)
    assert task.proof.passed


def test_a_service_is_named_plainly() -> None:
    assert book_of("../phrasebook") is None
    assert book_of("nobody-wrote-this") is None


def test_labels_and_days_are_said_in_each_language() -> None:
    assert ENGLISH.label("on_hold", {"on_hold": "搁置"}) == "on hold"
    assert CHINESE.label("on_hold", {"on_hold": "搁置"}) == "搁置"
    assert CHINESE.label("unheard_of", {}) == "“unheard_of”"
    assert CHINESE.say("date", "2026-05-12", "") == "2026年5月12日"
    assert CHINESE.say("timestamp", "2026-05-12T09:30:00Z", "", "2026") == "5月12日09:30"
    assert ENGLISH.say("date", "2026-05-12", "") == "12 May 2026"
    assert ENGLISH.say("date", "2026-05-12", "", "2026") == "12 May"
    assert ENGLISH.say("timestamp", "2027-05-12T09:30:00Z", "", "2026") == "09:30 on 12 May 2027"
    assert ENGLISH.say("money", 12500.0, "") == "12,500"
    assert ENGLISH.say("email", "ana.berg@north.example", "") == "Ana Berg (ana.berg@north.example)"
    assert ENGLISH.say("email", "office@north.example", "") == "office@north.example"
    assert CHINESE.say("duration", 45, "minutes") == "45分钟"


def test_a_story_in_chinese_needs_a_book_of_each_service_that_it_visits() -> None:
    from tests.tasks.authored import MOUNTING as BARE
    from tests.tasks.authored import SEED, draw, workshop

    walk, order = draw(1)
    environment = BARE.mount(order, seed=SEED)
    rejected = RulesAuthor(environment, workshop(), state_seed=SEED, language="zh-hans").write(walk, seed=1)
    assert isinstance(rejected, Rejected)
    assert list(rejected.reasons) == ["a service has no phrase book in this language"]


def test_a_walk_along_which_nothing_can_be_carried_is_given_up_before_it_is_planned() -> None:
    environment = MOUNTING.mount(SLUGS, seed=0, scale="small")
    author = RulesAuthor(environment, workshop(), state_seed=0)
    rejected = author.write(("tasks", "orders", "calendar", "tasks"), seed=1)
    assert isinstance(rejected, Rejected)
    assert rejected.attempts == 0
    assert list(rejected.reasons) == ["calendar can take nothing in"]
    trials = workshop().trials(seed=0, scale="small")
    assert trials.feeds("calendar", "tasks")
    assert not trials.feeds("orders", "calendar")


def test_services_that_nobody_deals_with_at_once_are_hardly_drawn_together() -> None:
    assert related("sales", "finance")
    assert related("engineering", "office")
    assert not related("engineering", "private")
    assert not related("office", "private")
    assert related("travel", "private")
    flow = Flow(frozenset({"email"}), frozenset({"email"}))
    areas = {"ci": "engineering", "issues": "engineering", "gym": "private", "mail": "office"}
    weights = Compatible(dict.fromkeys(areas, flow), 2, areas).weights(["ci"])
    assert weights["issues"] == weights["mail"] == CLOSE * weights["gym"]
    assert weights["gym"] > 0, "where nothing else is left it is drawn"
