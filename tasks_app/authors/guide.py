"""What phrase books let a story do: which facts a record shows, which writes are asked for, what names it bears."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tasks_app.authors.access import Payload, Reach, payloads_of
from tasks_app.authors.meanings import AGREED, IN_TEXTS, MEANINGS, PASSED_ON, RULED, SUITED, in_texts, kinds_of
from tasks_app.authors.phrasebook import Act, Both, Fact, PhraseBook, RecordWords
from tasks_app.authors.story import Need, Rejection
from tasks_app.authors.titles import filled, shortened
from tasks_app.engine import lexicon
from tasks_app.engine.areas import listens, trades
from tasks_app.engine.columns import Column
from tasks_app.engine.flows import Flow

if TYPE_CHECKING:
    from tasks_app.authors.plan import Plan
    from tasks_app.authors.trials import Trials

NAMED_KINDS = frozenset({"title", "product", "label"})
_RULES = re.compile(r"polic|rule|guideline|procedure|playbook|guide\b")
_AFTER_THE_NOUN = re.compile(r"\s*(?:\{|\b(?:of|on|for|that|which|who|given|in|from|with|at|by|to|during|behind|as)\b)")
AGREED_ON = "agreed: "  # before the class of what a text says
SAID = 0.15  # of what only texts say over what records show
UNHEARD = 0.03  # of telling those who have nothing to do with it
MOST_ALIKE = 2  # times that one story asks for the same
_SPREAD = (0.8, 0.85, 0.9, 1.1, 1.15, 1.2, 1.25)


def subject(plan: Plan) -> str:
    """What the requests of a story over phrase books are about: an undertaking that all of a company has to do with."""
    while True:
        topic = f"{plan.rng.choice(lexicon.SUBJECT_PLACES)} {plan.rng.choice(lexicon.UNDERTAKINGS)}"
        if topic not in plan.values.used:
            plan.values.used.add(topic)
            return topic


def nameable(plan: Plan, book: PhraseBook, column: Column) -> bool:
    """Whether people name a record by this column, and a new name of that kind can be made up."""
    words = book.records.get(column.table)
    if words is None or column.field not in words.keys:
        return False
    service = next(slug for slug, other in plan.books.items() if other is book)
    return column.kind != "code" or bool(re.search(r"\d", str(plan.sample(service, column) or "1")))


def takes(act: Act, parameter: str) -> tuple[str, ...]:
    """Classes of facts that a parameter of the act is given."""
    return (act.fits or PASSED_ON) if parameter == act.tells else act.takes.get(parameter, ())


def spoken_of(slug: str, book: PhraseBook, flow: Flow) -> Flow:
    """What a service gives and takes, with the facts that its book passes on and asks for."""
    tells = {fact.meaning for fact in book.facts} | {f"{slug}/{fact.name}" for fact in book.facts}
    tells |= {f"{AGREED_ON}{meaning}" for meaning in told_in_texts(book)}
    asks, hears, named = set[str](), set[str](), set[str]()
    for act in book.acts:
        for parameter in act.fed:
            listed = act.listed(parameter)
            into = named if listed is not None else hears if parameter == act.tells else asks
            into.update(takes(act, parameter) if listed is None else listed)
            if parameter != act.tells:  # a field takes what was agreed as well
                asks |= {f"{AGREED_ON}{meaning}" for meaning in takes(act, parameter)}
    return replace(flow, tells=frozenset(tells), asks=frozenset(asks), hears=frozenset(hears), named=frozenset(named))


def told_in_texts(book: PhraseBook) -> frozenset[str]:
    """Classes of what people write down as agreed in a service; none where they write nothing down."""
    return in_texts(book.area) if any(words.news for words in book.records.values()) else frozenset()


def told_to(slug: str, book: PhraseBook, asker: PhraseBook) -> set[str]:
    """What a service tells another one, in the words of its book: "due date", "phone number"."""
    near = {True: listens(asker.area, book.area), False: trades(asker.area, book.area)}
    found = set[str]()
    for act in asker.acts:
        for parameter in act.fed:
            listed, classes = act.listed(parameter), takes(act, parameter)
            if listed is not None or near[parameter == act.tells]:
                facts = (fact for fact in book.facts if meets(slug, fact, classes, listed))
                found |= {spoken_noun(fact.called[0]) or fact.meaning for fact in facts}
            if parameter != act.tells and near[False]:
                found |= {MEANINGS[meaning].noun[0] for meaning in told_in_texts(book) & set(classes)}
    return found


def facts_for(slug: str, book: PhraseBook, table: str, need: Need) -> Iterator[Fact]:
    """The facts about records of a table that a need may be met with."""
    return (fact for fact in book.facts if fact.of == table and meets(slug, fact, need.meanings, need.facts))


def meets(slug: str, fact: Fact, classes: Collection[str], listed: Collection[str] | None) -> bool:
    """Whether a fact of a service is among those listed; where none are, whether it is of one of the classes."""
    if listed is not None:
        return f"{slug}/{fact.name}" in listed
    return not classes or fact.meaning in classes


def shown_to(
    books: Mapping[str, PhraseBook], trials: Trials, source: str, target: str, act: Act, payload: Payload
) -> float:
    """How much of what a service shows people would put into a parameter of an act of another; 0 for nothing.

    Facts that the act lists go there whatever the two have to do with each other. Others, and what texts say, go
    where those who read it have a use for it. A service without a phrase book shows anything.
    """
    book = books.get(source)
    if book is None:
        return 1.0
    classes, listed = takes(act, payload.name), act.listed(payload.name)
    told = payload.name == act.tells
    area, asked = book.area, books[target].area
    near = listens(asked, area) if told else trades(asked, area)
    facts = (f for f in book.facts if meets(source, f, classes, listed) and trials.shows(source, f))
    if any(told or payload.kind in kinds_of(fact.meaning) for fact in facts):
        return 1.0 if near or listed is not None else UNHEARD
    if told and listed is not None:
        return 0.0
    return SAID if near and told_in_texts(book) & set(classes) else 0.0


def met_by(need: Need, column: Column, like: Any) -> Need | None:
    """The need once it is settled that a value of this column meets it; None where the column does not fit."""
    if column.kind == "text" or column.choices or column.many:
        return None
    if not need.kind:
        return replace(need, kind=column.kind, unit=column.unit, like=like)
    if need.kind != column.kind or (not need.any_kind and need.unit != column.unit):
        return None
    return need


def suits(name: str, kind: str) -> bool:
    """Whether a record of this name is where people would write a value of a kind down."""
    return kind not in SUITED or bool(re.search(SUITED[kind], name.casefold()))


def rules(words: RecordWords, column: Column) -> bool:
    """Whether records called so by this column lay down rules."""
    return column.field in words.keys and lay_down_rules(words)


def lay_down_rules(words: RecordWords) -> bool:
    return bool(words.news) and bool(_RULES.search(words.noun[0]))


def settled(plan: Plan, need: Need, area: str = "") -> Need:
    """A need of any kind, once it is settled that a text of an area meets it."""
    if need.kind:
        return need
    if not need.meanings:
        return replace(need, kind=plan.rng.choice(("money", "date", "email", "date", "code")))
    meaning = plan.rng.choice([one for one in need.meanings if one in in_texts(area)] or need.meanings)
    return replace(need, kind=MEANINGS[meaning].kinds[0], meanings=(meaning,))


def writable(area: str, words: RecordWords, key: str, need: Need) -> bool:
    """Whether people write such a thing down with such a record: what was agreed, where all about it is agreed.

    `area`: of the service; `key`: the kind of the value by which the record is named.
    """
    topical = key in NAMED_KINDS and bool(words.names) and all("{topic}" in name for name in words.names)
    common = not need.meanings or any(meaning in in_texts(area) for meaning in need.meanings)
    return bool(words.news) and topical and common and not need.ruled and not (need.any_kind and need.facts is not None)


def agreed(plan: Plan, need: Need, *, ruled: bool = False) -> Both:
    """What people call a value that was settled in a text; `ruled`: by a rule in it."""
    meaning = next((meaning for meaning in need.meanings if meaning in IN_TEXTS), "")
    if meaning and meaning not in ("person", "stand-in") and not (need.any_kind and need.kind in AGREED):
        return MEANINGS[meaning].noun
    pool = [pair for pair in (RULED if ruled else AGREED).get(need.kind, ()) if pair[0] not in plan.nouns]
    if not pool:
        raise Rejection("no business word left")
    pair = plan.rng.choice(pool)
    plan.nouns.add(pair[0])
    return pair


def spoken_noun(called: str) -> str:
    """What the words for a fact begin with: "renewal date" of "the renewal date of {}"; "" where they are only {}."""
    words = _AFTER_THE_NOUN.split(called)[0]
    return words.removeprefix("the ").strip()


def seeded_like(plan: Plan, kind: str, sample: Any) -> Any:
    """A number of the size that such a record has; None where that is not known."""
    if kind not in ("money", "count", "duration") or not isinstance(sample, int | float) or sample <= 0:
        return None
    whole = float(sample) == int(sample)
    for factor in plan.rng.sample(_SPREAD, len(_SPREAD)):
        value = round(sample * factor) if whole else round(sample * factor, 2)
        value = max(2, value) if kind != "money" else float(value)
        if kind != "money" or value not in plan.values.used:
            plan.values.used.add(value)
            return value
    return None


def planted_name(plan: Plan, words: RecordWords, column: Column, kind: str = "") -> tuple[str, str] | None:
    """A name for a planted record and the near one of its double; None where its kind of name is made up as ever.

    `kind`: of the value that will stand in the record, for a name that suits it.
    """
    if not words.names or (column.kind not in NAMED_KINDS and column.field not in words.keys[:1]):
        return None
    names = [name for name in words.names if name not in plan.titles]  # two much alike are told from each other by luck
    for name in sorted(plan.rng.sample(names, len(names)), key=lambda name: not suits(name, kind)):
        form = shortened(name, plan.rng)
        value = _titled(plan, form, name)
        if value in plan.values.used:
            continue
        near = _near_title(plan, form, [other for other in names if other != name])
        if near and near not in plan.values.used:
            plan.values.used |= {value, near}
            plan.titles.add(name)
            return value, near
    raise Rejection("no name left for a record")


def _near_title(plan: Plan, form: str, others: Sequence[str]) -> str:
    """The title of a double: about another undertaking or company where the title names one, else another title."""
    if "{topic}" in form or "{thing}" in form:
        return filled(form, _near_subject(plan), plan.cast["organisation"])
    if "{company}" in form:
        return filled(form, plan.cast["title"], plan.near("organisation", plan.cast["organisation"]))
    topic, company = plan.cast["title"], plan.cast["organisation"]
    titles = [filled(shortened(other, plan.rng), topic, company) for other in others]
    return next((title for title in titles if title not in plan.values.used), "")


def _titled(plan: Plan, form: str, template: str) -> str:
    """A title from its form; the template behind it tells whether it belongs to the subject."""
    title = filled(form, plan.cast["title"], plan.cast["organisation"])
    if "{topic}" in template:
        plan.topical.add(title)
    return title


def _near_subject(plan: Plan) -> str:
    """Another undertaking at the same place; several records of a story may have their doubles there."""
    place, _, thing = str(plan.cast["title"]).partition(" ")
    return f"{place} {plan.rng.choice([other for other in lexicon.SUBJECT_THINGS if other != thing])}"


def fill(plan: Plan, text: str) -> str:
    """A title or sentence of a book with the subject of the story in it."""
    return _titled(plan, shortened(text, plan.rng), text)


def said_by(plan: Plan, act: Act | None, parameter: str) -> Any:
    """One of the values that an act may state for a parameter; None where it has none."""
    values = act.says.get(parameter, ()) if act is not None else ()
    if not values:
        return None
    if not isinstance(values[0], str):
        return plan.rng.choice(values)
    texts = [fill(plan, str(value)) for value in values]
    value = plan.rng.choice([text for text in texts if text not in plan.values.used] or texts)
    plan.values.used.add(value)  # not twice in one story, nor the name of a record in it
    return value


def fitting_acts(plan: Plan, service: str) -> Iterator[Act]:
    """The acts of a service's book whose write stories can use, and this one did not use too often."""
    done = Counter(goal.tool for goal in plan.goals if goal.service == service)
    reach = plan.reaches[service]
    for act in plan.books[service].acts:
        if done[act.tool] < MOST_ALIKE and goes(plan.trials, reach, service, act):
            made = {(service, table) for table in reach.profile.tools[act.tool].creates}
            if not made & plan.made:  # "the new contract" has to be the only one
                yield act


def goes(trials: Trials, reach: Reach, service: str, act: Act) -> bool:
    """Whether stories can use the write of an act."""
    tool = reach.profile.tools.get(act.tool)
    return tool is not None and tool in reach.writers and bool(trials.goes(service, act))


def taken_in(
    books: Mapping[str, PhraseBook], trials: Trials, reach: Reach, source: str, target: str, act: Act
) -> Iterator[tuple[Payload, float]]:
    """The parameters of an act by which what another service shows comes in, and how much of it people would put there.

    `reach`: of the service that is asked.
    """
    for payload in payloads_of(reach, reach.profile.tools[act.tool]):
        shown = shown_to(books, trials, source, target, act, payload) if payload.name in act.fed else 0.0
        if shown:
            yield payload, shown


def figure_of(reach: Reach, fact: Fact) -> tuple[Any, str, str, Any] | None:
    """(reader, parameter, key column, figure) of a fact that the service works out."""
    name, _, path = fact.figure.partition(" ")
    for tool, parameter, key, figure in reach.figures(fact.of):
        if tool.tool == name and figure.path == path:
            return tool, parameter, key, figure
    return None
