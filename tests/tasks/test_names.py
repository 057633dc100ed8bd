"""Planted records have names of their own, and a proof refuses a write by a name that several records share."""

from __future__ import annotations

import random

import pytest

from services_app.engine import ProductEnvironment
from services_app.library.registry import load
from tasks_app.authors.access import Reach
from tasks_app.authors.draft import Draft
from tasks_app.engine.profile import profile_service
from tasks_app.engine.soundness import shared_name
from tasks_app.engine.task import StateEdit
from tasks_app.engine.values import NoFreshValueError, Values


def world(slug: str) -> ProductEnvironment:
    return ProductEnvironment([load(slug)], seed=1, scale="small")


def planted(slug: str, table: str, count: int = 6) -> list[dict[str, object]]:
    environment = world(slug)
    reach = Reach(profile_service(environment, slug), environment.catalogue.services[slug])
    rng = random.Random("names")
    draft = Draft(environment, {slug: reach}, rng, Values(rng))
    rows = [draft.row(slug, table, draft.plant(slug, table, {})) for _ in range(count)]
    environment.close()
    return rows


def test_planted_channels_have_names_that_no_other_channel_has() -> None:
    seeded = {row["name"] for row in world("chat").rows("chat", "channels")}
    names = [row["name"] for row in planted("chat", "channels")]
    assert len({*names}) == len(names)
    assert not seeded & {*names}
    assert all(str(name).islower() for name in names)


def test_the_handle_of_a_planted_person_spells_the_name() -> None:
    for row in planted("chat", "users"):
        assert str(row["handle"]).startswith(str(row["email"]).partition("@")[0]), row


def test_the_domain_of_a_planted_firm_spells_its_name() -> None:
    for row in planted("crm", "accounts"):
        assert row["domain"] == f"{str(row['name']).lower().replace(' ', '-')}.example", row


def test_a_name_is_spelt_like_the_one_it_is_made_after() -> None:
    values = Values(random.Random(3), ["northern"])
    assert values.alike("general").islower()
    assert values.alike("ops-leads").count("-") == 1
    assert values.alike("Field hardware")[0].isupper()
    assert values.alike("131 Quay Street, Porto").endswith(" Quay Street, Porto")
    assert len({values.alike("general") for _ in range(60)}) == 60, "a second word when the short names are used up"
    with pytest.raises(NoFreshValueError):
        values.alike("EUR")


def test_a_write_by_a_name_that_two_records_share_is_named() -> None:
    environment = world("chat")
    like = environment.rows("chat", "channels")[2]
    double = StateEdit(service="chat", table="channels", id="CH-077", record={**like, "id": "CH-077"})
    single = StateEdit(
        service="chat", table="channels", id="CH-078", record={**like, "id": "CH-078", "name": "harbour-refit"}
    )
    start = environment.edited([double.to_edit(), single.to_edit()])
    writes = [("chat", "post_message", {"channel": like["name"], "text": "Done."})]
    assert "2 records of chat.channels have the name" in shared_name(start, [double, single], writes)
    assert not shared_name(
        start, [double, single], [("chat", "post_message", {"channel": "harbour-refit", "text": "Done."})]
    )
    assert not shared_name(
        start, [double, single], [("chat", "post_message", {"channel": like["id"], "text": "Done."})]
    )
    environment.close()
    start.close()


def test_a_name_and_an_address_that_a_story_settles_belong_to_one_person() -> None:
    environment = world("chat")
    reach = Reach(profile_service(environment, "chat"), environment.catalogue.services["chat"])
    rng = random.Random("people")
    draft = Draft(environment, {"chat": reach}, rng, Values(rng))
    named = draft.plant("chat", "users", {"name": "Pavel Sandoval"})
    shown = draft.of_the_person("chat", "users", named, "email", "lorcan.fairbanks@dunfield.example")
    assert shown == "pavel.sandoval@dunfield.example"
    addressed = draft.plant("chat", "users", {"email": "orla.quimby@upland.example"})
    assert draft.of_the_person("chat", "users", addressed, "name", "Somebody Else") == "Orla Quimby"
    loose = draft.plant("chat", "users", {"title": "Driver"})
    assert draft.of_the_person("chat", "users", loose, "email", "a.b@c.example") == "a.b@c.example"
    environment.close()


def test_an_id_that_spells_a_name_spells_that_of_the_planted_record() -> None:
    for row in planted("releases", "components"):
        assert row["id"] == str(row["name"]).lower().replace(" ", "-"), row
